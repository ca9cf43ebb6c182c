import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { Mistake } from '#app/trouble/mistake.ts'
import { PARTIAL } from '#app/data-dir/unfinished.ts'

const WHAT = { backup: 'a backup', export: 'an export', paper: 'a paper', 'refused rows': 'refused rows' }
export type FileKind = keyof typeof WHAT

/** The path of a new file; in a folder it gets a name of its own. @param given the value of `--to` */
export const placeIn = (given: string, name: string): string => {
  const to = path.resolve(given)
  return statSync(to, { throwIfNoEntry: false })?.isDirectory() ? path.join(to, name) : to
}

/** @throws an Error that says what to type */
export const assertNew = (file: string): void => {
  if (!existsSync(file)) return
  throw new Error(`${file} is there already, and was left as it is: name another file, or overwrite it with --force.`)
}

/**
 * Checks before a file is made that it can be written to the place that `--to` names.
 * @param file the path of the file
 * @param wanted `given` is the value of `--to`, which names a folder with `/` at its end; `what` the file is
 * @throws a Mistake where the folder is missing, or the system's error where nothing can be written there
 */
export const assertFolderOf = (file: string, { given, what }: { given: string; what: FileKind }): void => {
  const folder = given.endsWith('/') ? path.resolve(given) : path.dirname(file)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (given.endsWith('/') && found?.isFile()) throw new Mistake(`${folder} is a file, and no folder for ${WHAT[what]}.`)
  if (!found) {
    throw new Mistake(
      `There is no folder ${folder} for the ${what}: make it (mkdir -p ${folder}), or name another with --to.`,
    )
  }
  const partial = `${file}${PARTIAL}`
  // A file there is left of a try that was killed, or is a link that somebody made: never write through it.
  rmSync(partial, { force: true })
  closeSync(openSync(partial, 'wx', 0o600))
  rmSync(partial)
}
