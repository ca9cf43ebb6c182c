import { passed, warning, wrong, type CheckResult } from '#kernel/check.ts'
import type { SystemDb } from '#kernel/tables.ts'
import type { FileStore, StoredKey } from '#ports/files/port.ts'
import { discardJob } from './jobs.ts'
import { objectKey } from './record.ts'

const AT_ONCE = 500
/** How many files a message names. It only counts the others. */
const NAMED = 3

interface Row {
  tenant_id: string
  id: string
  object_name: string
  size_bytes: number
  original_name: string
}

const rowsAfter = (db: SystemDb, last: Row | undefined): Promise<Row[]> =>
  db
    .selectFrom('file')
    .select(['tenant_id', 'id', 'object_name', 'size_bytes', 'original_name'])
    .$if(last !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('tenant_id', 'id'), '>', tuple(last?.tenant_id ?? '', last?.id ?? '')),
      ),
    )
    .orderBy('tenant_id')
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()

const isStillThere = async (db: SystemDb, { tenant_id: institute, id, object_name: object }: Row): Promise<boolean> => {
  const row = await db
    .selectFrom('file')
    .select('id')
    .where('tenant_id', '=', institute)
    .where('id', '=', id)
    .where('object_name', '=', object)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the files whose bytes are missing or incomplete, as `<id> (<name>)`. */
export const missingFiles = async (db: SystemDb, files: FileStore): Promise<{ missing: string[]; seen: number }> => {
  const missing: string[] = []
  let seen = 0
  let last: Row | undefined
  do {
    const rows = await rowsAfter(db, last)
    last = rows.at(AT_ONCE - 1)
    seen += rows.length
    for (const row of rows) {
      const size = await files.size(objectKey(row.tenant_id, row.object_name))
      // A file that was deleted meanwhile is not missing.
      if (size !== row.size_bytes && (await isStillThere(db, row))) missing.push(`${row.id} (${row.original_name})`)
    }
  } while (last)
  return { missing, seen }
}

const withoutRow = async (db: SystemDb, keys: readonly StoredKey[]): Promise<StoredKey[]> => {
  const rows = await db
    .selectFrom('file')
    .select(['tenant_id', 'object_name'])
    .where(
      'object_name',
      'in',
      keys.map((key) => key.split('/')[2] as string),
    )
    .execute()
  const named = new Set(rows.map((row) => objectKey(row.tenant_id, row.object_name)))
  return keys.filter((key) => !named.has(key))
}

/** Lists objects that no row names and that no job is going to remove. */
const strayObjects = async (db: SystemDb, files: FileStore): Promise<StoredKey[]> => {
  const strays: StoredKey[] = []
  let keys: StoredKey[] = []
  const look = async (): Promise<void> => {
    if (keys.length > 0) strays.push(...(await withoutRow(db, keys)))
    keys = []
  }
  for await (const { key } of files.list('objects')) {
    keys.push(key)
    if (keys.length === AT_ONCE) await look()
  }
  await look()
  if (strays.length === 0) return []
  const jobs = await db
    .selectFrom('job')
    .select('payload')
    .where('kind', '=', discardJob.name)
    .where('state', 'in', ['queued', 'running'])
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

/** Compares the files of the database with the objects of the storage. */
export const checkFiles = async (db: SystemDb, files: FileStore): Promise<CheckResult> => {
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
