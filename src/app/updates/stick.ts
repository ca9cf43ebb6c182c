import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar'
import { makeFolders } from '#app/data-dir/make-folders.ts'
import { LARGEST_RELEASE, UPDATE_CHANNELS, type ReleaseFile, type UpdateChannel } from './manifest.ts'
import { UpdateRefused } from './refused.ts'
import { noRoom } from './room.ts'
import { assertFile, failedBy, folderSource, LONGEST_PAPER, type Source } from './source.ts'

/** What stays free for the institute's own work while a file is received. */
const RESERVE_BYTES = 256 * 1024 * 1024

/** What the vendor's folder holds; a tar file may name it `./stable/manifest.json`. */
const OF_THE_VENDOR = /^(?:\.\/)*(?:(?:(?:stable|early)\/manifest|keys\/\d{1,9})\.json|files\/\w[\w.-]{0,200})$/

/** The reader of tar files says little more than that it could not go on. */
const refusedBy = (error: unknown): unknown => {
  const { code = '', message, tarCode } = error as NodeJS.ErrnoException & { tarCode?: string }
  if (code === 'Z_BUF_ERROR' || message.includes('Truncated input'))
    return new UpdateRefused('file_incomplete', message)
  if (code.startsWith('TAR_') || code.startsWith('Z_')) return new UpdateRefused('not_an_update', message)
  return tarCode === undefined ? error : failedBy(error)
}

/**
 * Unpacks a tar file of the vendor's folder: of what else is in it nothing is written, and no more than there is room for.
 * @param room bytes
 * @throws UpdateRefused, or what `bytes` throws; `folder` may then hold some of it
 */
export const unpackStick = async (bytes: AsyncIterable<Uint8Array>, folder: string, room: number): Promise<void> => {
  const tooMuch = new AbortController()
  let left = room
  const files = extract({
    cwd: folder,
    strict: true,
    noMtime: true,
    dmode: 0o700,
    filter: (name, entry) => {
      if (!('type' in entry) || !['File', 'OldFile', 'ContiguousFile'].includes(entry.type)) return false
      const isTaken =
        OF_THE_VENDOR.test(name) && entry.size <= (name.endsWith('.json') ? LONGEST_PAPER : LARGEST_RELEASE)
      if (!isTaken) return false
      left -= entry.size
      if (left < 0) tooMuch.abort(noRoom(folder, room - left + RESERVE_BYTES, room + RESERVE_BYTES))
      entry.mode = 0o600
      return left >= 0
    },
  })
  try {
    // Not the bytes themselves: a pipeline from them does not see that this reader has ended.
    await pipeline(Readable.from(bytes), files, { signal: tooMuch.signal })
  } catch (error) {
    tooMuch.signal.throwIfAborted()
    throw refusedBy(error)
  }
}

/** The vendor's folder as it came on a stick. @throws UpdateRefused where it is none, or holds another list */
export const stickSource = (folder: string, channel: UpdateChannel): Source => {
  const listed = UPDATE_CHANNELS.filter((one) => existsSync(path.join(folder, one, 'manifest.json')))
  if (listed[0] === undefined) throw new UpdateRefused('not_an_update', 'there is no stable/manifest.json in it')
  if (!listed.includes(channel)) throw new UpdateRefused('wrong_channel', listed[0])
  return folderSource(folder)
}

/** @throws UpdateRefused unless the file that the list names is there, whole, and the one that was signed */
export const assertOnStick = async (folder: string, file: ReleaseFile): Promise<void> => {
  const name = path.join(folder, file.url)
  if (!existsSync(name)) throw new UpdateRefused('no_file', file.url)
  await assertFile(name, file)
}

/** Where what a browser sends from a stick lies until it is put in; backups leave the folder out. */
export class Stick {
  readonly folder: string
  readonly #dataDir: string
  readonly #free: (folder: string) => Promise<number>

  constructor(dataDir: string, free: (folder: string) => Promise<number>) {
    this.#dataDir = dataDir
    this.#free = free
    this.folder = path.join(dataDir, '.update-from')
  }

  get isThere(): boolean {
    return existsSync(this.folder)
  }

  /** Takes a tar file of the vendor's folder. @throws UpdateRefused, or what `bytes` throws; nothing is left of it then */
  async receive(bytes: AsyncIterable<Uint8Array>, length: number): Promise<void> {
    this.remove()
    const room = (await this.#free(this.#dataDir)) - RESERVE_BYTES
    if (length > room) throw noRoom(this.#dataDir, length + RESERVE_BYTES, room + RESERVE_BYTES)
    makeFolders(this.folder)
    try {
      await unpackStick(bytes, this.folder, room)
    } catch (error) {
      this.remove()
      throw error
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
