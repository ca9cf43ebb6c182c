import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { BACKUPS } from './layout.ts'

/** Begins the name of the folder, among the backups, in which one is made. */
export const WORK = '.making-'
/** Ends the name of a file that is not whole yet. */
export const PARTIAL = '.partial'

const ABANDONED_AFTER_MILLIS = 24 * 3600 * 1000

const isAbandoned = (file: string, now: number): boolean =>
  now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now) > ABANDONED_AFTER_MILLIS

/** What a backup that was killed left behind; one that is under way is younger. */
export const sweepAbandoned = (folder: string, now: number): void => {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    if ((name.startsWith(WORK) || name.endsWith(PARTIAL)) && isAbandoned(file, now)) {
      rmSync(file, { recursive: true, force: true })
    }
  }
}

/** Whether a backup of a data directory is being made, or one was killed within a day: that cannot be told apart. */
export const isBackingUp = (dataDir: string, now: number): boolean => {
  const folder = path.join(dataDir, BACKUPS)
  return (
    existsSync(folder) &&
    readdirSync(folder).some((name) => name.startsWith(WORK) && !isAbandoned(path.join(folder, name), now))
  )
}
