import { createWriteStream, openSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { moveFileNow, syncToDisk } from '#executable/to-disk.ts'
import { PARTIAL } from '#app/data-dir/unfinished.ts'

/**
 * Writes a file that only its owner may read, and that gets its name when it is whole and on the disk. One of this name is
 * replaced. @throws what `bytes` or the system throws; then nothing is left of it
 */
export const writeWhole = async (bytes: AsyncIterable<Uint8Array>, file: string): Promise<void> => {
  const partial = `${file}${PARTIAL}`
  try {
    const handle = openSync(partial, 'w', 0o600)
    await pipeline(bytes, createWriteStream('', { fd: handle, flush: true }))
    moveFileNow(partial, file)
    syncToDisk(path.dirname(file))
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}
