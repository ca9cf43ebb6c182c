import { CompiledQuery } from 'kysely'
import type { TestApp } from './app.ts'
import { engine } from './app.ts'
import { fillSql } from './fill-sql.ts'

export { idAt, inTurn, text } from './fill-sql.ts'

const { insert, ...words } = fillSql(engine)
/** Postgres looks up what each row refers to, one row at a time, which takes most of the time; SQLite still does. */
const unchecked = engine === 'postgres' ? 'set local session_replication_role = replica; ' : ''
export const { nthId, nthInstant, day, flag, uuid } = words

/** Runs a statement directly on the database. */
export const runSql = (test: TestApp, statement: string): Promise<unknown> =>
  test.app.database.schema.executeQuery(CompiledQuery.raw(statement))

/** Inserts so many rows in one statement; each column is SQL over `n`, which counts from 1. */
export const fill = async (
  test: TestApp,
  table: string,
  count: number,
  columns: Record<string, string>,
): Promise<void> => {
  await runSql(test, unchecked + insert(table, count, columns))
}
