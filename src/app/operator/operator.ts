import { systemClock } from '#kernel/time/clock.ts'
import { migrations } from '#migrations'
import type { Database } from '#db/database.ts'
import { pendingMigrations } from '#db/steps/migrate.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { commandAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import type { App } from '#app/compose.ts'
import { openDatabase } from '#app/open-database.ts'
import type { Config } from '#app/config/config.ts'
import { assertDatabase, markBegun } from '#app/data-dir/data-dir.ts'
import { openLog } from '#app/process/log.ts'
import { composed, ensureMasterKey } from '#app/program.ts'

/** What the operator of a server does with a command: also while the program runs, which sees it at its next request. */

/** @throws an Error where there is no database of this version */
export const openPresent = async (config: Config): Promise<Database> => {
  assertDatabase(config)
  const database = openDatabase(config)
  if ((await pendingMigrations(database, migrations)).length === 0) return database
  await database.close()
  throw new Error('The database is not of this version: run institute migrate first.')
}

const NAMED = 5

/** @throws an Error that names the institutes, where they are few */
export const findTenantId = async ({ read }: Database, slug: string): Promise<string> => {
  const tenant = await read.selectFrom('tenant').select('id').where('slug', '=', slug).executeTakeFirst()
  if (tenant) return tenant.id
  const others = await read
    .selectFrom('tenant')
    .select('slug')
    .orderBy('slug')
    .limit(NAMED + 1)
    .execute()
  const list = others.length > NAMED ? '' : ` There is ${others.map((other) => other.slug).join(', ') || 'none yet'}.`
  throw new Error(`There is no institute with the slug ${JSON.stringify(slug)}.${list}`)
}

const onlyTenantId = async ({ read }: Database): Promise<string> => {
  const [only, ...others] = await read.selectFrom('tenant').select('id').limit(2).execute()
  if (!only) throw new Error('There is no institute yet.')
  if (others.length > 0) throw new Error('There are several institutes here: name one with --tenant.')
  return only.id
}

/** @param slug undefined: the only institute that there is @throws an Error that says what to type */
export const tenantIdOf = (database: Database, slug: string | undefined): Promise<string> =>
  slug === undefined ? onlyTenantId(database) : findTenantId(database, slug)

/** Runs work with the whole program, which does not listen and may never have run. @throws as openPresent */
export const withProgram = async <T>(config: Config, work: (app: App) => Promise<T>): Promise<T> => {
  const database = await openPresent(config)
  markBegun(config.dataDir)
  await ensureMasterKey(config, database)
  const app = await composed(config, database, { clock: systemClock, log: openLog({ logLevel: 'silent' }) })
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

/** Makes a change in one transaction. @param action that of its audit entries @throws as openPresent */
export const changeByCommand = <T>(
  config: Config,
  action: string,
  work: (tx: SystemTx, app: App) => Promise<T>,
): Promise<T> =>
  withProgram(config, (app) =>
    runInTransaction(app.runtime, commandAuditContext(action), (unit) => work(unit.system(), app)),
  )
