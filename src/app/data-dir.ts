import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isFresh } from '#db/migrate.ts'
import type { Database } from '#db/database.ts'
import { hasSchema } from '#db/whole-file.ts'
import { BEGUN, DATABASE, LOCK, MASTER_KEY } from './backup/layout.ts'
import type { Config } from './config.ts'

const here = (dataDir: string, names: readonly string[]): string[] =>
  names.filter((name) => existsSync(path.join(dataDir, name)))

/**
 * Makes the folder of everything that must not be lost, readable by its owner alone. One that is there keeps its mode
 * unless an institute lies in it: whoever mistypes a path must not shut others out of what is theirs.
 */
export const ensureDataDir = (dataDir: string): void => {
  if (here(dataDir, [DATABASE, BEGUN]).length > 0) return chmodSync(dataDir, 0o700)
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch {
    // Of a read-only disk Node says here that there is no such folder; asked for the one folder alone, it says why.
    mkdirSync(dataDir, { mode: 0o700 })
  }
}

/** @throws an Error where the program never worked */
export const assertInstitute = (dataDir: string): void => {
  if (here(dataDir, [DATABASE, BEGUN, MASTER_KEY, LOCK]).length === 0) {
    throw new Error(`There is no institute in ${dataDir}.`)
  }
}

/** @throws an Error where there is no database that could be opened without making one */
export const assertDatabase = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl === undefined && !existsSync(path.join(dataDir, DATABASE))) {
    throw new Error(`There is no institute in ${dataDir}: it holds no ${DATABASE}.`)
  }
}

/** Notes that an institute lives here, once its database has its schema. A first start that is killed before begins anew. */
export const markBegun = (dataDir: string): void => {
  const file = path.join(dataDir, BEGUN)
  if (!existsSync(file))
    writeFileSync(file, 'An institute lives here: without its database the program does not start.\n')
}

/**
 * An institute whose database is gone is never begun anew beside its key: a new set-up would be offered to whoever comes
 * first, and hide the loss. The key is made after the database, so that a first start which was killed is no such case.
 * @throws an Error that says what to do; nothing was made
 */
export const assertNotLost = ({ dataDir, databaseUrl }: Config): void => {
  if (databaseUrl !== undefined) return
  const file = path.join(dataDir, DATABASE)
  const isThere = existsSync(file)
  if (isThere && hasSchema(file)) return
  refuse(dataDir, `its database (${file}) is ${isThere ? 'empty' : 'missing'}`, 'institute restore FILE')
}

/** The same of a database that is elsewhere, and open. @throws as that */
export const assertNotEmptied = async ({ dataDir }: Config, database: Database): Promise<void> => {
  if (database.engine === 'postgres' && (await isFresh(database))) {
    refuse(dataDir, 'the database (INSTITUTE_DATABASE_URL) is empty', 'pg_restore')
  }
}

const refuse = (dataDir: string, what: string, how: string): void => {
  const left = here(dataDir, [MASTER_KEY, BEGUN])
  if (left.length === 0) return
  throw new Error(
    `There was an institute in ${dataDir}, but ${what}; nothing was started. Bring it back from a backup (${how}), or move ${left.join(' and ')} away to begin anew.`,
  )
}
