import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Database } from '#db/database.ts'
import { refuseOrphans, withoutForeignKeys } from './rebuild.ts'
import { schemaKit, type AnyDb, type Migration } from '#db/schema-kit.ts'
import { writeStatistics } from '#db/sqlite/statistics.ts'

/** A newer version of the program has used the database. */
export class NewerDatabase extends Error {
  constructor() {
    super('This database was used by a newer version of the program. Install that version (or a newer one) again.')
    this.name = 'NewerDatabase'
  }
}

/** The number under which former versions of the program lock a Postgres for their migrations too. */
const LOCK_ID = sql.raw('3853314791062309107')

const migratorOf = (
  database: Database,
  schema: AnyDb,
  migrations: Readonly<Record<string, Migration>>,
  rebuilds: boolean,
): Migrator => {
  const kit = schemaKit(database.engine)
  const last = Object.keys(migrations).toSorted().at(-1)
  const steps = Object.entries(migrations).map(([name, migration]) => [
    name,
    {
      up: async (db: Parameters<Migration['up']>[0]) => {
        await migration.up(db, kit)
        if (migration.alone) await sql`insert into schema_migration_alone (name) values (${name})`.execute(db)
        // This runs on the same connection, and so in the same transaction.
        if (name !== last || !database.sqlite) return
        if (rebuilds) refuseOrphans(database.sqlite)
        writeStatistics(
          database.sqlite,
          Object.assign({}, ...Object.values(migrations).map(({ rowsOfAValue }) => rowsOfAValue)),
        )
      },
    },
  ])
  return new Migrator({
    db: schema,
    provider: { getMigrations: async () => Object.fromEntries(steps) },
    migrationTableName: 'schema_migration',
    migrationLockTableName: 'schema_migration_lock',
  })
}

/**
 * Whether this version can work on a database with migrations that it does not know: on Postgres, where a newer version may
 * run beside it, if none of them is one after which it cannot.
 */
const canWorkAfter = async ({ engine, schema }: Database, unknown: ReadonlySet<string>): Promise<boolean> => {
  if (engine === 'sqlite') return false
  const lone = (await (schema as AnyDb).selectFrom('schema_migration_alone').select('name').execute()) as {
    name: string
  }[]
  return lone.every(({ name }) => !unknown.has(name))
}

/** The names of the migrations that this database still needs, in order. @throws NewerDatabase */
export const pendingMigrations = async (
  database: Database,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string[]> => {
  const taken = new Set(await takenMigrations(database))
  const names = Object.keys(migrations).toSorted()
  const pending = names.filter((name) => !taken.has(name))
  const unknown = taken.difference(new Set(names))
  if (unknown.size > 0 && (pending.length > 0 || !(await canWorkAfter(database, unknown)))) throw new NewerDatabase()
  return pending
}

/** Whether no migration has ever run in this database. */
export const isFresh = async (database: Database): Promise<boolean> => (await takenMigrations(database)).length === 0

const takenMigrations = async ({ schema }: Database): Promise<string[]> => {
  const tables = await schema.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'schema_migration')) return []
  const rows = await (schema as AnyDb).selectFrom('schema_migration').select('name').execute()
  return rows.map(({ name }) => name as string)
}

/**
 * Runs all pending migrations. They, the planner statistics of SQLite and the list of applied migrations are committed
 * in one transaction: after a kill or an error, the database is as it was before.
 * @returns the names of the migrations that ran
 * @throws NewerDatabase, OrphansLeft, or whatever a migration throws
 */
export const migrate = async (
  database: Database,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string[]> => {
  const pending = await pendingMigrations(database, migrations)
  if (pending.length === 0) return []
  const rebuilds = pending.some((name) => migrations[name]?.rebuilds)
  const take = (db: AnyDb): Promise<string[]> => migrated(migratorOf(database, db, migrations, rebuilds))
  const { engine, schema, sqlite } = database as { schema: AnyDb } & Omit<Database, 'schema'>
  if (engine === 'postgres') {
    // The lock is the transaction's: a connection's own lock fails behind PgBouncer, which lends another one each time.
    return schema.transaction().execute(async (db) => {
      await sql`select pg_advisory_xact_lock(${LOCK_ID})`.execute(db)
      return take(db)
    })
  }
  return rebuilds && sqlite ? withoutForeignKeys(sqlite, () => take(schema)) : take(schema)
}

const migrated = async (migrator: Migrator): Promise<string[]> => {
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('The migration failed.', { cause: error })
  return results.map((result) => result.migrationName)
}
