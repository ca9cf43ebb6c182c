import type { Database as Connection } from 'better-sqlite3'

/**
 * Without statistics, SQLite assumes that an equality on the first column of an index leaves ten rows. Here that column
 * is the tenant, and all rows remain. So the statistics of a large school are written as constants instead of being
 * measured. The query plans then suit a large school from the first day, and are the same everywhere.
 */
const ROWS = 200_000

/** Rows per value of a column that is not mentioned. */
const DEFAULT_ROWS_OF_A_VALUE = 2

/**
 * SQLite would use an index by its second column for what is not asked of one institute, and try each value of the first
 * (a skip scan). These statistics know one institute, but there may be ten thousand.
 */
const NO_SKIP_SCAN = 'noskipscan'

/**
 * A row of sqlite_stat1: the number of rows, then the rows with the same value in the first column, in the first two,
 * and so on.
 */
const statOf = (
  columns: readonly string[],
  unique: boolean,
  rowsOfAValue: Readonly<Record<string, number>>,
): string => {
  let rows = ROWS
  const shares = columns.map((column, index) => {
    const alike = column === 'tenant_id' ? ROWS : (rowsOfAValue[column] ?? DEFAULT_ROWS_OF_A_VALUE)
    rows = Math.max(1, Math.round((rows * alike) / ROWS))
    return unique && index === columns.length - 1 ? 1 : rows
  })
  return [ROWS, ...shares, ...(columns[0] === 'tenant_id' ? [NO_SKIP_SCAN] : [])].join(' ')
}

/**
 * Writes the statistics of all indexes and replaces the existing ones.
 * @param rowsOfAValue rows per value, for the columns that a migration mentions
 */
export const writeStatistics = (raw: Connection, rowsOfAValue: Readonly<Record<string, number>>): void => {
  const indexes = raw
    .prepare(
      `select tables.name as tbl, indexes.name as idx, indexes."unique" as is_unique,
         (select group_concat(name) from (select name from pragma_index_info(indexes.name) order by seqno)) as columns
       from sqlite_schema as tables join pragma_index_list(tables.name) as indexes
       where tables.type = 'table' and tables.sql not like 'create virtual%'
         and tables.name not glob 'sqlite_*' and tables.name not glob '*_search_*' and tables.name not glob 'schema_*'`,
    )
    .all() as { tbl: string; idx: string; is_unique: number; columns: string }[]
  raw.transaction(() => {
    raw.exec('analyze sqlite_schema')
    raw.exec('delete from sqlite_stat1')
    const insert = raw.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)')
    for (const { tbl, idx, is_unique: unique, columns } of indexes) {
      insert.run(tbl, idx, statOf(columns.split(','), unique === 1, rowsOfAValue))
    }
    raw.exec('analyze sqlite_schema')
  })()
}
