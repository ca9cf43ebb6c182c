import { CompiledQuery } from 'kysely'
import type { TestApp } from './app.ts'
import { engine } from './app.ts'

const HEX: Record<string, string> = {}

/** SQL for the id of the n-th row of a table; `n` is SQL too. */
export const nthId = (table: string, n: string | number): string => {
  HEX[table] ??= (Object.keys(HEX).length + 1).toString(16).padStart(4, '0')
  const prefix = `00000000-0000-7000-${HEX[table].replace(/^0/, '8')}-`
  return engine === 'postgres' ? `('${prefix}' || lpad(to_hex(${n}), 12, '0'))::uuid` : `printf('${prefix}%012x', ${n})`
}

/** The id itself. */
export const idAt = (table: string, n: number): string =>
  `00000000-0000-7000-${(nthId(table, 0), HEX[table] as string).replace(/^0/, '8')}-${n.toString(16).padStart(12, '0')}`

/** SQL for an instant, n minutes after the year 2020 began. */
export const nthInstant = (n: string): string =>
  engine === 'postgres'
    ? `timestamptz '2020-01-01T00:00:00Z' + (${n}) * interval '1 minute'`
    : `strftime('%Y-%m-%dT%H:%M:%fZ', '2020-01-01', '+' || (${n}) || ' minutes')`

export const text = (value: string): string => `'${value}'`
/** SQL for one of the values, in turn. */
export const inTurn = (values: readonly string[], n = 'n'): string =>
  `case (${n}) % ${values.length} ${values.map((value, index) => `when ${index} then '${value}'`).join(' ')} end`
export const flag = (value: boolean): string => (engine === 'postgres' ? String(value) : value ? '1' : '0')

/** Runs a statement past the program. */
export const runSql = (test: TestApp, statement: string): Promise<unknown> =>
  test.app.database.schema.executeQuery(CompiledQuery.raw(statement))

/** Writes so many rows in one statement; each column is SQL over `n`, which counts from 1. */
export const fill = async (
  test: TestApp,
  table: string,
  count: number,
  columns: Record<string, string>,
): Promise<void> => {
  const source =
    engine === 'postgres'
      ? `generate_series(1, ${count}) as series(n)`
      : `(with recursive series(n) as (select 1 union all select n + 1 from series where n < ${count}) select n from series)`
  const names = Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(', ')
  await runSql(test, `insert into "${table}" (${names}) select ${Object.values(columns).join(', ')} from ${source}`)
}
