import { Kysely, sql, type ControlledTransaction, type RawBuilder } from 'kysely'
import { engineOf } from '#db/dialect.ts'
import { openConnections, SILENCE_MILLIS } from '#db/postgres/postgres.ts'
import { openReader, SqliteDialect } from '#db/sqlite/sqlite.ts'

/**
 * Reads all rows of one institute as they are at one moment, on a connection of its own. An export uses it, which has
 * no list of the tables' columns and asks the database for them.
 */

/** Where the database is. */
export type DatabaseLocation = { file: string } | { url: string }

/** The rows of a table that belong to the institute. */
export type OwnRows =
  /** The column contains the id of the institute. */
  | { tenantColumn: string }
  /** Their id is in `column` of the institute's rows in the table `of`. */
  | { of: string; column: string }

export type Row = Record<string, unknown>

/** Few, because some rows (audit entries, events) may have many kilobytes. */
const ROWS_AT_ONCE = 200
/** A small cache: an export goes through too much of the file to be worth caching. */
const CACHE_KILOBYTES = 4096

// oxlint-disable-next-line typescript/no-explicit-any -- the tables are known by name only
type AnyDb = Kysely<any>

export class TenantSnapshot {
  readonly #db: AnyDb
  readonly #tenantId: string
  readonly #columns: ReadonlyMap<string, readonly string[]>
  readonly #end: () => Promise<void>

  private constructor(
    db: AnyDb,
    tenantId: string,
    { columns, end }: { columns: ReadonlyMap<string, readonly string[]>; end: () => Promise<void> },
  ) {
    this.#db = db
    this.#tenantId = tenantId
    this.#columns = columns
    this.#end = end
  }

  /** Begins a read transaction. It does not see later commits of others, and lasts until `close`. */
  static async open(place: DatabaseLocation, tenantId: string): Promise<TenantSnapshot> {
    const { db, end } = await ('file' in place ? beginSqlite(place.file) : beginPostgres(place.url))
    try {
      const tables = await db.introspection.getTables()
      const columns = new Map(tables.map((table) => [table.name, table.columns.map(({ name }) => name)]))
      return new TenantSnapshot(db, tenantId, { columns, end })
    } catch (error) {
      await end()
      throw error
    }
  }

  /** The columns of a table, in its order. @throws Error when there is no such table */
  columnsOf(table: string): readonly string[] {
    const columns = this.#columns.get(table)
    if (!columns) throw new Error(`there is no table ${table}`)
    return columns
  }

  async count(table: string, rows: OwnRows): Promise<number> {
    const { rows: found } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${this.#own(rows)}
    `.execute(this.#db)
    return found[0]?.count ?? 0
  }

  async sum(table: string, column: string, rows: OwnRows): Promise<number> {
    const { rows: found } = await sql<{ sum: number | null }>`
      select sum(${sql.ref(column)}) as sum from ${sql.table(table)} where ${this.#own(rows)}
    `.execute(this.#db)
    return found[0]?.sum ?? 0
  }

  /** The rows, some at a time, in the order of their primary key. */
  async *pages(table: string, columns: readonly string[], rows: OwnRows): AsyncGenerator<Row[]> {
    const key = await this.#keyOf(table)
    const selected = sql.join([...new Set([...columns, ...key])].map((column) => sql.ref(column)))
    const order = sql.join(key.map((column) => sql.ref(column)))
    let last: Row | undefined
    do {
      const after: Row | undefined = last
      const beyond = after ? sql` and (${order}) > (${sql.join(key.map((column) => sql`${after[column]}`))})` : sql``
      const { rows: page } = await sql<Row>`
        select ${selected} from ${sql.table(table)} where ${this.#own(rows)}${beyond} order by ${order}
        limit ${sql.lit(ROWS_AT_ONCE)}
      `.execute(this.#db)
      last = page.at(ROWS_AT_ONCE - 1)
      if (page.length > 0) yield page
    } while (last)
  }

  async close(): Promise<void> {
    await this.#end()
  }

  #own(rows: OwnRows): RawBuilder<unknown> {
    if ('tenantColumn' in rows) return sql`${sql.ref(rows.tenantColumn)} = ${this.#tenantId}`
    return sql`id in (select ${sql.ref(rows.column)} from ${sql.table(rows.of)} where tenant_id = ${this.#tenantId})`
  }

  /** The columns that order the rows of an institute, each row at its own place, with an index for the longest tables. */
  async #keyOf(table: string): Promise<string[]> {
    const { rows } = await primaryKeyOf(this.#db, table)
    const key = rows.map(({ name }) => name)
    const own = key.filter((column) => column !== 'tenant_id')
    if (own.length < key.length) return own.length > 0 ? own : key
    // The primary key of the audit log, say, has no institute in it, but an index has, together with the time.
    const columns = this.columnsOf(table)
    return columns.includes('tenant_id') && columns.includes('created_at') ? ['created_at', ...key] : key
  }
}

interface Begun {
  db: AnyDb
  end: () => Promise<void>
}

const beginSqlite = async (file: string): Promise<Begun> => {
  const raw = openReader(file, CACHE_KILOBYTES)
  raw.exec('begin')
  // The transaction begins with its first read.
  raw.prepare('select 1 from sqlite_schema').get()
  return { db: new Kysely({ dialect: new SqliteDialect(raw) }), end: async () => void raw.close() }
}

const beginPostgres = async (url: string): Promise<Begun> => {
  // oxlint-disable-next-line typescript/no-explicit-any
  const { db } = openConnections<any>({ url, max: 1, silenceMillis: SILENCE_MILLIS }, {})
  try {
    // oxlint-disable-next-line typescript/no-explicit-any
    const transaction: ControlledTransaction<any> = await db
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute()
    const end = async (): Promise<void> => {
      try {
        await transaction.rollback().execute()
      } finally {
        await db.destroy()
      }
    }
    return { db: transaction, end }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

const primaryKeyOf = (db: AnyDb, table: string) =>
  engineOf(db) === 'postgres'
    ? sql<{ name: string }>`
        select attribute.attname as name
        from pg_index as index
        cross join lateral unnest(index.indkey) with ordinality as key(attnum, place)
        join pg_attribute as attribute on attribute.attrelid = index.indrelid and attribute.attnum = key.attnum
        where index.indrelid = ${sql.lit(`"${table}"`)}::regclass and index.indisprimary
        order by key.place
      `.execute(db)
    : sql<{ name: string }>`
        select name from pragma_table_info(${sql.lit(table)}) where pk > 0 order by pk
      `.execute(db)
