import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, read, statSync } from 'node:fs'
import { readdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip } from 'node:zlib'
import { create, extract, Header, Parser, type ReadEntry } from 'tar'
import * as v from 'valibot'
import { DATABASE, isCopied } from './layout.ts'

/** A file that is no backup, or a damaged one; nothing was changed. */
export class BadBackup extends Error {
  readonly why: string

  constructor(why: string) {
    super(`This is not a whole backup of the institute: ${why}. Nothing was changed.`)
    this.name = 'BadBackup'
    this.why = why
  }
}

export const MANIFEST = 'backup.json'
/** The folder of the archive in which everything lies as it lay in the data directory. */
export const CONTENT = 'data'

const Manifest = v.object({
  format: v.literal(1),
  /** The program that made it. */
  version: v.string(),
  createdAt: v.string(),
  files: v.array(
    v.object({ path: v.string(), size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)), sha256: v.string() }),
  ),
})
export type Manifest = v.InferOutput<typeof Manifest>
type Listed = Manifest['files'][number]

const MEGABYTE = 1024 * 1024
const BLOCK = 512
const CHUNK = 256 * 1024
/** The list of some hundred thousand files; it is read whole. */
const MANIFEST_BYTES = 64 * MEGABYTE
/** What an archive holds beside the bytes of a file: its headers, those of folders, and what fills its last block up. */
const BYTES_OF_ENTRY = 4096

const sha256 = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Every file under `folder`, by its path there with `/`, in order. Done by hand: the executable has no recursive readdir. */
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

/** Lists what lies under `folder`, for the manifest. */
export const inventory = async (folder: string): Promise<Listed[]> => {
  const files: Listed[] = []
  // One after another: a hash reads the whole file.
  for (const name of await filesUnder(folder)) {
    const file = path.join(folder, name)
    files.push({ path: name, size: statSync(file).size, sha256: await sha256(file) })
  }
  return files
}

/** Packs manifest and content, which lie in `folder`, into the open file `handle`; it is on the disk then, and closed. */
export const pack = async (folder: string, handle: number): Promise<void> => {
  await pipeline(
    // The manifest comes first: whoever unpacks knows from it what may follow.
    create({ gzip: true, portable: true, strict: true, cwd: folder }, [MANIFEST, CONTENT]),
    createWriteStream('', { fd: handle, flush: true }),
  )
}

/** Errors of the machine (disk full, no permission) are told as they are; all others are the archive's. */
const isOfMachine = (error: unknown): boolean =>
  ['ENOSPC', 'EACCES', 'EPERM', 'EIO', 'EROFS', 'EDQUOT', 'EMFILE'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )

const toldOf = (error: unknown): Error =>
  error instanceof BadBackup || isOfMachine(error) ? (error as Error) : new BadBackup('it is cut short or damaged')

const asBadBackup = (error: unknown): never => {
  throw toldOf(error)
}

/** The bytes of an open file from its beginning, however often; a stream would close it when it is left early. */
const bytesOf = async function* (handle: number): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await promisify(read)(handle, Buffer.alloc(CHUNK), 0, CHUNK, position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

/** Reads the list with which the archive begins, and nothing behind it. */
const readManifest = async (handle: number): Promise<Manifest> => {
  let list: Buffer | undefined
  const take = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    let bytes = Buffer.alloc(0)
    let end = BLOCK
    for await (const chunk of chunks) {
      bytes = Buffer.concat([bytes, chunk])
      if (end === BLOCK && bytes.length >= BLOCK) {
        const { path: name, type, size = 0 } = new Header(bytes)
        if (name !== MANIFEST || type !== 'File') throw new BadBackup('it does not begin with a list of what it holds')
        if (size > MANIFEST_BYTES) throw new BadBackup('it lists more than any institute has')
        end += size
      }
      if (end === BLOCK || bytes.length < end) continue
      list = bytes.subarray(BLOCK, end)
      return
    }
  }
  await pipeline(bytesOf(handle), createGunzip(), take).catch((error: unknown) => {
    // What lies behind the list is left unread, which those before it take for an error.
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
  if (!parsed.success) throw new BadBackup('it is of a kind that this version does not know')
  const foreign = parsed.output.files.find((file) => !isHeld(file.path))
  if (foreign) throw new BadBackup(`it holds something that does not belong there (${foreign.path})`)
  return parsed.output
}

/** Whether a backup of ours holds something of that name. */
const isHeld = (name: string): boolean => {
  const [top = '', ...inner] = name.split('/')
  return (top === DATABASE || isCopied(top)) && !inner.some((part) => ['', '.', '..'].includes(part))
}

const bytesIn = ({ files }: Manifest): number => files.reduce((sum, { size }) => sum + size, 0)

/** Lets through the listed files of an archive, each once, and stops at anything else. */
class Admission {
  readonly #left: Map<string, Listed>
  readonly #most: number
  #refused: BadBackup | undefined

  constructor(manifest: Manifest) {
    this.#left = new Map(manifest.files.map((file) => [`${CONTENT}/${file.path}`, file]))
    this.#most = bytesIn(manifest) + manifest.files.length * BYTES_OF_ENTRY + MANIFEST_BYTES
  }

  /** Whether an entry is a file that is listed. Folders need no entry of their own. */
  admits(name: string, { type, size }: Pick<ReadEntry, 'type' | 'size'>): Listed | undefined {
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

  /** Passes on what is unpacked until something was refused, or there is more of it than the list can account for. */
  async *limit(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > this.#most) this.refuse('it unpacks to more than it lists')
      this.#check()
      yield chunk
    }
  }

  /** @throws BadBackup unless every listed file came */
  end(): void {
    this.#check()
    const [missing] = this.#left.values()
    if (missing) throw new BadBackup(`${missing.path} is missing in it`)
  }

  #check(): void {
    if (this.#refused) throw this.#refused
  }
}

/** Leads the archive in the open file `handle` through its admission into a reader of tar. @throws BadBackup */
const readInto = async (handle: number, admission: Admission, reader: Parser): Promise<void> => {
  let failure: Error | undefined
  const closed = once(reader, 'close').catch((error: unknown) => {
    failure = toldOf(error)
  })
  let hasEnded = false
  reader.on('eof', () => {
    hasEnded = true
  })
  const feed = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    let behind = 0
    for await (const chunk of admission.limit(chunks)) {
      if (hasEnded) {
        // Tar fills its last blocks up; the reader would gather whatever else there is.
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
  admission.end()
}

/** Reads the archive in the open file `handle` to its end, and checks every byte of it. @throws BadBackup */
export const verify = async (handle: number): Promise<void> => {
  const admission = new Admission(await readManifest(handle))
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const listed = admission.admits(entry.path, entry)
      if (!listed) {
        entry.resume()
        return
      }
      const hash = createHash('sha256')
      entry.on('data', (chunk) => void hash.update(chunk))
      entry.on('end', () => {
        if (hash.digest('hex') !== listed.sha256) admission.refuse(`${listed.path} is damaged in it`)
      })
    },
  })
  await readInto(handle, admission, parser)
}

/** @throws an Error when the disk has no room for what a backup says that it holds */
const assertRoom = async (manifest: Manifest, folder: string): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  const [bytes, room] = [bytesIn(manifest), bavail * bsize]
  if (bytes > room) {
    const megabytes = (count: number): string => `${Math.ceil(count / MEGABYTE)} MB`
    throw new Error(
      `The backup holds ${megabytes(bytes)}, and there is room for ${megabytes(room)}. Nothing was changed.`,
    )
  }
}

/**
 * Unpacks the open file `handle` into the empty folder `folder` and checks every byte of it. Nothing is written that the
 * archive does not list, and nothing at all where the disk has no room for what it lists.
 * @throws BadBackup, or an Error; then `folder` may hold parts
 */
export const unpack = async (handle: number, folder: string): Promise<Manifest> => {
  const manifest = await readManifest(handle)
  await assertRoom(manifest, folder)
  const admission = new Admission(manifest)
  const files = extract({
    cwd: folder,
    strict: true,
    noMtime: true,
    filter: (name, entry) => 'type' in entry && admission.admits(name, entry) !== undefined,
  })
  await readInto(handle, admission, files)
  for (const { path: name, size, sha256: expected } of manifest.files) {
    const file = path.join(folder, CONTENT, name)
    if (statSync(file).size !== size || (await sha256(file)) !== expected)
      throw new BadBackup(`${name} is damaged in it`)
  }
  return manifest
}
