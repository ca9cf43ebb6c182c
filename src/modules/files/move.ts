import { createHash } from 'node:crypto'
import PQueue from 'p-queue'
import { plusSeconds } from '#kernel/time/clock.ts'
import { StorageProblem } from '#kernel/values/errors.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { existingTenant } from '#modules/tenants/index.ts'
import { NoSuchFile, WrongSize, type FileStore, type StoragePlace } from '#ports/files/port.ts'
import { discard } from './discard.ts'
import { objectKey, type FileRow } from './record.ts'

/*
 * An institute works while its files move. Its new files go to the new place from the first step on; then each file is
 * copied under a new name, read again there, and its row changes to the copy in a transaction that does nothing when the
 * file was replaced or deleted meanwhile. The old bytes stay until nobody reads them any more. A copy whose row never
 * comes is removed by a job, so a move that was killed leaves nothing behind, and one that runs again goes on.
 */

/** In one batch. */
const FILES_AT_ONCE = 16
const COPIES_AT_ONCE = 4
/** Copies without a row are removed after this time. */
const ALONE_SECONDS = 3600
/** After a longer pause of the server the copies may be removed. */
const GOOD_FOR_SECONDS = 1800
/** A download that began, or whose address was given out, before the move reads the old bytes. */
const READ_SECONDS = 3600

type Change = <T>(work: (tx: SystemTx) => Promise<T>) => Promise<T>
type Moving = Pick<
  FileRow,
  'id' | 'tenant_id' | 'object_name' | 'place' | 'size_bytes' | 'sha256' | 'original_name'
> & {
  /** Names the copy. */
  target: string
}

interface Batch {
  rows: Moving[]
  goodUntil: string
}

export interface Moved {
  files: number
  bytes: number
  /** The files whose bytes are missing or damaged, as `<id> (<name>)`: they stay where they are. */
  damaged: string[]
}

export interface Move {
  files: FileStore
  tenantId: string
  to: StoragePlace
  /** @param done of all files that were to be moved when it began, from 0 to 1 */
  onProgress: (done: number) => void
}

/** @returns how many files are elsewhere */
const begin = async (tx: Tx, to: StoragePlace): Promise<number> => {
  const former = await tx.whole.selectFrom('file_home').select('place').executeTakeFirst()
  if (!former) {
    const row = { id: tx.id(), place: to, updated_at: tx.now }
    await tx.whole
      .insertInto('file_home')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await tx.whole.updateTable('file_home').set({ place: to, updated_at: tx.now }).execute()
  if (former?.place !== to) {
    tx.audit({ entityType: 'institute', entityId: tx.tenant.id, metadata: { filesGoTo: to } })
  }
  const { count } = await tx.whole
    .selectFrom('file')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('place', '<>', to)
    .executeTakeFirstOrThrow()
  return count
}

/** The next files to move, each with the name of its copy. @throws Error when another move turned the institute back */
const nextBatch = async (tx: Tx, to: StoragePlace, after: string | undefined): Promise<Batch> => {
  const home = await tx.whole.selectFrom('file_home').select('place').executeTakeFirst()
  if (home?.place !== to) throw new Error('Another command moves these files elsewhere: this one ends.')
  const rows = await tx.whole
    .selectFrom('file')
    .select(['id', 'tenant_id', 'object_name', 'place', 'size_bytes', 'sha256', 'original_name'])
    .where('place', '<>', to)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(FILES_AT_ONCE)
    .execute()
  const moving = rows.map((row) => ({ ...row, target: tx.id() }))
  for (const row of moving) discard(tx, copyKey(row, to), plusSeconds(tx.now, ALONE_SECONDS))
  return { rows: moving, goodUntil: plusSeconds(tx.now, GOOD_FOR_SECONDS) }
}

const copyKey = ({ tenant_id, target }: Moving, place: StoragePlace) =>
  objectKey({ tenant_id, object_name: target, place })

async function* hashed(body: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const bytes of body) {
    hash.update(bytes)
    yield bytes
  }
}

const hashOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const hash = createHash('sha256')
  for await (const bytes of body) hash.update(bytes)
  return hash.digest('hex')
}

/** @returns whether the bytes were as their record says; otherwise nothing is stored @throws StorageProblem */
const copy = async (files: FileStore, row: Moving, to: StoragePlace): Promise<boolean> => {
  const target = copyKey(row, to)
  const hash = createHash('sha256')
  try {
    await files.put(target, hashed(await files.open(objectKey(row)), hash), row.size_bytes)
  } catch (error) {
    if (error instanceof NoSuchFile || error instanceof WrongSize) return false
    throw error
  }
  if (hash.digest('hex') !== row.sha256) {
    await files.remove(target)
    return false
  }
  if ((await hashOf(await files.open(target))) !== row.sha256) {
    throw new StorageProblem('the storage gave other bytes back than it was given')
  }
  return true
}

/** @returns whether the file is where its copy is now */
const turn = async (tx: Tx, row: Moving, to: StoragePlace): Promise<boolean> => {
  const { numUpdatedRows } = await tx.whole
    .updateTable('file')
    .set({ object_name: row.target, place: to })
    .where('id', '=', row.id)
    .where('object_name', '=', row.object_name)
    .where('place', '=', row.place)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  discard(tx, objectKey(row), plusSeconds(tx.now, READ_SECONDS))
  return true
}

/** Whether the row names the bytes still: what was deleted or replaced meanwhile is not damaged. */
const isNamed = async (tx: Tx, row: Moving): Promise<boolean> => {
  const named = await tx.whole
    .selectFrom('file')
    .select('id')
    .where('id', '=', row.id)
    .where('object_name', '=', row.object_name)
    .executeTakeFirst()
  return named !== undefined
}

/**
 * Moves the files of an institute to a place, which must be reachable; also while others use them.
 * @throws StorageProblem, an Error of one line: what was moved until then stays moved
 */
export const moveFiles = async (change: Change, { files, tenantId, to, onProgress }: Move): Promise<Moved> => {
  const inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    change(async (tx) => work(tx.inTenant(await existingTenant(tx.db, tenantId))))
  const moved: Moved = { files: 0, bytes: 0, damaged: [] }
  const copies = new PQueue({ concurrency: COPIES_AT_ONCE })

  const moveBatch = async ({ rows, goodUntil }: Batch): Promise<void> => {
    const copied = await copies.addAll(rows.map((row) => () => copy(files, row, to)))
    const turned = await inTenant(async (tx) => {
      if (tx.now >= goodUntil) throw new StorageProblem('copying took too long')
      const done: Moving[] = []
      const damaged: string[] = []
      for (const [at, row] of rows.entries()) {
        if (copied[at]) {
          if (await turn(tx, row, to)) done.push(row)
        } else if (await isNamed(tx, row)) damaged.push(`${row.id} (${row.original_name})`)
      }
      return { done, damaged }
    })
    moved.files += turned.done.length
    moved.bytes += turned.done.reduce((sum, row) => sum + row.size_bytes, 0)
    moved.damaged.push(...turned.damaged)
  }

  const total = await inTenant((tx) => begin(tx, to))
  let after: string | undefined
  for (;;) {
    const batch = await inTenant((tx) => nextBatch(tx, to, after))
    if (batch.rows.length === 0) break
    await moveBatch(batch)
    onProgress(Math.min(1, (moved.files + moved.damaged.length) / total))
    after = batch.rows.at(-1)?.id
  }
  return moved
}
