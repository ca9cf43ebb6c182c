import { plusSeconds } from '#kernel/time/clock.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { FileStore, StoragePlace } from '#ports/files/port.ts'
import { checkRoom } from '#modules/tenants/index.ts'
import { attachmentOf } from './attach.ts'
import { discard } from './discard.ts'
import { homeOf } from './home-place.ts'
import { describeFile, objectKey } from './record.ts'
import { storedBytes } from './uploads.ts'

/** A file that the operator of a server brings in, without an upload. */
export interface NewDocument {
  /** Where its bytes are. */
  object: string
  place: StoragePlace
  name: string
  mimeType: string
  sizeBytes: number
  sha256: string
  /** In whose name. */
  userId: string
}

/** How long the bytes may be there before their row. */
const ALONE_SECONDS = 3600

/** Before the bytes are stored: should the row never come, they are removed again. @throws QuotaExceeded */
export const placeDocument = async (
  tx: Tx,
  files: Pick<FileStore, 'home'>,
  sizeBytes: number,
): Promise<Pick<NewDocument, 'object' | 'place'>> => {
  await checkRoom(tx, 'maxStorageBytes', storedBytes, sizeBytes)
  const [object, place] = [tx.id(), await homeOf(tx.whole, files)]
  discard(tx, objectKey({ tenant_id: tx.tenant.id, object_name: object, place }), plusSeconds(tx.now, ALONE_SECONDS))
  return { object, place }
}

/** After the bytes are stored. @returns the id of the file */
export const addDocument = async (tx: Tx, document: NewDocument): Promise<string> => {
  const row = await tx.whole
    .insertInto('file')
    .values({
      id: tx.id(),
      kind: 'document',
      original_name: document.name,
      mime_type: document.mimeType,
      size_bytes: document.sizeBytes,
      sha256: document.sha256,
      upload_name: document.object,
      object_name: document.object,
      place: document.place,
      ...attachmentOf(undefined),
      home_branch_id: null,
      uploaded_by_user_id: document.userId,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  tx.audit({ entityType: 'file', entityId: row.id, after: describeFile(row) })
  return row.id
}
