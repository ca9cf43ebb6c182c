import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { openLockFile } from '#db/sqlite/sqlite.ts'
import { makeFolders } from './make-folders.ts'
import { BACKUPS } from './layout.ts'

/** Prefix of the temporary folder, among the backups, in which a backup is assembled. */
const WORK = '.making-'
/** The file in that folder which the process that makes the backup keeps locked. */
const HELD = 'held'
/** Suffix of an archive that is not complete yet. */
export const PARTIAL = '.partial'

/** A folder without a lock was begun this moment, or its maker was killed before it had one. */
const UNLOCKED_MILLIS = 60_000
const PARTIAL_MILLIS = 24 * 3600 * 1000

/** A folder to make one backup in. */
export interface Work {
  folder: string
  /** Removes it, with all that is in it. */
  end(): void
}

/** Makes the folder. Its lock ends with this process, however that ends, and tells others that it is in use. */
export const beginWork = (backups: string): Work => {
  const folder = path.join(backups, `${WORK}${randomUUID()}`)
  makeFolders(folder)
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const release = lock(folder, remove)
  const end = (): void => {
    release()
    remove()
  }
  // The process that makes nightly backups ends with its parent, wherever it is in its work.
  process.once('exit', end)
  return {
    folder,
    end: () => {
      process.off('exit', end)
      end()
    },
  }
}

const lock = (folder: string, remove: () => void): (() => void) => {
  try {
    const release = openLockFile(path.join(folder, HELD))
    // A process that checks the folder before it is locked takes it for abandoned, and holds the lock for a moment.
    if (!release) throw new Error('Another backup was begun at the same moment: try again.')
    return release
  } catch (error) {
    remove()
    throw error
  }
}

const isOlder = (millis: number, file: string, now: number): boolean =>
  now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now) > millis

/** Whether nobody works in it any more. */
const isAbandoned = (folder: string, now: number): boolean => {
  const held = path.join(folder, HELD)
  if (!existsSync(held)) return isOlder(UNLOCKED_MILLIS, folder, now)
  const release = openLockFile(held)
  release?.()
  return release !== undefined
}

/** Removes what backups that were killed left behind, and nothing of a backup that is being made. */
export const sweepAbandoned = (backups: string, now: number): void => {
  if (!existsSync(backups)) return
  for (const name of readdirSync(backups)) {
    const file = path.join(backups, name)
    const isLeft = name.startsWith(WORK)
      ? isAbandoned(file, now)
      : name.endsWith(PARTIAL) && isOlder(PARTIAL_MILLIS, file, now)
    if (isLeft) rmSync(file, { recursive: true, force: true })
  }
}

/** Whether a backup of a data directory is being made. */
export const isBackingUp = (dataDir: string, now: number): boolean => {
  const backups = path.join(dataDir, BACKUPS)
  return (
    existsSync(backups) &&
    readdirSync(backups).some((name) => name.startsWith(WORK) && !isAbandoned(path.join(backups, name), now))
  )
}
