import { migrations } from '#migrations'
import type { Database } from '#db/database.ts'
import { assertPostgresLetters, assertPostgresWorks } from '#db/postgres/postgres-check.ts'
import { isFresh, migrate, pendingMigrations } from '#db/steps/migrate.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { makeBackup } from './backup/make.ts'
import { openDatabase, type DatabaseOptions } from './open-database.ts'
import type { Config } from './config/config.ts'
import { Mistake } from './trouble/mistake.ts'
import { assertNotEmptied, assertNotLost } from './data-dir/data-dir.ts'

export interface Upgrade {
  /** The migrations that were applied; none: the database was up to date. */
  taken: string[]
  /** The backup from before them; undefined where there was nothing to keep, or the database is in Postgres. */
  backup: string | undefined
}

/**
 * @throws Mistake where other processes may be at work with the version before, and a migration would end their work;
 * nothing was changed. On a server of its own, the program is the only process, and the one that migrates.
 */
const assertNotAlone = async ({ mode }: Config, database: Database, pending: readonly string[]): Promise<void> => {
  const lone = pending.filter((name) => migrations[name]?.alone)
  if (mode !== 'cloud' || lone.length === 0 || (await isFresh(database))) return
  throw new Mistake(
    `The version before cannot work on the database after ${lone.join(', ')}. Stop every process that uses the database, run institute migrate --alone once, and start them with this version. Nothing was changed.`,
  )
}

/**
 * Migrates the database to this version's schema. Makes a backup first, so that the owner can go back to the version
 * before; a migration that fails leaves the database as it was.
 * @throws NewerDatabase
 */
const upgrade = async (config: Config, database: Database, alone: boolean): Promise<Upgrade> => {
  const pending = await pendingMigrations(database, migrations)
  if (pending.length === 0) return { taken: [], backup: undefined }
  if (!alone) await assertNotAlone(config, database, pending)
  const keeps = database.engine === 'sqlite' && !(await isFresh(database))
  const backup = keeps ? (await makeBackup(config, systemClock, { kind: 'before-upgrade' })).file : undefined
  return { taken: await migrate(database, migrations), backup }
}

/**
 * Opens the institute's database, or creates it, and migrates it to this version's schema.
 * @param alone no other process uses the database, says who called the program
 * @throws Mistake where other processes may, and must not, NewerDatabase, or an Error where an institute lost its database, or Postgres would lose its names
 */
export const openUpgraded = async (
  config: Config,
  { alone = false, ...options }: DatabaseOptions & { alone?: boolean } = {},
): Promise<Upgrade & { database: Database }> => {
  assertNotLost(config)
  const database = openDatabase(config, options)
  try {
    await assertPostgresWorks(database)
    await assertPostgresLetters(database)
    await assertNotEmptied(config, database)
    return { ...(await upgrade(config, database, alone)), database }
  } catch (error) {
    await database.close()
    throw error
  }
}
