import { sql } from 'kysely'
import { schemaKit } from '#db/schema-kit.ts'
import { engine, type TestApp } from './app.ts'
import { worldOf } from './examples.ts'
import { day, fill, flag, inTurn, nthId, nthInstant, runSql, text, uuid } from './fill.ts'
import type { TestInstitute } from './institute.ts'
import { loadFixtures, recordsOf, type Columns, type RowsOf } from './fixtures.ts'
import { readCatalogue, type References } from './pairs/records.ts'

/** Sorts the tables so that each comes after the tables that it refers to. */
const inOrder = (tables: readonly string[], references: References): string[] => {
  const ordered = new Set<string>()
  const add = (table: string, namedBy: readonly string[]): void => {
    if (ordered.has(table) || namedBy.includes(table)) return
    for (const other of Object.values(references[table] ?? {})) add(other, [...namedBy, table])
    ordered.add(table)
  }
  for (const table of tables) add(table, [])
  return [...ordered].filter((table) => tables.includes(table))
}

/** The tables that have an index for searches. */
const searchedTables = async (app: TestApp): Promise<string[]> => {
  const { rows } = await sql<{ tablename: string }>`
    select tablename from pg_indexes where schemaname = current_schema() and indexname = tablename || '_search'
  `.execute(app.app.database.schema)
  return rows.map(({ tablename }) => tablename)
}

/**
 * Fills every table of which an institute has many rows, as the modules declare under test/fixtures. The n-th row of
 * each table belongs to the n-th rows of the others, with branches in turn.
 */
export const fillInstitute = async (
  app: TestApp,
  institute: TestInstitute,
  { students, others, branchIds }: { students: number; others: number; branchIds: readonly string[] },
): Promise<void> => {
  const { schema } = app.app.database
  const catalogue = await readCatalogue(app)
  const columns = Map.groupBy(catalogue.columns, ({ table }) => table)
  const hasColumn = (table: string, name: string) => columns.get(table)?.some(({ column }) => column === name) === true
  const rows = new Map<string, RowsOf>()
  for (const { tables } of Object.values(await loadFixtures())) {
    for (const [table, said] of Object.entries(tables)) if (typeof said === 'function') rows.set(table, said)
  }
  const words = {
    nthId,
    nthInstant,
    uuid,
    day,
    flag,
    branch: uuid(inTurn(branchIds)),
    user: uuid(text(institute.ownerUserId)),
    at: nthInstant('n'),
    count: others,
    record: await recordsOf(worldOf(app, institute)),
  }
  const common = (table: string): Columns => ({
    id: nthId(table, 'n'),
    tenant_id: uuid(text(institute.tenant.id)),
    created_at: words.at,
  })

  // Building a search index over existing rows takes a tenth of the time of growing it.
  const searched = engine === 'postgres' ? await searchedTables(app) : []
  for (const table of searched) await runSql(app, `drop index "${table}_search"`)
  for (const table of inOrder([...rows.keys()], catalogue.references)) {
    const own = Object.entries(common(table)).filter(([name]) => hasColumn(table, name))
    const said = await (rows.get(table) as RowsOf)(words)
    await fill(app, table, table === 'student' ? students : others, { ...Object.fromEntries(own), ...said })
  }
  for (const table of searched) await schemaKit(engine).searchIndex(schema, table)
  if (engine === 'postgres') await runSql(app, 'vacuum analyze')
}
