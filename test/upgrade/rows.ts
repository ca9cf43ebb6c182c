import { sql } from 'kysely'
import type { Database } from '#db/database.ts'
import type { AnyDb } from '#db/schema-kit.ts'
import type { Kept } from './kept.ts'
import { loadFixtures } from '#kit/fixtures.ts'
import { fillWith } from './databases.ts'

type Row = Record<string, unknown>

/** Every table with rows of institutes, and its columns. */
export const columnsOf = async ({ engine, schema }: Database): Promise<Map<string, string[]>> => {
  const { rows } = await (
    engine === 'sqlite'
      ? sql<{ tbl: string; col: string }>`
          select tables.name as tbl, columns.name as col
          from sqlite_schema as tables join pragma_table_info(tables.name) as columns
          where tables.type = 'table' and tables.name not glob 'sqlite_*' and tables.name not glob '*_search*'
            and tables.name not glob 'schema_migration*' order by tables.name, columns.cid`
      : sql<{ tbl: string; col: string }>`
          select table_name as tbl, column_name as col from information_schema.columns
          where table_schema = 'public' and table_name not like 'schema_migration%' order by table_name, ordinal_position`
  ).execute(schema)
  const columns = new Map<string, string[]>()
  for (const { tbl, col } of rows) columns.set(tbl, [...(columns.get(tbl) ?? []), col])
  return columns
}

/** The exact values of these columns and, on SQLite, the rowid that the search index uses. */
export const valuesOf = async (
  { engine, schema }: Database,
  columns: ReadonlyMap<string, readonly string[]>,
  without: Readonly<Record<string, readonly string[]>> = {},
): Promise<Map<string, string[]>> => {
  const values = new Map<string, string[]>()
  for (const [table, all] of columns) {
    const names = all.filter((column) => !without[table]?.includes(column))
    const list =
      engine === 'sqlite'
        ? ['rowid as _rowid', ...names.map((name) => `quote("${name}") as "${name}"`)]
        : names.map((name) => `"${name}"::text as "${name}"`)
    const { rows } = await sql.raw(`select ${list.join(', ')} from "${table}"`).execute(schema)
    values.set(table, rows.map((row) => JSON.stringify(row)).toSorted())
  }
  return values
}

const AT = '2026-11-22T08:00:00.000Z'
const LATER = '2099-11-22T08:00:00.000Z'
const nth = (n: number): string => `01a20064-0000-7000-8000-${String(n).padStart(12, '0')}`

/**
 * Adds a row to each table in which a kept institute has none, as declared under test/fixtures, and leaves a gap among
 * the students. There is a second teacher.
 */
export const fillRest = async (database: Database, { tables }: Kept): Promise<void> => {
  const known = await columnsOf(database)
  const firsts = new Map<string, Row | undefined>()
  for (const table of known.keys()) {
    // What a later step made of the rows that were kept.
    const [row] = tables[table] ?? (await (database.read as AnyDb).selectFrom(table).selectAll().limit(1).execute())
    firsts.set(table, row)
  }
  const first = (table: string): Row => firsts.get(table) ?? {}
  const student = first('student')
  const added = (n: number): Row => ({
    ...student,
    id: nth(n),
    student_number: `S-${900_000 + n}`,
    address: { city: 'حيفا', lines: [1, 'b'] },
    search_text: `added ${n} levi s-${900_000 + n}`,
  })
  const staff: Row = { ...first('staff'), id: nth(3), user_id: null, email: null }
  await fillWith(database, { student: [added(1), added(2)], staff: [staff] })
  await database.write((db) => (db as AnyDb).deleteFrom('student').where('id', '=', nth(1)).execute())
  const words = { first, studentId: nth(2), staffId: nth(3), nth, at: AT, later: LATER }
  const rest = Object.assign(
    {},
    ...Object.values(await loadFixtures()).map(({ kept }) => kept?.(words)),
  ) as Kept['tables']
  for (const [table, rows] of Object.entries(rest).filter(([name]) => known.has(name))) {
    const there = await (database.read as AnyDb).selectFrom(table).selectAll().limit(1).execute()
    if (there.length === 0) await fillWith(database, { [table]: rows })
  }
}
