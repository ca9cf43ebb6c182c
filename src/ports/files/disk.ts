import { randomUUID } from 'node:crypto'
import fs, { createWriteStream } from 'node:fs'
import { copyFile, link, lstat, mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { moveFile, syncFolder } from '#executable/to-disk.ts'
import { StorageProblem } from '#kernel/values/errors.ts'
import type { ByteRange } from '#kernel/values/media.ts'
import {
  isKey,
  NoSuchFile,
  partsOf,
  WrongSize,
  type Area,
  type FileStore,
  type StoredFile,
  type StoredKey,
} from './port.ts'

/** Backups skip a folder whose name begins with a dot: it holds unfinished work, or what can be made again. */
const FOLDERS: Readonly<Record<Area, string>> = { uploads: '.uploads', objects: 'objects', exports: '.exports' }
const UNFINISHED = '.unfinished'

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'the disk is read-only',
  EACCES: 'the folder of the files may not be written',
  EPERM: 'the folder of the files may not be written',
  EIO: 'the disk fails',
}

/** Free space that must remain for the database on the same disk: on a full disk it could accept no changes. */
const MIN_FREE_BYTES = 200 * 1024 * 1024

const writePart = promisify(fs.write)
const sync = promisify(fs.fsync)
const syncData = promisify(fs.fdatasync)

/** The bytes that are written between two syncs of a long file. */
const STEP_BYTES = 8 * 1024 * 1024

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

const asStorageProblem = (error: unknown): never => {
  const reason = REASONS[codeOf(error)]
  throw reason === undefined ? error : new StorageProblem(reason, { cause: error })
}

/** Creates a folder and its parents, with access for the owner only. */
const makeFolder = async (folder: string): Promise<void> => {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) await syncFolder(path.dirname(made))
}

/** @throws StorageProblem when too little space would remain after `size` more bytes */
const assertRoom = async (folder: string, size: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize - size < MIN_FREE_BYTES) throw new StorageProblem('the disk is nearly full')
}

/**
 * Writes a stream of unknown size to an open file, and syncs it step by step: one sync of everything at the end would
 * hold up the commits of the database on the same disk.
 * @param beforeStep checks that so many more bytes may be written
 * @throws whatever `beforeStep` and the stream throw
 */
export const writeInSteps = async (
  file: number,
  body: AsyncIterable<Uint8Array>,
  beforeStep: (bytes: number) => Promise<void> | void,
): Promise<void> => {
  let unsynced = STEP_BYTES
  for await (const chunk of body) {
    if (unsynced >= STEP_BYTES) {
      await beforeStep(STEP_BYTES)
      await syncData(file)
      unsynced = 0
    }
    for (let written = 0; written < chunk.length;) {
      written += (await writePart(file, chunk, written)).bytesWritten
    }
    unsynced += chunk.length
  }
  await sync(file)
}

/** Passes a stream through. Fails unless it has exactly `size` bytes. */
const exactly = (size: number): Transform => {
  let left = size
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      left -= chunk.length
      if (left < 0) done(new WrongSize())
      else done(null, chunk)
    },
    flush: (done) => done(left === 0 ? null : new WrongSize()),
  })
}

/**
 * Stores files in a folder (mode 0700, files 0600). A file is written under a temporary name, synced and then renamed,
 * and its folder is synced. After a kill or a power cut, the file is there completely or not at all.
 */
export class DiskFiles implements FileStore {
  readonly home = 'disk'
  readonly #root: string

  /** @param root the folder; it is created when it is needed */
  constructor(root: string) {
    this.#root = root
  }

  async put(key: StoredKey, body: AsyncIterable<Uint8Array>, size?: number): Promise<void> {
    await this.#writeAtomically(key, async (draft) => {
      const assertRoomFor = (bytes: number): Promise<void> => assertRoom(path.dirname(draft), bytes)
      if (size === undefined) {
        await using handle = await open(draft, 'wx', 0o600)
        await writeInSteps(handle.fd, body, assertRoomFor)
        return
      }
      await assertRoomFor(size)
      await pipeline(body, exactly(size), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
    })
  }

  async copy(from: StoredKey, to: StoredKey): Promise<void> {
    const source = this.#pathOf(from)
    try {
      await this.#writeAtomically(to, (draft) => this.#link(source, draft))
    } catch (error) {
      if (codeOf(error) === 'ENOENT' && (await this.size(from)) === undefined) throw new NoSuchFile(from)
      throw error
    }
  }

  async open(key: StoredKey, range?: ByteRange): Promise<Readable> {
    const handle = await open(this.#pathOf(key), 'r').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') throw new NoSuchFile(key)
      return asStorageProblem(error)
    })
    return handle.createReadStream({ ...range, highWaterMark: 256 * 1024 })
  }

  async size(key: StoredKey): Promise<number | undefined> {
    try {
      return (await stat(this.#pathOf(key))).size
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      return asStorageProblem(error)
    }
  }

  async remove(key: StoredKey): Promise<void> {
    const place = this.#pathOf(key)
    try {
      await rm(place)
      await syncFolder(path.dirname(place))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') asStorageProblem(error)
    }
  }

  async *list(area: Area, of?: string): AsyncGenerator<StoredFile> {
    const folder = path.join(this.#root, FOLDERS[area])
    for (const institute of of === undefined ? await namesIn(folder) : [of]) {
      for (const shard of await namesIn(path.join(folder, institute))) {
        for (const id of await namesIn(path.join(folder, institute, shard))) {
          const found = await lstat(path.join(folder, institute, shard, id)).catch(() => undefined)
          // Skip files whose names do not have our form: somebody else put them there.
          if (found?.isFile() && shard === shardOf(id) && isKey(`${area}/${institute}/${id}`)) {
            yield { key: `${area}/${institute}/${id}`, size: found.size, writtenAt: found.mtime.toISOString() }
          }
        }
      }
    }
  }

  async sweepUnfinished(before: string): Promise<void> {
    const folder = path.join(this.#root, UNFINISHED)
    for (const name of await namesIn(folder)) {
      const file = path.join(folder, name)
      const found = await lstat(file).catch(() => undefined)
      if (found && found.mtime.toISOString() < before) await rm(file, { force: true })
    }
  }

  async discardUnfinished(key: StoredKey): Promise<void> {
    const folder = path.join(this.#root, UNFINISHED)
    const { id } = partsOf(key)
    for (const name of await namesIn(folder)) {
      if (name.startsWith(`${id}.`)) await rm(path.join(folder, name), { force: true })
    }
  }

  address(): undefined {}

  async close(): Promise<void> {}

  #pathOf(key: StoredKey): string {
    const { area, institute, id } = partsOf(key)
    return path.join(this.#root, FOLDERS[area], institute, shardOf(id), id)
  }

  /** Lets `write` create a temporary file, then gives it the name of the key. */
  async #writeAtomically(key: StoredKey, write: (draft: string) => Promise<void>): Promise<void> {
    const place = this.#pathOf(key)
    const unfinished = path.join(this.#root, UNFINISHED)
    const draft = path.join(unfinished, `${partsOf(key).id}.${randomUUID()}`)
    try {
      await makeFolder(unfinished)
      await makeFolder(path.dirname(place))
      await write(draft)
      await moveFile(draft, place)
      await syncFolder(path.dirname(place))
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      asStorageProblem(error)
    }
  }

  /**
   * Uses a hard link where the disk supports it, so that no bytes are copied. Files are never modified in place, so
   * neither name affects the other.
   */
  async #link(from: string, to: string): Promise<void> {
    try {
      await link(from, to)
    } catch (error) {
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(codeOf(error))) throw error
      await copyFile(from, to)
      const handle = await open(to, 'r+')
      try {
        await handle.chmod(0o600)
        await handle.sync()
      } finally {
        await handle.close()
      }
    }
  }
}

/** The files of an institute are spread over 256 folders: one folder for all would be slow to list and to search. */
const shardOf = (id: string): string => id.slice(-2)

/** The names in a folder; empty if it does not exist or is not a folder. */
const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return []
    return asStorageProblem(error)
  }
}
