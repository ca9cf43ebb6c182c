import type { Engine } from '#db/database.ts'

const HEX: Record<string, string> = {}

const prefixOf = (table: string): string => {
  HEX[table] ??= (Object.keys(HEX).length + 1).toString(16).padStart(4, '0')
  return `00000000-0000-7000-${HEX[table].replace(/^0/, '8')}-`
}

/** The id that `nthId` gives the n-th row of a table. */
export const idAt = (table: string, n: number): string => prefixOf(table) + n.toString(16).padStart(12, '0')

export const text = (value: string): string => `'${value}'`

/** SQL that takes each of the values in turn. */
export const inTurn = (values: readonly string[], n = 'n'): string =>
  `case (${n}) % ${values.length} ${values.map((value, index) => `when ${index} then '${value}'`).join(' ')} end`

export type FillWords = Omit<ReturnType<typeof fillSql>, 'insert'>

/** SQL fragments for writing many rows at once on an engine; `n` is SQL too. */
export const fillSql = (engine: Engine) => {
  const postgres = engine === 'postgres'
  return {
    /** SQL for the id of the n-th row of a table. */
    nthId: (table: string, n: string | number): string =>
      postgres
        ? `('${prefixOf(table)}' || lpad(to_hex(${n}), 12, '0'))::uuid`
        : `printf('${prefixOf(table)}%012x', ${n})`,
    /** SQL for an instant, n minutes after the year 2020 began. */
    nthInstant: (n: string): string =>
      postgres
        ? `timestamptz '2020-01-01T00:00:00Z' + (${n}) * interval '1 minute'`
        : `strftime('%Y-%m-%dT%H:%M:%fZ', '2020-01-01', '+' || (${n}) || ' minutes')`,
    /** Casts SQL text to an id. */
    uuid: (sql: string): string => (postgres ? `(${sql})::uuid` : sql),
    /** SQL for a day, from SQL for its text. */
    day: (sql: string): string => (postgres ? `(${sql})::date` : sql),
    flag: (value: boolean): string => (postgres ? String(value) : value ? '1' : '0'),
    /** A statement that inserts so many rows; each column is SQL over `n`, which counts from 1. */
    insert: (table: string, count: number, columns: Record<string, string>): string => {
      const source = postgres
        ? `generate_series(1, ${count}) as series(n)`
        : `(with recursive series(n) as (select 1 union all select n + 1 from series where n < ${count}) select n from series)`
      const names = Object.keys(columns)
        .map((name) => `"${name}"`)
        .join(', ')
      return `insert into "${table}" (${names}) select ${Object.values(columns).join(', ')} from ${source}`
    },
  }
}
