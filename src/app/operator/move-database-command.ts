import { existsSync } from 'node:fs'
import path from 'node:path'
import { migrations } from '#migrations'
import { copyToPostgres, NotEmpty, type Copied } from '#db/copies/copy-to-postgres.ts'
import { openPostgres } from '#db/database.ts'
import { isFresh, migrate, pendingMigrations } from '#db/steps/migrate.ts'
import { assertPostgresLetters, assertPostgresWorks } from '#db/postgres/postgres-check.ts'
import { moveFileNow, syncToDisk } from '#executable/to-disk.ts'
import { systemClock } from '#kernel/time/clock.ts'
import type { Config } from '#app/config/config.ts'
import { lockDataDir } from '#app/data-dir/data-lock.ts'
import { DATABASE, stampOf } from '#app/data-dir/layout.ts'
import { openUpgraded } from '#app/upgrade.ts'
import { Mistake } from '#app/trouble/mistake.ts'

export interface MovedDatabase extends Copied {
  /** Where the SQLite file lies now, which nothing uses any more. */
  aside: string
}

/** Brings the Postgres database to this version's schema, and all rows into it. */
const fill = async (databaseUrl: string, file: string, progress: (done: number) => void): Promise<Copied> => {
  const target = openPostgres({ url: databaseUrl })
  try {
    await assertPostgresWorks(target)
    await assertPostgresLetters(target)
    const isOfOther = (await pendingMigrations(target, migrations)).length > 0 && !(await isFresh(target))
    if (isOfOther) throw new NotEmpty('it belongs to another version of the program')
    await migrate(target, migrations)
    return await copyToPostgres(file, target, progress)
  } catch (error) {
    if (!(error instanceof NotEmpty)) throw error
    throw new Mistake(
      `The database of INSTITUTE_DATABASE_URL is in use: ${error.message}. Make an empty one for this. Nothing was changed.`,
    )
  } finally {
    await target.close()
  }
}

/**
 * Moves the SQLite database of the data directory into the Postgres of the settings. The program must not run. Keys and
 * files stay in the data directory, which goes on to belong to the institute.
 * @throws Mistake, DataDirInUse, NewerDatabase, or an Error that says what is wrong with the Postgres
 */
export const moveDatabase = async (
  { databaseUrl, ...config }: Config,
  progress: (done: number) => void,
): Promise<MovedDatabase> => {
  const { dataDir } = config
  if (databaseUrl === undefined) {
    throw new Mistake('The settings name no Postgres: set INSTITUTE_DATABASE_URL to an empty database.')
  }
  const file = path.join(dataDir, DATABASE)
  const release = await lockDataDir(dataDir)
  try {
    if (!existsSync(file)) throw new Mistake(`There is no SQLite database in ${dataDir}: nothing is to be moved.`)
    // Who holds the lock of the data directory is alone.
    const { database } = await openUpgraded({ ...config, databaseUrl: undefined }, { alone: true })
    await database.close()
    const copied = await fill(databaseUrl, file, progress)
    // Under its name the program would take it for the institute's, once the settings name no Postgres.
    const aside = path.join(dataDir, `moved-${stampOf(systemClock.now())}.db`)
    moveFileNow(file, aside)
    syncToDisk(dataDir)
    return { ...copied, aside }
  } finally {
    release()
  }
}
