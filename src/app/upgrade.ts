import { migrations } from '#migrations'
import type { Database } from '#db/database.ts'
import { isFresh, migrate, pendingMigrations } from '#db/migrate.ts'
import { systemClock } from '#kernel/clock.ts'
import { makeBackup } from './backup/make.ts'
import type { Config } from './config.ts'

export interface Upgrade {
  /** The steps that were taken; none: the database was up to date. */
  taken: string[]
  /** The backup that was made before them; undefined where there was nothing to keep, or the database is in Postgres. */
  backup: string | undefined
}

/**
 * Brings the database to this version's schema. What is there is backed up first, so that whoever goes back to the
 * version before has something to go back to; a step that fails leaves everything as it was by itself.
 * @throws NewerDatabase
 */
export const upgrade = async (config: Config, database: Database): Promise<Upgrade> => {
  if ((await pendingMigrations(database, migrations)).length === 0) return { taken: [], backup: undefined }
  const keeps = database.engine === 'sqlite' && !(await isFresh(database))
  const backup = keeps ? (await makeBackup(config, systemClock, { kind: 'before-upgrade' })).file : undefined
  return { taken: await migrate(database, migrations), backup }
}
