import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { BACKUPS } from './layout.ts'

/** Prefix of the temporary folder, among the backups, in which a backup is assembled. */
export const WORK = '.making-'
/** Suffix of an archive that is not complete yet. */
export const PARTIAL = '.partial'

const ABANDONED_AFTER_MILLIS = 24 * 3600 * 1000

const isAbandoned = (file: string, now: number): boolean =>
  now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now) > ABANDONED_AFTER_MILLIS

/** Removes what a killed backup left behind. A backup that is still running is younger than the limit. */
export const sweepAbandoned = (folder: string, now: number): void => {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    if ((name.startsWith(WORK) || name.endsWith(PARTIAL)) && isAbandoned(file, now)) {
      rmSync(file, { recursive: true, force: true })
    }
  }
}

/**
 * Whether a backup of this data directory is running. A backup that was killed within the last day counts as running,
 * because the two look the same.
 */
export const isBackingUp = (dataDir: string, now: number): boolean => {
  const folder = path.join(dataDir, BACKUPS)
  return (
    existsSync(folder) &&
    readdirSync(folder).some((name) => name.startsWith(WORK) && !isAbandoned(path.join(folder, name), now))
  )
}
