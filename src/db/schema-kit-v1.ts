import { sql, type ColumnDataType, type CreateTableBuilder, type Kysely, type RawBuilder } from 'kysely'
import type { Engine } from './database.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a migration describes tables that its types may not know any more
export type AnyDb = Kysely<any>
type Type = ColumnDataType | RawBuilder<unknown>
// oxlint-disable-next-line typescript/no-explicit-any
type Table = CreateTableBuilder<any, any>
/** A constraint of a table. */
export type Rule = (table: Table) => Table

/**
 * The functions that migrations 0001 to 0020 use. These migrations have landed, so nothing here may change, not even
 * for the better: otherwise an institute that runs them tomorrow would get another schema than one that ran them
 * yesterday. If a new migration needs something else, add it under a new name to schema-kit.ts.
 * test/upgrade/landed-steps.test.ts checks the effect of every migration.
 */
export interface SchemaKitV1 {
  readonly engine: Engine
  /** UUID. */
  readonly id: Type
  readonly text: Type
  /** ISO-8601 in UTC with milliseconds, as text in JavaScript. */
  readonly instant: Type
  /** YYYY-MM-DD. */
  readonly date: Type
  /** Boolean. */
  readonly flag: Type
  /** A parsed value in JavaScript; the database keeps the text with its order of members. */
  readonly json: Type
  /** An integer up to 2^53: for counts, and for money in minor units. */
  readonly integer: Type
  readonly real: Type
  /** Creates a table of rows inside institutes: id, tenant_id, primary key (tenant_id, id). */
  tenantTable(db: AnyDb, name: string): Table
  /** A composite foreign key, so that a row can only refer to rows of the same tenant. */
  belongsTo(column: string, table: string, onDelete?: 'cascade' | 'no action'): Rule
  /** CHECK (column IN (…)). */
  oneOf(table: string, column: string, values: readonly string[]): Rule
  /** A unique index; `where` limits it to some rows. */
  unique(db: AnyDb, table: string, columns: string[], where?: RawBuilder<unknown>): Promise<void>
  /** An index. A column name may be followed by ` desc`. */
  index(db: AnyDb, table: string, columns: string[], where?: RawBuilder<unknown>): Promise<void>
  /** Makes the database refuse updates and deletes of this table's rows. */
  appendOnly(db: AnyDb, table: string): Promise<void>
  /** A trigram index over the column search_text (folded text). Replaced by searchIndex in migration 0017. */
  searchable(db: AnyDb, table: string): Promise<void>
  /**
   * The part of `searchable` that was added later, for tables that already had the rest. It samples the existing rows.
   */
  searchSample(db: AnyDb, table: string): Promise<void>
  /**
   * An index over search_text, including the existing rows. It replaces what `searchable`, or an earlier call, created.
   */
  searchIndex(db: AnyDb, table: string): Promise<void>
}

const raw = (text: string): RawBuilder<unknown> => sql.raw(text)

const TYPES: Record<
  Engine,
  Pick<SchemaKitV1, 'id' | 'text' | 'instant' | 'date' | 'flag' | 'json' | 'integer' | 'real'>
> = {
  // The SQLite driver recognises the type names FLAG_INT and JSON_TEXT; SQLite derives the column affinity from their
  // second half.
  sqlite: {
    id: 'text',
    text: 'text',
    instant: 'text',
    date: 'text',
    flag: raw('FLAG_INT'),
    json: raw('JSON_TEXT'),
    integer: 'integer',
    real: 'real',
  },
  postgres: {
    id: 'uuid',
    text: 'text',
    instant: raw('timestamptz(3)'),
    date: 'date',
    flag: 'boolean',
    json: 'json',
    integer: 'bigint',
    real: 'double precision',
  },
}

const run = async (db: AnyDb, ...statements: string[]): Promise<void> => {
  for (const statement of statements) await raw(statement).execute(db)
}

const indexName = (table: string, columns: string[], ending: string): string =>
  `${table}_${columns.map((column) => column.split(' ')[0]).join('_')}_${ending}`

const createIndex = async (
  db: AnyDb,
  { table, columns, where, unique }: { table: string; columns: string[]; where?: RawBuilder<unknown>; unique: boolean },
): Promise<void> => {
  const name = indexName(table, columns, unique ? 'key' : 'idx')
  const list = raw(columns.map((column) => column.replace(/^\S+/, '"$&"')).join(', '))
  const condition = where ? sql` where ${where}` : sql``
  await sql`create ${raw(unique ? 'unique index' : 'index')} ${sql.id(name)} on ${sql.table(table)} (${list})${condition}`.execute(
    db,
  )
}

const appendOnly: Record<Engine, (table: string) => string[]> = {
  sqlite: (table) =>
    ['update', 'delete'].map(
      (verb) =>
        `create trigger "${table}_no_${verb}" before ${verb} on "${table}" begin select raise(abort, '${table} is append-only'); end`,
    ),
  postgres: (table) => [
    `create or replace function refuse_change() returns trigger language plpgsql as $$ begin raise exception '% is append-only', tg_table_name; end $$`,
    `create trigger "${table}_no_change" before update or delete or truncate on "${table}" for each statement execute function refuse_change()`,
  ],
}

/**
 * Postgres estimates from a sample how many rows contain a word. With a sample of the default size, one in four
 * searches for a word in 40 of 200,000 rows was estimated at 2,000 rows; Postgres then read the list in its order until
 * a page was full. With ten times the sample, none of 25 searches was.
 */
const SAMPLED = 1000

const searchSample: Record<Engine, (table: string) => string[]> = {
  sqlite: () => [],
  postgres: (table) => [
    `alter table "${table}" alter column search_text set statistics ${SAMPLED}`,
    `analyze "${table}" (search_text)`,
  ],
}

const searchable: Record<Engine, (table: string) => string[]> = {
  sqlite: (table) => [
    `create virtual table "${table}_search" using fts5(search_text, content='${table}', tokenize='trigram case_sensitive 1')`,
    `create trigger "${table}_search_insert" after insert on "${table}" begin
       insert into "${table}_search"(rowid, search_text) values (new.rowid, new.search_text); end`,
    `create trigger "${table}_search_delete" after delete on "${table}" begin
       insert into "${table}_search"("${table}_search", rowid, search_text) values ('delete', old.rowid, old.search_text); end`,
    `create trigger "${table}_search_update" after update of search_text on "${table}" when old.search_text is not new.search_text begin
       insert into "${table}_search"("${table}_search", rowid, search_text) values ('delete', old.rowid, old.search_text);
       insert into "${table}_search"(rowid, search_text) values (new.rowid, new.search_text); end`,
  ],
  postgres: (table) => [
    'create extension if not exists pg_trgm',
    `create index "${table}_search" on "${table}" using gin (search_text gin_trgm_ops)`,
  ],
}

/**
 * Indexes trigrams of the text with one blank before each word (two on SQLite), so that the beginning of a word of one
 * or two letters is a trigram too.
 */
const searchIndex: Record<Engine, (table: string) => string[]> = {
  sqlite: (table) => {
    const words = (row: string) => `'  ' || replace(${row}search_text, ' ', '  ')`
    const [index, view] = [`"${table}_search"`, `"${table}_search_words"`]
    const add = `insert into ${index}(rowid, search_text) values (new.rowid, ${words('new.')})`
    const remove = `insert into ${index}(${index}, rowid, search_text) values ('delete', old.rowid, ${words('old.')})`
    return [
      ...['insert', 'delete', 'update'].map((change) => `drop trigger if exists "${table}_search_${change}"`),
      `drop table if exists ${index}`,
      `drop view if exists ${view}`,
      `create view ${view} as select rowid, ${words('')} as search_text from "${table}"`,
      `create virtual table ${index} using fts5(search_text, content=${view}, tokenize='trigram case_sensitive 1')`,
      `create trigger "${table}_search_insert" after insert on "${table}" begin ${add}; end`,
      `create trigger "${table}_search_delete" after delete on "${table}" begin ${remove}; end`,
      `create trigger "${table}_search_update" after update of search_text on "${table}"
         when old.search_text is not new.search_text begin ${remove}; ${add}; end`,
      `insert into ${index}(${index}) values ('rebuild')`,
    ]
  },
  postgres: (table) => [
    'create extension if not exists pg_trgm',
    `drop index if exists "${table}_search"`,
    `create index "${table}_search" on "${table}" using gin ((' ' || search_text) gin_trgm_ops)`,
    `alter index "${table}_search" alter column 1 set statistics ${SAMPLED}`,
    // Analyze the whole table: with a column list, Postgres skips index expressions.
    `analyze "${table}"`,
  ],
}

export const schemaKitV1 = (engine: Engine): SchemaKitV1 => {
  const types = TYPES[engine]
  return {
    engine,
    ...types,
    tenantTable: (db, name) =>
      db.schema
        .createTable(name)
        .addColumn('id', types.id, (column) => column.notNull())
        .addColumn('tenant_id', types.id, (column) => column.notNull().references('tenant.id'))
        .addPrimaryKeyConstraint(`${name}_pkey`, ['tenant_id', 'id']),
    belongsTo:
      (column, table, onDelete = 'no action') =>
      (builder) =>
        builder.addForeignKeyConstraint(
          `fk_${column}_${table}`,
          ['tenant_id', column],
          table,
          ['tenant_id', 'id'],
          (constraint) => constraint.onDelete(onDelete),
        ),
    oneOf: (table, column, values) => (builder) =>
      builder.addCheckConstraint(
        `${table}_${column}_check`,
        sql`${sql.id(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`,
      ),
    unique: (db, table, columns, where) => createIndex(db, { table, columns, unique: true, ...(where && { where }) }),
    index: (db, table, columns, where) => createIndex(db, { table, columns, unique: false, ...(where && { where }) }),
    appendOnly: (db, table) => run(db, ...appendOnly[engine](table)),
    searchable: (db, table) => run(db, ...searchable[engine](table), ...searchSample[engine](table)),
    searchSample: (db, table) => run(db, ...searchSample[engine](table)),
    searchIndex: (db, table) => run(db, ...searchIndex[engine](table)),
  }
}
