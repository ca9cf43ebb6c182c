import { passed, warning, wrong, type CheckResult } from '#kernel/contract/check.ts'
import { UNENDED_STATES } from '#kernel/contract/job.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import {
  partsOf,
  type Area,
  type FileStore,
  type StoragePlace,
  type StoredFile,
  type StoredKey,
} from '#ports/files/port.ts'
import { discardJob } from './discard.ts'
import { objectKey } from './record.ts'

const AT_ONCE = 500
/** How many files a message names. It only counts the others. */
const NAMED = 3

interface Row {
  tenant_id: string
  id: string
  object_name: string
  place: StoragePlace
  size_bytes: number
  original_name: string
}

const rowsAfter = (db: SystemDb, last: Row | undefined, place: StoragePlace | undefined): Promise<Row[]> =>
  db
    .selectFrom('file')
    .select(['tenant_id', 'id', 'object_name', 'place', 'size_bytes', 'original_name'])
    .$if(last !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('tenant_id', 'id'), '>', tuple(last?.tenant_id ?? '', last?.id ?? '')),
      ),
    )
    .$if(place !== undefined, (query) => query.where('place', '=', place ?? 'disk'))
    .orderBy('tenant_id')
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()

const isStillThere = async (
  db: SystemDb,
  { tenant_id: institute, id, object_name: object, place }: Row,
): Promise<boolean> => {
  const row = await db
    .selectFrom('file')
    .select('id')
    .where('tenant_id', '=', institute)
    .where('id', '=', id)
    .where('object_name', '=', object)
    .where('place', '=', place)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Lists the files whose bytes are missing or incomplete, as `<id> (<name>)`.
 * @param place only those that are there
 */
export const missingFiles = async (
  db: SystemDb,
  files: FileStore,
  place?: StoragePlace,
): Promise<{ missing: string[]; seen: number }> => {
  const missing: string[] = []
  let seen = 0
  let last: Row | undefined
  do {
    const rows = await rowsAfter(db, last, place)
    last = rows.at(AT_ONCE - 1)
    seen += rows.length
    for (const row of rows) {
      const size = await files.size(objectKey(row))
      // A file that was deleted meanwhile is not missing.
      if (size !== row.size_bytes && (await isStillThere(db, row))) missing.push(`${row.id} (${row.original_name})`)
    }
  } while (last)
  return { missing, seen }
}

const withoutRow = async (db: SystemDb, keys: readonly StoredKey[]): Promise<StoredKey[]> => {
  const rows = await db
    .selectFrom('file')
    .select(['tenant_id', 'object_name', 'place'])
    .where(
      'object_name',
      'in',
      keys.map((key) => partsOf(key).id),
    )
    .execute()
  const named = new Set(rows.map(objectKey))
  return keys.filter((key) => !named.has(key))
}

/** The files of an area in all places: on the disk all there are, in a bucket those of each institute. */
async function* filesEverywhere(db: SystemDb, files: FileStore, area: Area): AsyncGenerator<StoredFile> {
  yield* files.list(area)
  if (files.home === 'disk') return
  for (const { id } of await db.selectFrom('tenant').select('id').orderBy('id').execute()) {
    for await (const file of files.list(area, id)) if (partsOf(file.key).place !== 'disk') yield file
  }
}

/** Lists objects that no row names and that no job is going to remove. */
const strayObjects = async (db: SystemDb, files: FileStore): Promise<StoredKey[]> => {
  const strays: StoredKey[] = []
  let keys: StoredKey[] = []
  const look = async (): Promise<void> => {
    if (keys.length > 0) strays.push(...(await withoutRow(db, keys)))
    keys = []
  }
  for await (const { key } of filesEverywhere(db, files, 'objects')) {
    keys.push(key)
    if (keys.length === AT_ONCE) await look()
  }
  await look()
  if (strays.length === 0) return []
  const jobs = await db
    .selectFrom('job')
    .select('payload')
    .where('kind', '=', discardJob.name)
    .where('state', 'in', UNENDED_STATES)
    .execute()
  const awaited = new Set(jobs.map(({ payload }) => payload.key))
  const left: StoredKey[] = []
  for (const key of strays) {
    // Since the listing, a file may have been removed, or its row added.
    const isStray = !awaited.has(key) && (await files.size(key)) !== undefined
    if (isStray && (await withoutRow(db, [key])).length > 0) left.push(key)
  }
  return left
}

const some = (names: readonly string[]): string => {
  const rest = names.length - NAMED
  return `${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const filesIn = async (db: SystemDb, place: StoragePlace): Promise<number> => {
  const { count } = await db
    .selectFrom('file')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('place', '=', place)
    .executeTakeFirstOrThrow()
  return count
}

/** Compares the files of the database with the objects of the storage. */
export const checkFiles = async (db: SystemDb, files: FileStore): Promise<CheckResult> => {
  const unreachable = files.home === 'disk' ? await filesIn(db, 's3') : 0
  if (unreachable > 0) {
    return wrong(
      `${unreachable} lie in a bucket that the settings do not name: set INSTITUTE_S3_URL as it was, and move them with institute files move --to disk before it goes`,
    )
  }
  const { missing, seen } = await missingFiles(db, files)
  const strays = await strayObjects(db, files)
  const stray = `${strays.length} stored without a record: ${some(strays)}`
  if (missing.length > 0) {
    const howTo =
      missing.length === seen
        ? 'bring the folder files back: mount its disk, or take it from a backup'
        : 'a backup may hold them'
    const text = `${missing.length} of ${seen} missing or damaged in the storage: ${some(missing)}; ${howTo}`
    return wrong(strays.length > 0 ? `${text}; ${stray}` : text)
  }
  return strays.length > 0 ? warning(stray) : passed(`${seen}, each as its record says`)
}
