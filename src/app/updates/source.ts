import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Outbound } from '#ports/outbound/port.ts'
import type { ReleaseFile } from './manifest.ts'
import { UpdateRefused } from './refused.ts'
import { isFull } from './room.ts'

/** Papers are short; a longer one is none. */
export const LONGEST_PAPER = 512 * 1024

/** What the vendor publishes: papers, and the files that they name. */
export interface Source {
  /** @returns undefined: there is none of this name @throws UpdateRefused */
  read(name: string): Promise<Buffer | undefined>
  /** Gets the bytes of a file, going on from what was there already. @throws UpdateRefused */
  take(file: ReleaseFile, to: string, signal: AbortSignal): Promise<void>
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** A folder with the same files, such as a stick. */
export const folderSource = (folder: string): Source => ({
  read: async (name) => {
    try {
      const file = path.join(folder, name)
      if ((await stat(file)).size > LONGEST_PAPER) throw new UpdateRefused('malformed', 'too long')
      return await readFile(file)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error instanceof UpdateRefused ? error : new UpdateRefused('unreachable', (error as Error).message)
    }
  },
  take: async ({ url }, to) => {
    try {
      await copyFile(path.join(folder, url), to, constants.COPYFILE_FICLONE)
    } catch (error) {
      throw isMissing(error) ? new UpdateRefused('no_file', url) : failedBy(error)
    }
  },
})

/** A full disk has a name of its own. */
export const failedBy = (error: unknown): UpdateRefused => {
  if (error instanceof UpdateRefused) return error
  return new UpdateRefused(isFull(error) ? 'disk_full' : 'unreachable', (error as Error).message)
}

/** The guarded client reads no longer answers than a megabyte: files come in pieces, which also go on where they were cut. */
const PIECE_BYTES = 512 * 1024
const DEADLINE_MILLIS = 60_000
const TRIES = 3

/** An http(s) address below which the files lie, on any server of static files that knows ranges. */
export const webSource = (base: string, outbound: Outbound): Source => {
  const root = base.replace(/\/+$/, '')
  const get = async (name: string, headers: Record<string, string>, maxResponseBytes: number) => {
    const answer = await outbound.get({
      url: `${root}/${name}`,
      headers,
      maxResponseBytes,
      deadlineMs: DEADLINE_MILLIS,
    })
    if (answer.status === null) throw new UpdateRefused('unreachable', answer.error)
    return answer
  }
  const piece = async ({ url, size }: ReleaseFile, from: number): Promise<Buffer> => {
    const bytes = Math.min(PIECE_BYTES, size - from)
    const answer = await get(url, { Range: `bytes=${from}-${from + bytes - 1}` }, bytes + 1)
    if (answer.status === 404 || answer.status === 410) throw new UpdateRefused('no_file', url)
    const isPart = answer.status === 206 || (answer.status === 200 && from === 0 && bytes === size)
    if (!isPart) throw new UpdateRefused('unreachable', `it answers a part of the file with ${answer.status}`)
    if (answer.body.length !== bytes)
      throw new UpdateRefused('file_incomplete', `${answer.body.length} of ${bytes} bytes`)
    return answer.body
  }
  const pieceAgain = async (file: ReleaseFile, from: number): Promise<Buffer> => {
    for (let left = TRIES - 1; ; left -= 1) {
      try {
        return await piece(file, from)
      } catch (error) {
        if (left === 0 || !(error instanceof UpdateRefused) || error.reason === 'no_file') throw error
      }
    }
  }
  return {
    read: async (name) => {
      const { ok, status, body, truncated } = await get(name, { 'Cache-Control': 'no-cache' }, LONGEST_PAPER)
      if (status === 404 || status === 410) return undefined
      if (!ok) throw new UpdateRefused('unreachable', `it answers ${status}`)
      if (truncated) throw new UpdateRefused('malformed', 'too long')
      return body
    },
    take: async (file, to, signal) => {
      try {
        const handle = await open(to, constants.O_RDWR | constants.O_CREAT, 0o600)
        try {
          let from = Math.min((await handle.stat()).size, file.size)
          while (from < file.size) {
            signal.throwIfAborted()
            const bytes = await pieceAgain(file, from)
            // On a disk that fills, less is written at first, and it says so the next time alone.
            from += (await handle.write(bytes, 0, bytes.length, from)).bytesWritten
          }
          await handle.truncate(file.size)
        } finally {
          await handle.close()
        }
      } catch (error) {
        throw failedBy(error)
      }
    },
  }
}

/** @param where an http(s) address, or a folder */
export const sourceOf = (where: string, outbound: Outbound): Source =>
  /^https?:\/\//i.test(where) ? webSource(where, outbound) : folderSource(where)

/** @throws UpdateRefused unless the file is whole, and the one that was signed */
export const assertFile = async (name: string, { size, sha256 }: ReleaseFile): Promise<void> => {
  const found = (await stat(name)).size
  if (found < size) throw new UpdateRefused('file_incomplete', `${found} of ${size} bytes`)
  const hash = createHash('sha256')
  for await (const piece of createReadStream(name)) hash.update(piece as Buffer)
  if (found > size || hash.digest('hex') !== sha256) throw new UpdateRefused('file_differs')
}

/** Gets a file whole, or not at all: what is not the one that was signed is thrown away. @throws UpdateRefused */
export const fetchFile = async (source: Source, file: ReleaseFile, to: string, signal: AbortSignal): Promise<void> => {
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
  await source.take(file, to, signal)
  try {
    await assertFile(to, file)
  } catch (error) {
    await rm(to, { force: true })
    throw error
  }
}
