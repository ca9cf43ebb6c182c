import { Client } from 'pg'

/** Copies one institute many times within a Postgres, so that a cloud has as many rows as it would have in use. */

interface Column {
  of: string
  name: string
  type: string
  /** The column is in a unique index none of whose columns is an id: its text must differ in each copy. */
  isAlone: boolean
}

const COLUMNS = `
  select c.relname as of, a.attname as name, format_type(a.atttypid, null) as type,
    exists (
      select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any (i.indkey)
        and not exists (
          select 1 from pg_attribute o
          where o.attrelid = c.oid and o.attnum = any (i.indkey) and format_type(o.atttypid, null) = 'uuid'
        )
    ) as "isAlone"
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0
    and not a.attisdropped and a.attgenerated = ''
  order by c.relname, a.attnum`

/** What is there for a day, or once, and does not grow with the institutes. */
const PASSING = new Set(['job', 'idempotency_record', 'installation'])

/** The id of the k-th copy: made at the same time, so that it lies where a real one would in an index. */
const copied = (column: string, k = 'k'): string =>
  `(left(replace(${column}::text, '-', ''), 12) || '7' || left(md5(${column}::text || ${k}), 19))::uuid`

const valueOf = ({ name, type, isAlone }: Column): string => {
  const column = `s."${name}"`
  if (type === 'uuid') return copied(column)
  return isAlone && type === 'text' ? `k || '-' || ${column}` : column
}

export class Clones {
  readonly #client: Client
  /** The institute that is copied. */
  readonly #tenantId: string
  readonly #statements: readonly ((from: number, to: number) => string)[]
  count = 1

  private constructor(client: Client, tenantId: string, columns: readonly Column[]) {
    this.#client = client
    this.#tenantId = tenantId
    const tables = [...Map.groupBy(columns, ({ of }) => of)].filter(([table]) => !PASSING.has(table))
    this.#statements = tables.flatMap(([table, own]) => {
      const which = this.#rowsOf(table, own)
      if (which === undefined) return []
      const names = own.map(({ name }) => `"${name}"`).join(', ')
      const values = own.map(valueOf).join(', ')
      return [
        (from: number, to: number) =>
          `insert into "${table}" (${names}) select ${values} from "${table}" s, generate_series(${from}, ${to}) k where ${which}`,
      ]
    })
  }

  /** @param adminUrl the superuser’s address of the database, which holds one institute */
  static async open(adminUrl: string): Promise<Clones> {
    const client = new Client({ connectionString: adminUrl })
    // A query that fails says so itself.
    client.on('error', () => {})
    await client.connect()
    // Rows come with all that refers to them, in any order.
    await client.query('set session_replication_role = replica')
    await client.query('set synchronous_commit = off')
    const { rows } = await client.query<{ id: string }>('select id from tenant')
    const columns = await client.query<Column>(COLUMNS)
    return new Clones(client, rows[0]?.id as string, columns.rows)
  }

  /** The condition for the rows of the institute; undefined: the table belongs to no institute. */
  #rowsOf(table: string, columns: readonly Column[]): string | undefined {
    if (table === 'tenant') return `s.id = '${this.#tenantId}'`
    if (table === 'user') return `s.id in (select user_id from membership where tenant_id = '${this.#tenantId}')`
    return columns.some(({ name }) => name === 'tenant_id') ? `s.tenant_id = '${this.#tenantId}'` : undefined
  }

  /** Copies until there are so many. */
  async grow(count: number, say: (line: string) => void): Promise<void> {
    const AT_ONCE = 50
    while (this.count < count) {
      const to = Math.min(this.count + AT_ONCE, count)
      for (const statement of this.#statements) await this.#client.query(statement(this.count + 1, to))
      this.count = to
      if (to % 100 === 0) say(`  ${to} institutes`)
    }
    await this.#client.query('vacuum analyze')
  }

  async ask<Row extends object>(statement: string): Promise<Row[]> {
    return (await this.#client.query<Row>(statement)).rows
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}
