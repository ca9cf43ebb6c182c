import type { Database as Connection } from 'better-sqlite3'
import { sql } from 'kysely'
import { brokenForeignKey } from '#db/broken-rules.ts'
import type { Engine } from '#db/database.ts'
import type { AnyDb, Rule } from '#db/schema-kit-v1.ts'
import { columnNameOf, namesColumn, readTable, ruleOf, withNulls } from './table-text.ts'

/** The changes of a table's definition; everything else stays the same. */
export interface TableChanges {
  /** Rules as for a new table (`kit.belongsTo`, `kit.oneOf`). A rule replaces an existing one with the same name. */
  rules?: readonly Rule[]
  /** Columns that become NOT NULL. */
  notNull?: readonly string[]
  /** Columns that become nullable. */
  nullable?: readonly string[]
  /** Columns to drop, together with the indexes and rules that mention them. */
  drop?: readonly string[]
}

/** Rows refer to rows that do not exist; the migration was rolled back. */
export class OrphansLeft extends Error {
  constructor(orphans: readonly string[], options?: ErrorOptions) {
    super(
      `The upgrade was undone and the database is unchanged, because rows would refer to rows that do not exist: ${orphans.join('; ')}.`,
      options,
    )
    this.name = 'OrphansLeft'
  }
}

const run = async (db: AnyDb, ...statements: string[]): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const quoted = (name: string): string => `"${name}"`

/** The SQL text of the rules, as in a new table. */
const textsOf = (db: AnyDb, table: string, rules: readonly Rule[]): { name: string; text: string }[] => {
  const created = rules.reduce((builder, rule) => rule(builder), db.schema.createTable(table))
  return readTable(created.compile().sql).definitions.map((text) => {
    const name = ruleOf(text)
    if (name === undefined) throw new Error(`A rule of "${table}" needs a name in order to be changed: ${text}`)
    return { name, text }
  })
}

/** The columns and rules of the table after the change. */
const changed = (
  definitions: readonly string[],
  rules: readonly { name: string; text: string }[],
  { notNull = [], nullable = [], drop = [] }: TableChanges,
): string[] => {
  const after = definitions.flatMap((definition) => {
    const column = columnNameOf(definition)
    if (column === undefined) {
      const goes = drop.some((gone) => namesColumn(definition, gone))
      return goes ? [] : (rules.find(({ name }) => name === ruleOf(definition))?.text ?? definition)
    }
    if (drop.includes(column)) return []
    if (notNull.includes(column)) return withNulls(definition, false)
    return nullable.includes(column) ? withNulls(definition, true) : definition
  })
  const had = new Set(definitions.map(ruleOf))
  return [...after, ...rules.filter(({ name }) => !had.has(name)).map(({ text }) => text)]
}

const refuseDrops = (table: string, drop: readonly string[], key: readonly string[]): void => {
  const needed = drop.find((column) => column === 'search_text' || key.includes(column))
  if (needed === undefined) return
  throw new Error(`"${needed}" of "${table}" does not go: the table's key or its search is made of it.`)
}

interface SchemaObject {
  type: 'table' | 'index' | 'trigger' | 'view'
  name: string
  sql: string
}

/**
 * Changes a SQLite table by copying it into a new one ("Making Other Kinds Of Table Schema Changes" in SQLite's
 * manual). Dropping the old table deletes its rows, which would cascade to other tables, so foreign keys must be off.
 * They can only be switched off before the transaction, which migrate.ts does. Rows keep their rowid, because the
 * search index refers to it.
 */
const rebuildInSqlite = async (db: AnyDb, table: string, changes: TableChanges): Promise<void> => {
  const keys = await sql<{ foreign_keys: number }>`pragma foreign_keys`.execute(db)
  if (keys.rows[0]?.foreign_keys !== 0)
    throw new Error(`The migration that rebuilds "${table}" must declare \`rebuilds: true\`.`)
  const { rows: objects } = await sql<SchemaObject>`
    select type, name, sql from sqlite_schema where tbl_name = ${table} and sql is not null order by rowid
  `.execute(db)
  const old = objects.find(({ type }) => type === 'table')
  const { rows: columns } = await sql<{ name: string; pk: number }>`
    select name, pk from pragma_table_info(${table}) order by cid
  `.execute(db)
  const { definitions, ending } = readTable(old?.sql ?? '')
  const read = definitions.flatMap((definition) => columnNameOf(definition) ?? [])
  if (!old || read.join() !== columns.map(({ name }) => name).join())
    throw new Error(`The definition of "${table}" could not be parsed.`)
  const { notNull = [], nullable = [], drop = [] } = changes
  const unknown = [...notNull, ...nullable, ...drop].find((column) => !read.includes(column))
  if (unknown !== undefined) throw new Error(`"${table}" has no column "${unknown}".`)
  const key = columns.filter(({ pk }) => pk > 0)
  refuseDrops(
    table,
    drop,
    key.map(({ name }) => name),
  )

  const triggers = objects.filter(({ type }) => type === 'trigger')
  const needed = triggers.find((trigger) => drop.some((column) => namesColumn(trigger.sql, column)))
  if (needed) throw new Error(`A column of "${table}" does not go while the trigger "${needed.name}" needs it.`)
  const indexes = objects.filter(({ type, sql: text }) => {
    if (type !== 'index') return false
    const columnsAndCondition = text.slice(text.indexOf('('))
    return !drop.some((column) => namesColumn(columnsAndCondition, column))
  })

  const newTable = `${table}_rebuilt`
  const after = changed(definitions, textsOf(db, table, changes.rules ?? []), changes)
  const list = ['rowid', ...read.filter((column) => !drop.includes(column)).map(quoted)].join(', ')
  await run(
    db,
    `create table "${newTable}" (${after.join(', ')})${ending}`,
    `insert into "${newTable}" (${list}) select ${list} from "${table}" order by rowid`,
    `drop table "${table}"`,
    // Lets views, and triggers of other tables, refer to a table that does not exist for a moment.
    'pragma legacy_alter_table = on',
  )
  try {
    await run(db, `alter table "${newTable}" rename to "${table}"`)
  } finally {
    await run(db, 'pragma legacy_alter_table = off')
  }
  await run(db, ...[...indexes, ...triggers].map((thing) => thing.sql))
}

const rebuildInPostgres = async (db: AnyDb, table: string, changes: TableChanges): Promise<void> => {
  const { notNull = [], nullable = [], drop = [], rules = [] } = changes
  const { rows: key } = await sql<{ name: string }>`
    select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
    where indisprimary and indrelid = ${quoted(table)}::regclass
  `.execute(db)
  refuseDrops(
    table,
    drop,
    key.map(({ name }) => name),
  )
  const actions = [
    ...drop.map((column) => `drop column "${column}"`),
    ...nullable.map((column) => `alter column "${column}" drop not null`),
    ...notNull.map((column) => `alter column "${column}" set not null`),
    ...textsOf(db, table, rules).flatMap(({ name, text }) => [`drop constraint if exists "${name}"`, `add ${text}`]),
  ]
  try {
    await run(db, `alter table "${table}" ${actions.join(', ')}`)
  } catch (error) {
    if (brokenForeignKey(error)) throw new OrphansLeft([(error as Error).message], { cause: error })
    throw error
  }
}

/** Changes the definition of a table: see SchemaKit.rebuild. */
export const rebuild: Record<Engine, typeof rebuildInSqlite> = { sqlite: rebuildInSqlite, postgres: rebuildInPostgres }

/**
 * Runs a migration that rebuilds tables, with SQLite's foreign keys off. They cannot be switched within a transaction,
 * so `work` must begin and commit its own.
 */
export const withoutForeignKeys = async <T>(raw: Connection, work: () => Promise<T>): Promise<T> => {
  raw.pragma('foreign_keys = off')
  try {
    return await work()
  } finally {
    if (raw.inTransaction) raw.exec('rollback')
    raw.pragma('foreign_keys = on')
  }
}

/**
 * Checks the foreign keys of all tables, because they were off while the migrations ran.
 * @throws OrphansLeft when a row refers to a row that does not exist
 */
export const refuseOrphans = (raw: Connection): void => {
  const orphans = raw
    .prepare(
      `select "table" as child, parent, count(*) as rows from pragma_foreign_key_check() group by 1, 2 order by 1, 2`,
    )
    .all() as { child: string; parent: string; rows: number }[]
  if (orphans.length === 0) return
  throw new OrphansLeft(orphans.map(({ child, parent, rows }) => `${rows} rows of ${child} without their ${parent}`))
}
