import { closeSync, openSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { moveFileNow, syncToDisk } from '#executable/to-disk.ts'
import { writeInSteps } from '#ports/files/disk.ts'
import { RESERVE_BYTES } from '#app/backup/free-space.ts'
import { assertFolderOf, assertNew, placeIn, type FileKind } from '#app/backup/output-file.ts'
import { asCaller } from '#app/data-dir/owner.ts'
import { PARTIAL } from '#app/data-dir/unfinished.ts'

/** A full disk would stop the institute, if its data are on the same one. @throws an Error */
const assertRoom = (folder: string, what: FileKind, bytes: number): void => {
  const { bavail, bsize } = asCaller(() => statfsSync(folder))
  if (bavail * bsize >= bytes + RESERVE_BYTES) return
  throw new Error(`There is no room for the ${what} on the disk of ${folder}: make room, or name another with --to.`)
}

const discard = (partial: string): void => asCaller(() => rmSync(partial, { force: true }))

/** Runs `work`. When a signal ends the program meanwhile, no part of the file is left. */
const interruptible = async (file: string, work: () => Promise<void>): Promise<void> => {
  const interrupted = (): void => {
    discard(file + PARTIAL)
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted)
  try {
    await work()
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupted)
  }
}

/** Writes the file beside its place, and gives it its name when it is complete. It is readable by its owner only. */
const writeWhole = async (file: string, what: FileKind, content: AsyncIterable<Uint8Array>): Promise<void> => {
  const partial = file + PARTIAL
  const folder = path.dirname(file)
  const handle = asCaller(() => {
    rmSync(partial, { force: true })
    return openSync(partial, 'wx', 0o600)
  })
  try {
    try {
      await writeInSteps(handle, content, (bytes) => assertRoom(folder, what, bytes))
    } finally {
      closeSync(handle)
    }
    asCaller(() => {
      moveFileNow(partial, file)
      syncToDisk(folder)
    })
  } catch (error) {
    discard(partial)
    throw error
  }
}

export interface OutputTarget {
  /** A file or a folder, reached with the rights of whoever runs the command. */
  to: string
  /** Overwrites a file that is there. */
  force: boolean
}

/**
 * Writes what a command makes to where it was told.
 * @param wanted `name` is what the file is called in a folder
 * @param open begins the content, once it is sure that it can be written
 * @returns the path of the file
 * @throws an Error that says what is wrong, a Mistake for a wrong place; then no file is left
 */
export const writeOut = async (
  { to, force, what, name }: OutputTarget & { what: FileKind; name: string },
  open: () => AsyncIterable<Uint8Array>,
): Promise<string> => {
  const file = asCaller(() => placeIn(to, name))
  await interruptible(file, async () => {
    asCaller(() => {
      // This writes and removes a file, to see whether it may.
      assertFolderOf(file, { given: to, what })
      if (!force) assertNew(file)
    })
    await writeWhole(file, what, open())
  })
  return file
}
