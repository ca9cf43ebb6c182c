import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { Mistake } from '../mistake.ts'
import { PARTIAL } from './unfinished.ts'

/**
 * Checks before a backup is made that it can be written to the place that `--to` names.
 * @param file the path of the backup
 * @param given the value of `--to`; with `/` at its end it names a folder
 * @throws a Mistake where the folder is missing, or the system's error where nothing can be written there
 */
export const assertFolderOf = (file: string, given: string): void => {
  const folder = given.endsWith('/') ? path.resolve(given) : path.dirname(file)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (given.endsWith('/') && found?.isFile()) throw new Mistake(`${folder} is a file, and no folder for a backup.`)
  if (!found) {
    throw new Mistake(
      `There is no folder ${folder} for the backup: make it (mkdir -p ${folder}), or name another with --to.`,
    )
  }
  const partial = `${file}${PARTIAL}`
  closeSync(openSync(partial, 'w', 0o600))
  rmSync(partial)
}
