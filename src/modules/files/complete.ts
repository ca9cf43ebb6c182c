import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { forUpdate, forNoKeyUpdate } from '#db/dialect.ts'
import { actingUserId, type Caller, type TenantInfo } from '#kernel/who/actor.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import type { Begin } from '#kernel/contract/endpoint.ts'
import { failure, Forbidden, invalid, NotFound, StorageProblem, type ApiError } from '#kernel/values/errors.ts'
import { newId } from '#kernel/basics/ids.ts'
import { explained } from '#kernel/values/named.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { NoSuchFile, type FileStore, type StoragePlace } from '#ports/files/port.ts'
import type { Signer } from './addresses.ts'
import { attachedBy, attachedIn, attachmentOf, checkEntity, isOfUploader, type AttachedTo } from './attach.ts'
import { askingIn, isClassRecord, mayAttachTo, type Asking } from './class-files.ts'
import { discard, discardUpload } from './discard.ts'
import { homeOf } from './home-place.ts'
import { beginsAs, isOfType, isPicture, SIGNATURE_BYTES, TextCheck } from './media-types.ts'
import { isOwnAvatar, mayChangeAsOwn, reachedFile, selfOf } from './own-files.ts'
import { describeFile, objectKey, toFile, uploadIdIn, uploadKey, type FileRow } from './record.ts'
import { dropFile, usedAs } from './remove.ts'
import type { Completion, File } from './schemas.ts'
import type { FileKind } from './tables.ts'
import type { KeyedMutex } from './keyed-mutex.ts'
import { checkKind, checkMayUpload } from './uploads.ts'

export const AlreadyCompleted = failure('CONFLICT', 'already_completed', 'This upload has become a file already.', {
  details: {
    schema: explained(v.object({ fileId: v.string() }), { fileId: 'The file that it has become.' }),
    example: { fileId: '019cad6a-1c00-7000-8000-000000000000' },
  },
})

/*
 * An upload becomes a file in three steps:
 *
 * 1. Enqueue a job that removes the new object after an hour, unless a row names it by then.
 * 2. Copy the bytes to the new object, which no signed address can write, so that later uploads cannot change it. Check
 *    the bytes there.
 * 3. In one transaction: delete the upload's row (of several concurrent calls only one can), write the file's row with the
 *    object's name, and enqueue jobs that remove the upload and the object of a replaced file.
 *
 * A kill before step 3 leaves only an object that the job of step 1 removes, and the upload can be completed again. After
 * a kill behind step 3 the jobs of step 3 still run.
 */

const NO_ID = '00000000-0000-0000-0000-000000000000'

const LEFT_OVER_AFTER_SECONDS = 3600
const NOTHING_CAME = 'Nothing was uploaded to it.'

/** How often the bytes of an upload are checked. Checks take time, so after that the caller must upload again. */
const MOST_TRIES = 10
/** After a longer pause of the server (suspended, say) step 3 fails, because the job of step 1 may remove the object. */
const GOOD_FOR_SECONDS = 1800

interface Wanted extends Asking {
  db: ScopedDb
  tenant: TenantInfo
}

type Upload = Selectable<Tables['file_upload']>

const NEEDS_FILES_WRITE = { reason: 'permission_missing' as const, permissions: ['files.write' as const] }

/** Why there is no upload of this key: it has become a file, or there never was one. */
const missingUpload = async (
  { caller, whole, tenant }: Pick<Wanted, 'caller' | 'whole' | 'tenant'>,
  body: Completion,
): Promise<ApiError> => {
  const reachesAll = caller.grants.holds('files.write')
  const id = uploadIdIn(body.storageKey, tenant.id) ?? NO_ID
  const file = await whole.selectFrom('file').selectAll().where('upload_name', '=', id).executeTakeFirst()
  const self = selfOf(caller)
  const isOwn = self !== undefined && file?.uploaded_by_user_id === self
  if (file && (reachesAll || isOwn)) return AlreadyCompleted({ fileId: file.id })
  return reachesAll ? NotFound() : Forbidden(NEEDS_FILES_WRITE)
}

/** @throws Forbidden, NotFound, AlreadyCompleted, VALIDATION_ERROR for fields that differ from the upload's */
const checkUpload = async (upload: Upload | undefined, { caller, whole, tenant }: Wanted, body: Completion) => {
  const self = selfOf(caller)
  const reachesAll = caller.grants.holds('files.write')
  if (!upload) {
    throw await missingUpload({ caller, whole, tenant }, body)
  }
  if (!reachesAll && upload.user_id !== self) throw Forbidden(NEEDS_FILES_WRITE)
  const announced = { kind: upload.kind, mimeType: upload.mime_type, sizeBytes: upload.size_bytes }
  for (const [field, value] of Object.entries(announced)) {
    if (body[field as keyof typeof announced] !== value) throw invalid([field], 'Must be as the upload was asked for.')
  }
  // What came to a bucket is seen when it is copied.
  if (upload.received_at === null && upload.place === 'disk') throw invalid(['storageKey'], NOTHING_CAME)
  return upload
}

/** Finds the file to replace. @throws Forbidden, NotFound */
const targetOf = (wanted: Wanted, id: string, lock: boolean): Promise<FileRow> =>
  reachedFile({
    caller: wanted.caller,
    permission: 'files.write',
    find: (where) => {
      const handle = where === 'whole' ? wanted.whole : wanted.db
      const query = handle.selectFrom('file').selectAll().where('id', '=', id)
      return (lock ? forNoKeyUpdate(handle, query) : query).executeTakeFirst()
    },
    isOwn: (row) => mayChangeAsOwn(wanted, row),
  })

/** Without files.write an avatar is attached to nothing, and anything else to a record of the caller’s own. */
const isOwn = (kind: FileKind, to: AttachedTo | undefined, isOwnRecord: boolean): boolean =>
  kind === 'avatar' ? to === undefined : isOwnRecord

/** All checks that need no bytes. @throws Forbidden, NotFound, AlreadyCompleted, VALIDATION_ERROR */
const check = async (wanted: Wanted, body: Completion, lock: boolean) => {
  const { caller, whole, tenant } = wanted
  const uploadId = uploadIdIn(body.storageKey, tenant.id)
  const query = whole
    .selectFrom('file_upload')
    .selectAll()
    .where('id', '=', uploadId ?? NO_ID)
  const found = await (lock ? forUpdate(whole, query) : query).executeTakeFirst()
  const upload = await checkUpload(found, wanted, body)
  const target = body.fileId === undefined ? undefined : await targetOf(wanted, body.fileId, lock)
  const named = attachedBy(body)
  // A replaced file stays attached where it is unless the body says otherwise.
  const to = named ?? (target && attachedIn(target))
  const isOwnRecord = isClassRecord(to) && (await mayAttachTo(wanted, to))
  if (named && 'type' in named) await checkEntity(isOwnRecord ? whole : wanted.db, whole, named)
  if (!caller.grants.holds('files.write') && !isOwn(body.kind, to, isOwnRecord)) throw Forbidden(NEEDS_FILES_WRITE)
  if (target && !isPicture(body.mimeType) && (await usedAs(whole, target))) {
    throw invalid(['mimeType'], 'Must be an image: the file is an avatar or the logo.')
  }
  return { upload, target, to }
}

const wrongType = (): ApiError => invalid(['mimeType'], 'What was uploaded is not of this type.')

/** @throws VALIDATION_ERROR for bytes that differ from the body's size, type or hash */
const checkBytes = async (files: FileStore, object: ReturnType<typeof objectKey>, body: Completion): Promise<void> => {
  if ((await files.size(object)) !== body.sizeBytes) throw invalid(['sizeBytes'], 'What was uploaded has another size.')
  const read = async (start: number, length: number): Promise<Buffer> =>
    length > 0 ? buffer(await files.open(object, { start, end: start + length - 1 })) : Buffer.alloc(0)
  if (!beginsAs(body.mimeType, await read(0, SIGNATURE_BYTES))) throw wrongType()
  const hash = createHash('sha256')
  const text = new TextCheck()
  for await (const bytes of (await files.open(object)) as AsyncIterable<Buffer>) {
    hash.update(bytes)
    text.look(bytes)
  }
  if (hash.digest('hex') !== body.sha256) throw invalid(['sha256'], 'What was uploaded has another SHA-256.')
  if (!(await isOfType(body.mimeType, text, { size: body.sizeBytes, read }))) throw wrongType()
}

export interface Taken {
  /** Id of the new object. */
  id: string
  /** Where it is: the institute may have been moved since the upload began. */
  place: StoragePlace
  signer: Signer
  /** ISO instant. */
  goodUntil: string
}

interface Copying {
  files: FileStore
  signer: Signer
  begin: Begin
  now: string
  /** An upload is copied and checked by one call at a time: the others wait, and find it completed. */
  mutex: KeyedMutex
}

/** Steps 1 and 2. @throws Forbidden, NotFound, AlreadyCompleted, VALIDATION_ERROR */
export const copyUpload = async (copying: Copying, wanted: Wanted, body: Completion): Promise<Taken> => {
  checkMayUpload(wanted.caller, body.kind)
  checkKind(body)
  const { upload } = await check(wanted, body, false)
  return copying.mutex.run(upload.id, () => copyInTurn(copying, wanted, body))
}

const copyInTurn = async ({ files, signer, begin, now }: Copying, wanted: Wanted, body: Completion): Promise<Taken> => {
  const { tenant } = wanted
  const { upload } = await check(wanted, body, false)
  const [id, place] = [newId(), await homeOf(wanted.whole, files)]
  const object = objectKey({ tenant_id: tenant.id, object_name: id, place })
  await begin(async (tx) => {
    const { whole, enqueue } = tx.inTenant(tenant)
    const counted = await whole
      .updateTable('file_upload')
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('id', '=', upload.id)
      .where('tries', '<', MOST_TRIES)
      .executeTakeFirst()
    if (counted.numUpdatedRows === 0n) throw await missingUpload({ ...wanted, whole }, body)
    discard({ enqueue }, object, plusSeconds(now, LEFT_OVER_AFTER_SECONDS))
  })
  try {
    await files.copy(uploadKey(upload), object)
    await checkBytes(files, object, body)
  } catch (error) {
    // If this fails, the job of step 1 removes the object.
    await files.remove(object).catch(() => {})
    if (!(error instanceof NoSuchFile)) throw error
    // The call before has just completed it, or there were never any bytes.
    await check(wanted, body, false)
    throw invalid(['storageKey'], NOTHING_CAME)
  }
  return { id, place, signer, goodUntil: plusSeconds(now, GOOD_FOR_SECONDS) }
}

/** Deletes the older avatars of a caller without files.write, except the one that their profile still names. */
const dropOtherAvatars = async (tx: Tx, userId: string, fileId: string): Promise<void> => {
  const others = tx.whole
    .selectFrom('file')
    .selectAll()
    .where('uploaded_by_user_id', '=', userId)
    .where('kind', '=', 'avatar')
    .where('id', '<>', fileId)
    .orderBy('id')
  for (const row of await forUpdate(tx.whole, others).execute()) {
    if (isOwnAvatar(row, userId) && !(await usedAs(tx.whole, row))) await dropFile(tx, row, 'files.delete')
  }
}

/** The branch for a file whose record has none, when the caller is limited to branches. */
const homeBranchOf = ({ grants }: Caller): string | null => {
  const reach = grants.reach('files.write')
  return reach === undefined || reach === 'all' ? null : (reach.branchIds[0] ?? null)
}

/** Step 3 repeats the checks of `copyUpload`, because rows may have changed. @throws the same failures */
export const completeUpload = async (
  tx: Tx,
  caller: Caller,
  { id: objectId, place, signer, goodUntil }: Taken,
  body: Completion,
): Promise<File> => {
  if (tx.now >= goodUntil) throw new StorageProblem('the upload took too long to be checked')
  const { db, whole, tenant } = tx
  const { upload, target, to } = await check({ ...askingIn(tx, caller), db, tenant }, body, true)
  await whole.deleteFrom('file_upload').where('id', '=', upload.id).execute()
  discardUpload(tx, upload)
  const content = {
    kind: body.kind,
    original_name: body.originalName,
    mime_type: body.mimeType,
    size_bytes: body.sizeBytes,
    sha256: body.sha256,
    upload_name: upload.id,
    object_name: objectId,
    place,
    ...attachmentOf(to),
    home_branch_id: isOfUploader(to) ? (target ? target.home_branch_id : homeBranchOf(caller)) : null,
    updated_at: tx.now,
  }
  const row = target
    ? await whole.updateTable('file').set(content).where('id', '=', target.id).returningAll().executeTakeFirstOrThrow()
    : await whole
        .insertInto('file')
        .values({
          id: tx.id(),
          ...content,
          uploaded_by_user_id: actingUserId(tx.actor),
          created_at: tx.now,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
  if (target) discard(tx, objectKey(target))
  const self = selfOf(caller)
  const isOwnPicture = body.kind === 'avatar' && self !== undefined && !caller.grants.holds('files.write')
  if (isOwnPicture) await dropOtherAvatars(tx, self, row.id)
  tx.audit({
    entityType: 'file',
    entityId: row.id,
    ...(target && { before: describeFile(target) }),
    after: describeFile(row),
  })
  return toFile(row, signer, tx.now)
}
