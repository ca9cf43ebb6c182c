import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, createReadStream, createWriteStream, openSync, read, statSync, writeSync } from 'node:fs'
import { readdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip } from 'node:zlib'
import { create, extract, Header, Parser, type ReadEntry } from 'tar'
import * as v from 'valibot'
import { DATABASE, isCopied } from '#app/data-dir/layout.ts'
import { NoRoom } from './free-space.ts'

/** The file is not a backup, or is damaged; nothing was changed. */
export class BadBackup extends Error {
  readonly why: string
  /** another: it is something else; newer: of a form that a later version makes; damaged: all else. */
  readonly kind: 'another' | 'newer' | 'damaged'

  constructor(why: string, kind: BadBackup['kind'] = 'damaged') {
    super(`This is not a whole backup of the institute: ${why}. Nothing was changed.`)
    this.name = 'BadBackup'
    this.why = why
    this.kind = kind
  }
}

export const MANIFEST = 'backup.json'
/** The archive's folder that holds the files of the data directory, under the same relative paths. */
export const CONTENT = 'data'

const Manifest = v.object({
  format: v.literal(1),
  /** Version of the program that made the backup. */
  version: v.string(),
  createdAt: v.string(),
  /** They help people to choose a backup. A backup of an earlier version has none. */
  figures: v.optional(
    v.object({
      institute: v.nullable(v.string()),
      students: v.nullable(v.number()),
      guardians: v.optional(v.nullable(v.number()), null),
      staff: v.optional(v.nullable(v.number()), null),
      invoices: v.optional(v.nullable(v.number()), null),
      payments: v.optional(v.nullable(v.number()), null),
      lastChangeAt: v.optional(v.nullable(v.string()), null),
    }),
  ),
  files: v.array(
    v.object({ path: v.string(), size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)), sha256: v.string() }),
  ),
})
export type Manifest = v.InferOutput<typeof Manifest>
type Listed = Manifest['files'][number]

const MEGABYTE = 1024 * 1024
const BLOCK = 512
const CHUNK = 256 * 1024
/** Enough for a list of some hundred thousand files; the list is read into memory as a whole. */
const MANIFEST_BYTES = 64 * MEGABYTE
/**
 * The most that an archive adds to each file: tar headers (also those of folders) and the padding of the last block.
 */
const BYTES_OF_ENTRY = 4096

const sha256 = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/**
 * Lists every file under `folder`, sorted, by its relative path with `/`. Walks the folders itself, because `readdir`
 * has no recursive mode in the executable.
 */
const filesUnder = async (folder: string, prefix = ''): Promise<string[]> => {
  const names = (await readdir(path.join(folder, prefix))).toSorted()
  const found = await Promise.all(
    names.map(async (name) => {
      const inner = prefix === '' ? name : `${prefix}/${name}`
      return statSync(path.join(folder, inner)).isDirectory() ? filesUnder(folder, inner) : [inner]
    }),
  )
  return found.flat()
}

/** Lists the files under `folder` with their size and hash, for the manifest. */
export const inventory = async (folder: string): Promise<Listed[]> => {
  const files: Listed[] = []
  // One after another, because each hash reads the whole file.
  for (const name of await filesUnder(folder)) {
    const file = path.join(folder, name)
    files.push({ path: name, size: statSync(file).size, sha256: await sha256(file) })
  }
  return files
}

/** Packs the manifest and the content of `folder` into the open file `handle`, syncs it to the disk and closes it. */
export const pack = async (folder: string, handle: number): Promise<void> => {
  await pipeline(
    // The manifest comes first, so that unpacking knows what may follow.
    create({ gzip: true, portable: true, strict: true, cwd: folder }, [MANIFEST, CONTENT]),
    createWriteStream('', { fd: handle, flush: true }),
  )
}

/** Machine errors (disk full, no permission) are reported as they are; every other error means a bad archive. */
const isMachineError = (error: unknown): boolean =>
  ['ENOSPC', 'EACCES', 'EPERM', 'EIO', 'EROFS', 'EDQUOT', 'EMFILE'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )

const readableError = (error: unknown): Error =>
  error instanceof BadBackup || isMachineError(error) ? (error as Error) : new BadBackup('it is cut short or damaged')

const asBadBackup = (error: unknown): never => {
  throw readableError(error)
}

/**
 * Yields the bytes of an open file from its beginning, any number of times; a stream would close the file when its
 * reader stops early.
 */
const bytesOf = async function* (handle: number): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await promisify(read)(handle, Buffer.alloc(CHUNK), 0, CHUNK, position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

/** Reads the manifest at the beginning of the archive, and nothing after it. @throws BadBackup */
export const readManifest = async (handle: number): Promise<Manifest> => {
  let list: Buffer | undefined
  const take = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    let bytes = Buffer.alloc(0)
    let end = BLOCK
    for await (const chunk of chunks) {
      bytes = Buffer.concat([bytes, chunk])
      if (end === BLOCK && bytes.length >= BLOCK) {
        const { path: name, type, size = 0 } = new Header(bytes)
        if (name !== MANIFEST || type !== 'File')
          throw new BadBackup('it does not begin with a list of what it holds', 'another')
        if (size > MANIFEST_BYTES) throw new BadBackup('it lists more than any institute has')
        end += size
      }
      if (end === BLOCK || bytes.length < end) continue
      list = bytes.subarray(BLOCK, end)
      return
    }
  }
  await pipeline(bytesOf(handle), createGunzip(), take).catch((error: unknown) => {
    // We stop reading after the manifest, which the streams before it report as an error: ignore that one.
    if (!list) asBadBackup(error)
  })
  if (!list) throw new BadBackup('it is cut short or damaged')
  let json: unknown
  try {
    json = JSON.parse(list.toString())
  } catch {
    throw new BadBackup('its list of what it holds cannot be read')
  }
  const parsed = v.safeParse(Manifest, json)
  if (!parsed.success) throw new BadBackup('it is of a kind that this version does not know', 'newer')
  const foreign = parsed.output.files.find((file) => !isHeld(file.path))
  if (foreign) throw new BadBackup(`it holds something that does not belong there (${foreign.path})`)
  return parsed.output
}

/** Whether a backup of ours can hold a file of that name. */
const isHeld = (name: string): boolean => {
  const [top = '', ...inner] = name.split('/')
  return (top === DATABASE || isCopied(top)) && !inner.some((part) => ['', '.', '..'].includes(part))
}

const bytesIn = ({ files }: Manifest): number => files.reduce((sum, { size }) => sum + size, 0)

/** Accepts the files that the manifest lists, each once, and stops at anything else. */
class ManifestGuard {
  readonly #left: Map<string, Listed>
  readonly #most: number
  #refused: BadBackup | undefined

  constructor(manifest: Manifest) {
    this.#left = new Map(manifest.files.map((file) => [`${CONTENT}/${file.path}`, file]))
    this.#most = bytesIn(manifest) + manifest.files.length * BYTES_OF_ENTRY + MANIFEST_BYTES
  }

  /**
   * Returns the manifest's entry for a listed file, undefined for anything to skip. Folders need no entry of their own.
   */
  accept(name: string, { type, size }: Pick<ReadEntry, 'type' | 'size'>): Listed | undefined {
    const isFolder = type === 'Directory' && `${name}/`.startsWith(`${CONTENT}/`)
    if (this.#refused || isFolder || (name === MANIFEST && type === 'File')) return undefined
    const listed = this.#left.get(name)
    if (!listed || type !== 'File') {
      this.refuse(`it holds something that does not belong there (${name})`)
    } else if (listed.size !== size) {
      this.refuse(`${listed.path} is damaged in it`)
    } else {
      this.#left.delete(name)
      return listed
    }
    return undefined
  }

  refuse(why: string): void {
    this.#refused ??= new BadBackup(why)
  }

  /** Passes unpacked bytes on until something is refused, or there are more bytes than the manifest accounts for. */
  async *limit(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > this.#most) this.refuse('it unpacks to more than it lists')
      this.#check()
      yield chunk
    }
  }

  /** @throws BadBackup unless every listed file was found */
  end(): void {
    this.#check()
    const [missing] = this.#left.values()
    if (missing) throw new BadBackup(`${missing.path} is missing in it`)
  }

  #check(): void {
    if (this.#refused) throw this.#refused
  }
}

/** Streams the archive in the open file `handle` through its guard into a tar reader. @throws BadBackup */
const readInto = async (handle: number, guard: ManifestGuard, reader: Parser): Promise<void> => {
  let failure: Error | undefined
  const closed = once(reader, 'close').catch((error: unknown) => {
    failure = readableError(error)
  })
  let hasEnded = false
  reader.on('eof', () => {
    hasEnded = true
  })
  const feed = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    let behind = 0
    for await (const chunk of guard.limit(chunks)) {
      if (hasEnded) {
        // Tar pads its last blocks with zeros; beyond 1 MB of it we refuse, because the reader would buffer whatever
        // follows.
        behind += chunk.length
        if (behind > MEGABYTE) throw new BadBackup('it goes on behind its end')
        continue
      }
      if (!reader.write(chunk)) await Promise.race([once(reader, 'drain'), closed])
      if (failure) throw failure
    }
    reader.end()
    await closed
    if (failure) throw failure
  }
  await pipeline(bytesOf(handle), createGunzip(), feed).catch(asBadBackup)
  guard.end()
}

/**
 * Reads the whole archive in the open file `handle` and checks every byte.
 * @param keep the files of it that are written beside, by their path in the data directory: none by default
 * @throws BadBackup
 */
export const verify = async (handle: number, keep: ReadonlyMap<string, string> = new Map()): Promise<Manifest> => {
  const manifest = await readManifest(handle)
  const guard = new ManifestGuard(manifest)
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const listed = guard.accept(entry.path, entry)
      if (!listed) {
        entry.resume()
        return
      }
      const hash = createHash('sha256')
      const kept = keep.get(listed.path)
      const copy = kept === undefined ? undefined : openSync(kept, 'w', 0o600)
      entry.on('data', (chunk) => {
        hash.update(chunk)
        if (copy !== undefined) writeSync(copy, chunk)
      })
      entry.on('end', () => {
        if (copy !== undefined) closeSync(copy)
        if (hash.digest('hex') !== listed.sha256) guard.refuse(`${listed.path} is damaged in it`)
      })
    },
  })
  await readInto(handle, guard, parser)
  return manifest
}

/** @throws NoRoom when the disk has less free space than the manifest asks for */
const assertRoom = async (manifest: Manifest, folder: string): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  const [bytes, room] = [bytesIn(manifest), bavail * bsize]
  if (bytes > room) {
    const megabytes = (count: number): string => `${Math.ceil(count / MEGABYTE)} MB`
    throw new NoRoom(
      `The backup holds ${megabytes(bytes)}, and there is room for ${megabytes(room)}. Nothing was changed.`,
    )
  }
}

/**
 * Unpacks the open file `handle` into the empty folder `folder` and checks every byte. Writes only files that the
 * manifest lists, and nothing at all when the disk lacks space for them.
 * @throws BadBackup, or an Error; `folder` may then hold some of the files
 */
export const unpack = async (handle: number, folder: string): Promise<Manifest> => {
  const manifest = await readManifest(handle)
  await assertRoom(manifest, folder)
  const guard = new ManifestGuard(manifest)
  const files = extract({
    cwd: folder,
    strict: true,
    noMtime: true,
    filter: (name, entry) => 'type' in entry && guard.accept(name, entry) !== undefined,
  })
  await readInto(handle, guard, files)
  for (const { path: name, size, sha256: expected } of manifest.files) {
    const file = path.join(folder, CONTENT, name)
    if (statSync(file).size !== size || (await sha256(file)) !== expected)
      throw new BadBackup(`${name} is damaged in it`)
  }
  return manifest
}
