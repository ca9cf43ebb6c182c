import type { Database as Connection } from 'better-sqlite3'

/**
 * SQLite without statistics takes an equality on an index's first column to leave ten rows: that column is the institute
 * everywhere, and leaves all of them. What a large school looks like is written down instead of counted, so that the
 * plans are those of a large school on the first day, and the same wherever the program runs.
 */
const ROWS = 200_000

/** How many of them have the same value of a column; a column that is not named here has one or two rows to a value. */
const ROWS_OF_A_VALUE: Readonly<Record<string, number>> = {
  tenant_id: ROWS,
  is_active: 100_000,
  is_primary: 100_000,
  is_payer: 100_000,
  state: 50_000,
  status: 40_000,
  method: 40_000,
  actor_user_id: 20_000,
  branch_id: 20_000,
  endpoint_id: 20_000,
  entity_type: 20_000,
  role_id: 20_000,
  unlinked_branch_id: 20_000,
  action: 5000,
  category_id: 5000,
  course_id: 5000,
  tag: 5000,
  lane: 1000,
  due_date: 200,
  teacher_staff_id: 100,
  group_id: 30,
  session_id: 30,
  entity_id: 10,
  student_id: 10,
  guardian_id: 3,
  invoice_id: 3,
}

const FEW = 2

/** Rows in all, then rows with the same value of the first column, of the first two, and so on. */
const statOf = (columns: readonly string[], unique: boolean): string => {
  let rows = ROWS
  const shares = columns.map((column, index) => {
    rows = Math.max(1, Math.round((rows * (ROWS_OF_A_VALUE[column] ?? FEW)) / ROWS))
    return unique && index === columns.length - 1 ? 1 : rows
  })
  return [ROWS, ...shares].join(' ')
}

/** Writes the statistics of every index; what stands there is replaced. */
export const writeStatistics = (raw: Connection): void => {
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
      insert.run(tbl, idx, statOf(columns.split(','), unique === 1))
    }
    raw.exec('analyze sqlite_schema')
  })()
}
