import { sql, type Kysely, type Transaction } from 'kysely'
import type { Database } from '#db/database.ts'
import { openWriter } from '#db/sqlite/sqlite.ts'

/** How many values one statement carries; Postgres takes 65,535. */
const VALUES = 10_000

interface Table {
  name: string
  columns: string[]
}

export interface Copied {
  tables: number
  rows: number
}

/** Thrown, before anything was changed, where the Postgres database holds something. */
export class NotEmpty extends Error {}

/** The tables of the schema with the columns that are written. */
const tablesOf = async (db: Kysely<never>): Promise<Table[]> => {
  const { rows } = await sql<Table>`
    select table_name as name, json_agg(column_name order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE' and is_generated = 'NEVER'
      and table_name not like 'schema_migration%'
    group by table_name order by table_name`.execute(db)
  return rows
}

const countIn = async (db: Kysely<never>, table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
  return rows[0]?.count ?? 0
}

interface Reference {
  table: string
  name: string
}

const referencesOf = async (db: Kysely<never>): Promise<Reference[]> => {
  const { rows } = await sql<Reference>`
    select conrelid::regclass::text as table, conname as name from pg_constraint
    where contype = 'f' and not condeferrable and connamespace = current_schema()::regnamespace`.execute(db)
  return rows
}

/**
 * Runs `work` while references may lead to rows that are still to come, and checks them all at its end: tables refer to
 * each other in circles, and rows to others of their own table.
 */
const withLateReferences = async (db: Transaction<never>, work: () => Promise<void>): Promise<void> => {
  const references = await referencesOf(db)
  const alter = async (how: string): Promise<void> => {
    for (const { table, name } of references) {
      await sql`alter table ${sql.raw(table)} alter constraint ${sql.ref(name)} ${sql.raw(how)}`.execute(db)
    }
  }
  await alter('deferrable initially deferred')
  await work()
  await sql`set constraints all immediate`.execute(db)
  await alter('not deferrable')
}

/**
 * Copies every row of a SQLite file into a Postgres database with the same schema, in one transaction: all of them are
 * there at its end, or none. Values go over as SQLite keeps them (JSON and times as text, flags as 0 and 1), which
 * Postgres reads in the same way.
 * @param progress is told how much is done, from 0 to 1 @throws NotEmpty
 */
export const copyToPostgres = async (
  file: string,
  { schema }: Database,
  progress: (done: number) => void,
): Promise<Copied> => {
  // The last connection that closes brings the write-ahead log into the file; one that only reads could not.
  const source = openWriter(file, { mustExist: true })
  try {
    return await (schema as unknown as Kysely<never>).transaction().execute(async (db) => {
      await sql`set local statement_timeout = 0`.execute(db)
      const tables = await tablesOf(db)
      for (const { name } of tables) {
        if ((await countIn(db, name)) > 0) throw new NotEmpty(`its table ${name} holds rows`)
      }
      const counts = new Map(
        tables.map(({ name }) => [name, source.prepare(`select count(*) from "${name}"`).pluck().get() as number]),
      )
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
      let rows = 0
      await withLateReferences(db, async () => {
        for (const { name, columns } of tables) {
          const into = sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})`
          const send = async (batch: readonly unknown[][]): Promise<void> => {
            if (batch.length === 0) return
            const values = batch.map((row) => sql`(${sql.join(row)})`)
            await sql`${into} values ${sql.join(values)}`.execute(db)
            rows += batch.length
            progress(rows / total)
          }
          const most = Math.floor(VALUES / columns.length)
          let batch: unknown[][] = []
          const list = columns.map((column) => `"${column}"`).join(', ')
          for (const row of source.prepare(`select ${list} from "${name}"`).raw().iterate()) {
            batch.push(row as unknown[])
            if (batch.length < most) continue
            await send(batch)
            batch = []
          }
          await send(batch)
          if ((await countIn(db, name)) !== counts.get(name)) throw new Error(`Not every row of ${name} has arrived.`)
        }
      })
      return { tables: tables.length, rows }
    })
  } finally {
    source.close()
  }
}
