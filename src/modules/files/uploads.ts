import { forUpdate } from '#db/dialect.ts'
import { actingUserId, type Caller } from '#kernel/who/actor.ts'
import { Forbidden, invalid } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { checkRoom } from '#modules/tenants/index.ts'
import type { Signer } from './addresses.ts'
import type { FileStore } from '#ports/files/port.ts'
import { writesOnSome } from './class-files.ts'
import { arrivalCutoff, arrivedJob, discardUpload, lateUntil } from './discard.ts'
import { homeOf } from './home-place.ts'
import { isPicture } from './media-types.ts'
import { selfOf } from './own-files.ts'
import { storageKeyOf, uploadKey } from './record.ts'
import type { UploadAddress, UploadRequest } from './schemas.ts'
import type { FileKind } from './tables.ts'

/** Without files.write a caller uploads their own avatar, and what a session or an exam of theirs gets. @throws Forbidden */
export const checkMayUpload = (caller: Caller, kind: FileKind): void => {
  if (caller.grants.holds('files.write')) return
  if (selfOf(caller) !== undefined && (kind === 'avatar' || writesOnSome(caller))) return
  throw Forbidden({ reason: 'permission_missing', permissions: ['files.write'] })
}

/** @throws VALIDATION_ERROR for an avatar that is no picture */
export const checkKind = ({ kind, mimeType }: Pick<UploadRequest, 'kind' | 'mimeType'>): void => {
  if (kind === 'avatar' && !isPicture(mimeType)) {
    throw invalid(['mimeType'], 'Must be a PNG, JPEG, GIF, WebP or AVIF image for an avatar.')
  }
}

/** The bytes of all files, of uploads that have arrived or still may, and of rows that imports keep. */
export const storedBytes = async (whole: ScopedDb, now: string): Promise<number> => {
  const files = await whole
    .selectFrom('file')
    .select((eb) => eb.fn.sum<number | null>('size_bytes').as('bytes'))
    .executeTakeFirst()
  const uploads = await whole
    .selectFrom('file_upload')
    .select((eb) => eb.fn.sum<number | null>('size_bytes').as('bytes'))
    .where((eb) => eb.or([eb('received_at', 'is not', null), eb('expires_at', '>', arrivalCutoff(now))]))
    .executeTakeFirst()
  const imports = await whole
    .selectFrom('import')
    .select((eb) => eb.fn.sum<number | null>('kept_bytes').as('bytes'))
    .where('kept_bytes', '>', 0)
    .executeTakeFirst()
  return (files?.bytes ?? 0) + (uploads?.bytes ?? 0) + (imports?.bytes ?? 0)
}

/** Without files.write a caller has one upload of an avatar at a time: a new one cancels the others. */
const cancelOtherAvatars = async (tx: Tx, userId: string): Promise<void> => {
  const others = tx.whole
    .selectFrom('file_upload')
    .select(['id', 'tenant_id', 'place', 'expires_at', 'received_at'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'avatar')
    .orderBy('id')
  for (const upload of await forUpdate(tx.whole, others).execute()) {
    await tx.whole.deleteFrom('file_upload').where('id', '=', upload.id).execute()
    // Bytes that are still arriving here will find no upload.
    if (upload.received_at !== null || upload.place === 's3') discardUpload(tx, upload)
  }
}

/** @throws Forbidden, QuotaExceeded, VALIDATION_ERROR */
export const requestUpload = async (
  tx: Tx,
  { caller, signer, files }: { caller: Caller; signer: Signer; files: Pick<FileStore, 'home'> },
  body: UploadRequest,
): Promise<UploadAddress> => {
  const id = tx.id()
  await checkRoom(tx, 'maxStorageBytes', storedBytes, body.sizeBytes)
  const self = selfOf(caller)
  const isOwnAvatar = body.kind === 'avatar' && self !== undefined && !caller.grants.holds('files.write')
  if (isOwnAvatar) await cancelOtherAvatars(tx, self)
  const upload = { id, tenant_id: tx.tenant.id, place: await homeOf(tx.whole, files) }
  const said = { size: body.sizeBytes, type: body.mimeType }
  const { url, expiresAt } = signer.upload(uploadKey(upload), tx.now, said)
  await tx.whole
    .insertInto('file_upload')
    .values({
      id,
      place: upload.place,
      kind: body.kind,
      mime_type: body.mimeType,
      size_bytes: body.sizeBytes,
      user_id: actingUserId(tx.actor),
      expires_at: expiresAt,
      received_at: null,
      created_at: tx.now,
    })
    .execute()
  if (upload.place === 's3') tx.enqueue(arrivedJob, { tenantId: tx.tenant.id, id }, { runAt: lateUntil(expiresAt) })
  tx.audit({ entityType: 'file_upload', entityId: id, after: body })
  return { storageKey: storageKeyOf(tx.tenant.id, id), uploadUrl: url, expiresAt }
}
