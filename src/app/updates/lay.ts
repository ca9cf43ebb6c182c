import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { moveFile, syncToDisk } from '#executable/to-disk.ts'
import { replaceFile } from '#app/config/replace-file.ts'
import type { Envelope } from './envelope.ts'
import type { Offer } from './manifest.ts'
import { stagedIn } from './places.ts'
import { isFull, assertRoomFor } from './room.ts'
import { UpdateRefused } from './refused.ts'
import { fetchFile, type Source } from './source.ts'

interface Laying {
  dataDir: string
  offer: Offer
  /** What the updater reads anew. */
  envelope: Envelope
  chain: readonly Envelope[]
  /** Bytes that are free on the disk of a folder. */
  free(folder: string): Promise<number>
  signal: AbortSignal
}

/**
 * Gets a release, going on with what came of it before, and lays it and its papers for the updater. Where the disk is full,
 * nothing of it stays: the institute itself has to write.
 * @throws UpdateRefused, or the system's error
 */
export const layRelease = async (
  source: Source,
  { dataDir, offer: { file }, envelope, chain, free, signal }: Laying,
): Promise<void> => {
  const staged = stagedIn(dataDir)
  try {
    await mkdir(staged.folder, { recursive: true, mode: 0o700 })
    const part = `${file.sha256}.part`
    for (const name of await readdir(staged.folder)) {
      if (name !== part) await rm(path.join(staged.folder, name), { recursive: true, force: true })
    }
    await assertRoomFor(staged.folder, file.size, free)
    const coming = path.join(staged.folder, part)
    await fetchFile(source, file, coming, signal)
    syncToDisk(coming)
    await moveFile(coming, staged.release)
    replaceFile(staged.manifest, JSON.stringify(envelope))
    replaceFile(staged.keys, JSON.stringify(chain))
    syncToDisk(staged.folder)
  } catch (error) {
    if (!isFull(error) && !(error instanceof UpdateRefused && error.reason === 'disk_full')) throw error
    await rm(staged.folder, { recursive: true, force: true })
    // With what came of it gone, it says how much is missing.
    await assertRoomFor(dataDir, file.size)
    throw error
  }
}
