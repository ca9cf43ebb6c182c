import { buffer } from 'node:stream/consumers'
import { compiledInTenant } from '#db/queries/compiled.ts'
import { forKeyShare, forUpdate } from '#db/dialect.ts'
import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import { invalid, NotFound } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Avatars } from '#modules/identity/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { NoSuchFile, type FileStore } from '#ports/files/port.ts'
import type { FileAddresses } from './addresses.ts'
import { isPicture } from './media-types.ts'
import { isOwnAvatar } from './own-files.ts'
import { downloadOf, objectKey, type FileRow } from './record.ts'
import { dropFile, usedAs } from './remove.ts'

/** Locks a file so that it stays until a record refers to it. */
const lockPicture = (tx: Tx, id: string): Promise<FileRow | undefined> =>
  forKeyShare(tx.whole, tx.whole.selectFrom('file').selectAll().where('id', '=', id)).executeTakeFirst()

const checkPicture = ({ mime_type: type }: FileRow, path: string[]): void => {
  if (!isPicture(type)) throw invalid(path, 'Must be a PNG, JPEG, GIF, WebP or AVIF image.')
}

export const avatars: Avatars = {
  name: async (tx, userId, fileId) => {
    const row = await lockPicture(tx, fileId)
    if (!row || !isOwnAvatar(row, userId)) throw NotFound()
    checkPicture(row, ['avatarFileId'])
  },
  free: async (tx, userId, fileId) => {
    // A profile may name a picture of any institute that its user is or was a member of.
    const place = await tx.everywhere
      .selectFrom('file')
      .innerJoin('membership', 'membership.tenant_id', 'file.tenant_id')
      .select('file.tenant_id')
      .where('membership.user_id', '=', userId)
      .where('file.id', '=', fileId)
      .executeTakeFirst()
    const tenant = place && (await findTenant(tx.db, place.tenant_id))
    if (!tenant) return
    const inside = tx.inTenant(tenant)
    const row = await forUpdate(
      inside.whole,
      inside.whole.selectFrom('file').selectAll().where('id', '=', fileId),
    ).executeTakeFirst()
    if (!row || !isOwnAvatar(row, userId) || (await usedAs(inside.whole, row))) return
    await dropFile(inside, row, 'files.delete')
  },
}

/**
 * Checks the logo that the settings are about to refer to, and locks its file. @throws NotFound, VALIDATION_ERROR for a
 * file that is not a picture
 */
export const nameLogo = async (tx: Tx, fileId: string): Promise<void> => {
  const row = await lockPicture(tx, fileId)
  if (!row) throw NotFound()
  checkPicture(row, ['branding', 'logoFileId'])
}

const objectById = compiledInTenant((db, { id }: { id: string }) =>
  db
    .selectFrom('file')
    .select(['tenant_id', 'object_name', 'place', 'original_name', 'mime_type', 'size_bytes', 'sha256'])
    .where('id', '=', id),
)

/** Makes the function that reads the bytes of a logo; null: the file is gone. */
export const logoBytes =
  (files: FileStore) =>
  async (whole: ScopedDb, fileId: string): Promise<Buffer | null> => {
    const [row] = await objectById(whole, { id: fileId })
    if (!row) return null
    try {
      return await buffer(await files.open(objectKey(row)))
    } catch (error) {
      if (error instanceof NoSuchFile) return null
      throw error
    }
  }

interface AskedFor {
  now: string
  request: Pick<RequestInfo, 'origin'>
}

/** Makes the function that signs an address for the bytes of a logo, for five minutes; null: the file is gone. */
export const logoAddress =
  (addresses: FileAddresses) =>
  async (whole: ScopedDb, fileId: string, { now, request }: AskedFor): Promise<string | null> => {
    const [row] = await objectById(whole, { id: fileId })
    if (!row) return null
    const signer = await addresses.signer(row.tenant_id, request)
    return signer.download(downloadOf(row), now).url
  }
