import { createHash } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { TenantSnapshot, type DatabaseLocation, type Row } from '#db/copies/tenant-snapshot.ts'
import { keyOf, NoSuchFile, type FileStore, type StoragePlace } from '#ports/files/port.ts'
import { withoutSecrets } from '#runtime/change/redact.ts'
import { asCsv, asJson } from './content.ts'
import { pathOfFile } from './names.ts'
import { exportedColumns, type ExportedTable } from './plan.ts'
import { readme } from './readme.ts'

/** What to export. It is plain data, because another thread reads it. */
export interface ArchiveTask {
  place: DatabaseLocation
  tenantId: string
  tables: readonly ExportedTable[]
  /** The name of the newest schema step. */
  schema: string
  /** The version of the program. */
  version: string
  /** The time of the export, which the archive states. */
  now: string
}

interface Entry {
  path: string
  bytes: number
  sha256: string
}

interface StoredFile {
  id: string
  original_name: string
  mime_type: string
  size_bytes: number
  sha256: string
  object_name: string
  place: StoragePlace
}
const FILE_COLUMNS = ['id', 'original_name', 'mime_type', 'size_bytes', 'sha256', 'object_name', 'place']

/** What is wrong with the bytes of a file: they are gone, or are no longer what was uploaded. */
interface FileProblem {
  fileId: string
  problem: 'missing' | 'damaged'
}

/** For the progress: writing a row twice takes about as long as copying this many bytes. */
const BYTES_OF_A_ROW = 4096
/** Rows shrink to a tenth at this level already, in a third of the time of the default. */
const COMPRESSION_LEVEL = 3

/** Files of all other allowed types are compressed already. */
const isCompressible = (mimeType: string): boolean => mimeType === 'text/csv'

/** The parts of the archive, written one after another. */
class Archive {
  readonly entries: Entry[] = []
  readonly #zip = new ZipFile()
  readonly #now: Date
  readonly #stopped = new AbortController()

  constructor(now: string) {
    this.#now = new Date(now)
    this.#zip.on('error', (error: Error) => this.stream.destroy(error))
    // Whoever reads the archive has stopped: nothing more is read for it.
    this.stream.once('close', () => this.#stopped.abort())
  }

  get stream(): Readable {
    return this.#zip.outputStream as Readable
  }

  /** Resolves when the entry is written. @throws whatever the content throws; AbortError when nobody reads on */
  async add(path: string, content: AsyncIterable<string | Uint8Array>, { compress = true } = {}): Promise<Entry> {
    const entry: Entry = { path, bytes: 0, sha256: '' }
    const hash = createHash('sha256')
    const measured = async function* () {
      for await (const part of content) {
        const bytes = Buffer.from(part as string)
        hash.update(bytes)
        entry.bytes += bytes.length
        yield bytes
      }
    }
    const { signal } = this.#stopped
    signal.throwIfAborted()
    const source = addAbortSignal(signal, Readable.from(measured(), { objectMode: false }))
    const done = finished(source)
    this.#zip.addReadStream(source, path, {
      mtime: this.#now,
      mode: 0o100600,
      compress,
      ...(compress && { compressionLevel: COMPRESSION_LEVEL }),
    })
    await done
    entry.sha256 = hash.digest('hex')
    this.entries.push(entry)
    return entry
  }

  end(): void {
    this.#zip.end()
  }

  fail(error: unknown): void {
    this.stream.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}

/** Secrets within JSON columns, such as the institute's settings, are left out too. */
const clean = (row: Row): Row => {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'object' && value !== null) row[name] = withoutSecrets(value)
  }
  return row
}

/** Called with the part of the work that is done, from 0 to 1. */
export type OnProgress = (fraction: number) => void

class Progress {
  readonly #tell: OnProgress
  readonly #total: number
  #done = 0

  constructor({ rows, bytes }: { rows: number; bytes: number }, tell: OnProgress) {
    this.#total = Math.max(1, rows * BYTES_OF_A_ROW * 2 + bytes)
    this.#tell = tell
  }

  rows(count: number): void {
    this.bytes(count * BYTES_OF_A_ROW)
  }

  bytes(count: number): void {
    this.#done += count
    this.#tell(Math.min(1, this.#done / this.#total))
  }
}

async function* cleanPages(pages: AsyncIterable<Row[]>, progress: Progress): AsyncGenerator<Row[]> {
  for await (const page of pages) {
    progress.rows(page.length)
    yield page.map(clean)
  }
}

async function* counted(bytes: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    progress.bytes(part.length)
    yield part
  }
}

const filesIn = async (snapshot: TenantSnapshot, tables: readonly ExportedTable[]): Promise<StoredFile[]> => {
  const table = tables.find(({ name }) => name === 'file')
  if (!table) return []
  const found: StoredFile[] = []
  for await (const page of snapshot.pages(table.name, FILE_COLUMNS, table.rows)) {
    found.push(...(page as unknown as StoredFile[]))
  }
  return found
}

const recordOfTenant = async (snapshot: TenantSnapshot): Promise<{ id: string; slug: string; name: string }> => {
  for await (const [row] of snapshot.pages('tenant', ['id', 'slug', 'name'], { tenantColumn: 'id' })) {
    return row as { id: string; slug: string; name: string }
  }
  throw new Error('there is no such institute')
}

/** Adds the bytes of the files. It returns what is wrong with some of them; the others are exported all the same. */
const addFiles = async (
  archive: Archive,
  { files, tenantId, store, progress }: { files: StoredFile[]; tenantId: string; store: FileStore; progress: Progress },
): Promise<FileProblem[]> => {
  const problems: FileProblem[] = []
  for (const file of files) {
    try {
      const bytes = await store.open(keyOf(file.place, 'objects', tenantId, file.object_name))
      const compress = isCompressible(file.mime_type)
      const { sha256 } = await archive.add(pathOfFile(file.id, file.original_name), counted(bytes, progress), {
        compress,
      })
      if (sha256 !== file.sha256) problems.push({ fileId: file.id, problem: 'damaged' })
    } catch (error) {
      if (!(error instanceof NoSuchFile)) throw error
      problems.push({ fileId: file.id, problem: 'missing' })
    }
  }
  return problems
}

const sizeOfFiles = async (snapshot: TenantSnapshot, tables: readonly ExportedTable[]): Promise<number> => {
  const table = tables.find(({ name }) => name === 'file')
  return table ? snapshot.sum(table.name, 'size_bytes', table.rows) : 0
}

interface Read {
  institute: { id: string; slug: string; name: string }
  /** The number of rows by table. */
  counts: ReadonlyMap<string, number>
  files: StoredFile[]
  progress: Progress
}

/**
 * Adds the tables as they are at one moment: a row and the rows that it refers to are from the same snapshot. It ends
 * before the files are copied, so that the database's log does not grow meanwhile.
 */
const addTables = async (archive: Archive, task: ArchiveTask, tell: OnProgress): Promise<Read> => {
  const { tables, tenantId } = task
  const snapshot = await TenantSnapshot.open(task.place, tenantId)
  try {
    const institute = await recordOfTenant(snapshot)
    const counts = new Map<string, number>()
    for (const { name, rows } of tables) counts.set(name, await snapshot.count(name, rows))
    const rows = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const progress = new Progress({ rows, bytes: await sizeOfFiles(snapshot, tables) }, tell)
    await archive.add('README.txt', Readable.from([readme({ name: institute.name, createdAt: task.now })]))
    for (const table of tables) {
      const columns = exportedColumns(table, snapshot.columnsOf(table.name))
      const pages = () => cleanPages(snapshot.pages(table.name, columns, table.rows), progress)
      await archive.add(`csv/${table.name}.csv`, asCsv(columns, pages()))
      await archive.add(`json/${table.name}.json`, asJson(columns, pages()))
    }
    return { institute, counts, files: await filesIn(snapshot, tables), progress }
  } finally {
    await snapshot.close()
  }
}

/** Writes the whole archive. A file that is deleted after the snapshot is reported as missing. */
const fill = async (archive: Archive, task: ArchiveTask, store: FileStore, tell: OnProgress): Promise<void> => {
  const { institute, counts, files, progress } = await addTables(archive, task, tell)
  const fileProblems = await addFiles(archive, { files, tenantId: task.tenantId, store, progress })
  const manifest = {
    format: 1,
    institute,
    createdAt: task.now,
    program: task.version,
    schema: task.schema,
    tables: Object.fromEntries([...counts].map(([name, rows]) => [name, { rows }])),
    fileProblems,
    entries: archive.entries,
  }
  await archive.add('manifest.json', Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]))
  archive.end()
}

/**
 * The ZIP archive of an institute, as a stream of bytes, which is made while it is read: of the rows and files no more
 * than a page is in memory at once. The stream fails with what went wrong.
 */
export const archiveOf = (task: ArchiveTask, store: FileStore, tell: OnProgress): Readable => {
  const archive = new Archive(task.now)
  fill(archive, task, store, tell).catch((error: unknown) => archive.fail(error))
  return archive.stream
}
