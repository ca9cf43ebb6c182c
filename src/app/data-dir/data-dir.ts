import { existsSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isFresh } from '#db/steps/migrate.ts'
import type { Database } from '#db/database.ts'
import { hasSchema } from '#db/sqlite/whole-file.ts'
import { BEGUN, DATABASE, LOCK, MASTER_KEY } from './layout.ts'
import { restoreCommand } from './restore-commands.ts'
import type { Config } from '#app/config/config.ts'
import { brokenFolder, noPermission } from '#app/trouble/file-trouble.ts'
import { makeFolders } from './make-folders.ts'
import { keepOthersOut } from '#app/trouble/rights.ts'
import { Mistake } from '#app/trouble/mistake.ts'

type Where = Pick<Config, 'dataDir' | 'databaseUrl'>

const here = (dataDir: string, names: readonly string[]): string[] =>
  names.filter((name) => existsSync(path.join(dataDir, name)))

/** Whether there was ever an institute in this folder. */
export const hasBegun = (dataDir: string): boolean => here(dataDir, [DATABASE, BEGUN]).length > 0

/**
 * Creates the data directory, readable by its owner alone. An existing folder keeps its mode unless it holds an
 * institute: a mistyped path must not lock others out of their own folder.
 */
export const ensureDataDir = (dataDir: string): void => {
  if (hasBegun(dataDir)) return keepOthersOut(dataDir, 0o700)
  makeFolders(dataDir)
}

/** @throws an Error where the program never ran, a Mistake where it could not */
export const assertInstitute = (dataDir: string): void => {
  const broken = brokenFolder(dataDir, dataDir)
  if (broken !== undefined) throw new Mistake(`${broken}.`)
  if (here(dataDir, [DATABASE, BEGUN, MASTER_KEY, LOCK]).length === 0) {
    throw new Error(`There is no institute in ${dataDir}.`)
  }
}

/** @throws a Mistake where the folder belongs to another user, who alone can read all of it */
export const assertOwn = (dataDir: string): void => {
  const me = process.geteuid?.()
  if (me !== undefined && statSync(dataDir).uid !== me) throw noPermission(dataDir, dataDir)
}

/** @throws an Error where there is no database (opening would create an empty one), or where it lost its content */
export const assertDatabase = (config: Where): void => {
  assertNotLost(config)
  const { dataDir, databaseUrl } = config
  if (databaseUrl === undefined && !existsSync(path.join(dataDir, DATABASE))) {
    throw new Error(`There is no institute in ${dataDir}: it holds no ${DATABASE}.`)
  }
}

/**
 * Marks the folder as the home of an institute, before anything is kept in its database. A first start that was killed
 * before that starts from scratch, and so does a folder that only `migrate` has seen.
 */
export const markBegun = (dataDir: string): void => {
  const file = path.join(dataDir, BEGUN)
  if (!existsSync(file))
    writeFileSync(file, 'An institute lives here: without its database the program does not start.\n')
}

/**
 * Refuses to start where an institute lost its database: a fresh database beside the old key would hide the loss, and
 * offer a new set-up to whoever comes first. The key is made after the database, so a first start that was killed does
 * not count as a loss.
 * @throws an Error that says what to do; nothing was made
 */
export const assertNotLost = ({ dataDir, databaseUrl }: Where): void => {
  if (databaseUrl !== undefined) return
  const file = path.join(dataDir, DATABASE)
  const isThere = existsSync(file)
  if (isThere && hasSchema(file)) return
  refuse(dataDir, `its database (${file}) is ${isThere ? 'empty' : 'missing'}`, restoreCommand(dataDir))
}

/** The same check for Postgres, on the open database. @throws an Error that says what to do */
export const assertNotEmptied = async ({ dataDir }: Config, database: Database): Promise<void> => {
  if (database.engine === 'postgres' && (await isFresh(database))) {
    refuse(dataDir, 'the database (INSTITUTE_DATABASE_URL) is empty', 'pg_restore')
  }
}

const refuse = (dataDir: string, what: string, how: string): void => {
  const left = here(dataDir, [MASTER_KEY, BEGUN])
  if (left.length === 0) return
  throw new Error(
    `There was an institute in ${dataDir}, but ${what}; nothing was changed. Bring it back from a backup (${how}), or move ${left.join(' and ')} away to begin anew.`,
  )
}
