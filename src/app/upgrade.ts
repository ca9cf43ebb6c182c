import { migrations } from '#migrations'
import type { Database } from '#db/database.ts'
import { assertPostgresLetters, assertPostgresVersion } from '#db/postgres-check.ts'
import { isFresh, migrate, pendingMigrations } from '#db/migrate.ts'
import { systemClock } from '#kernel/clock.ts'
import { makeBackup } from './backup/make.ts'
import { openDatabase, type DatabaseOptions } from './open-database.ts'
import type { Config } from './config/config.ts'
import { assertNotEmptied, assertNotLost } from './data-dir/data-dir.ts'

export interface Upgrade {
  /** The migrations that were applied; none: the database was up to date. */
  taken: string[]
  /** The backup from before them; undefined where there was nothing to keep, or the database is in Postgres. */
  backup: string | undefined
}

/**
 * Migrates the database to this version's schema. Makes a backup first, so that the owner can go back to the version
 * before; a migration that fails leaves the database as it was.
 * @throws NewerDatabase
 */
const upgrade = async (config: Config, database: Database): Promise<Upgrade> => {
  if ((await pendingMigrations(database, migrations)).length === 0) return { taken: [], backup: undefined }
  const keeps = database.engine === 'sqlite' && !(await isFresh(database))
  const backup = keeps ? (await makeBackup(config, systemClock, { kind: 'before-upgrade' })).file : undefined
  return { taken: await migrate(database, migrations), backup }
}

/**
 * Opens the institute's database, or creates it, and migrates it to this version's schema.
 * @throws NewerDatabase, or an Error where an institute lost its database, or Postgres would lose its names
 */
export const openUpgraded = async (
  config: Config,
  options?: DatabaseOptions,
): Promise<Upgrade & { database: Database }> => {
  assertNotLost(config)
  const database = openDatabase(config, options)
  try {
    await assertPostgresVersion(database)
    await assertPostgresLetters(database)
    await assertNotEmptied(config, database)
    return { ...(await upgrade(config, database)), database }
  } catch (error) {
    await database.close()
    throw error
  }
}
