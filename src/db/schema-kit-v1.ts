import { sql, type ColumnDataType, type CreateTableBuilder, type Kysely, type RawBuilder } from 'kysely'
import type { Engine } from './database.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a migration describes tables that its types may not know any more
export type AnyDb = Kysely<any>
type Type = ColumnDataType | RawBuilder<unknown>
// oxlint-disable-next-line typescript/no-explicit-any
type Table = CreateTableBuilder<any, any>
/** What a table keeps its rows to. */
export type Rule = (table: Table) => Table

/**
 * What the steps 0001 to 0020 build with. They landed: nothing here changes any more, not even for the better, or an
 * institute that takes them tomorrow comes to another schema than one that took them yesterday. What a new step wants
 * otherwise gets a name of its own in schema-kit.ts. test/upgrade/landed-steps.test.ts holds every step to what it did.
 */
export interface SchemaKitV1 {
  readonly engine: Engine
  /** UUID. */
  readonly id: Type
  readonly text: Type
  /** ISO-8601 UTC with milliseconds in JavaScript. */
  readonly instant: Type
  /** YYYY-MM-DD. */
  readonly date: Type
  /** Boolean. */
  readonly flag: Type
  /** Parsed value in JavaScript, text in its given order in the database. */
  readonly json: Type
  /** A whole number up to 2^53: counts and money in minor units. */
  readonly integer: Type
  readonly real: Type
  /** A table of the institutes: id, tenant_id, primary key (tenant_id, id). */
  tenantTable(db: AnyDb, name: string): Table
  /** `references` for a row of the same tenant: a composite foreign key, so that nothing points into another one. */
  belongsTo(column: string, table: string, onDelete?: 'cascade' | 'no action'): Rule
  /** CHECK (column IN (…)). */
  oneOf(table: string, column: string, values: readonly string[]): Rule
  /** A unique rule over columns; `where` limits it to some rows. */
  unique(db: AnyDb, table: string, columns: string[], where?: RawBuilder<unknown>): Promise<void>
  /** An index; a column may be followed by ` desc`. */
  index(db: AnyDb, table: string, columns: string[], where?: RawBuilder<unknown>): Promise<void>
  /** The database itself refuses to change or delete rows of this table. */
  appendOnly(db: AnyDb, table: string): Promise<void>
  /** Trigram index over the table's column search_text (folded text), until step 0017. */
  searchable(db: AnyDb, table: string): Promise<void>
  /** The part of `searchable` that came after tables had it; taken of the rows that are there. */
  searchSample(db: AnyDb, table: string): Promise<void>
  /** Index over search_text and the rows that are there, in the place of what `searchable` or this made. */
  searchIndex(db: AnyDb, table: string): Promise<void>
}

const raw = (text: string): RawBuilder<unknown> => sql.raw(text)

const TYPES: Record<
  Engine,
  Pick<SchemaKitV1, 'id' | 'text' | 'instant' | 'date' | 'flag' | 'json' | 'integer' | 'real'>
> = {
  // The driver knows FLAG_INT and JSON_TEXT by these names; SQLite takes its affinity from the second half.
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
 * Postgres judges how many rows a word is in by a sample. By one of the usual size, a search in four for a word that 40
 * of 200,000 rows hold looks as if it met 2,000, and then goes through the list in its order until it has its page; by
 * one ten times as large, none of 25 did.
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
 * Trigrams of the text with a blank before every word, two for SQLite, so that a word of one or two letters, with what
 * begins it, is a trigram too.
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
    // Of the whole table: with a column named, what is indexed is passed over.
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
