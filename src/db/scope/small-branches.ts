import { sql, type ExpressionBuilder } from 'kysely'
import type { SystemDb, TableRules } from '#kernel/contract/tables.ts'
import { compiled } from '#db/queries/compiled.ts'
import type { Scope } from './reach.ts'

/**
 * A branch may hold most of the institute's records or almost none. If it holds most, reading a list in its order soon
 * fills a page; if almost none, it reads the whole list. Up to this many records, a query starts from the records of
 * the branch instead. At this number, both ways take about the same time in a large institute.
 */
const SMALL_TABLE_ROWS = 300

interface BranchColumn {
  table: string
  /** The column that contains the branch id. */
  column: string
}

/**
 * The tables that have a branch column, if other tables are reached through them or if they can be reached in several
 * ways.
 */
const branchColumnsOf = (rules: TableRules): BranchColumn[] => {
  const paths = Object.entries(rules).flatMap(([table, rule]) => {
    const path = rule.kind === 'tenant' ? rule.branch : undefined
    if (!path) return []
    return 'any' in path
      ? path.any.map((one) => ({ table, path: one, several: true }))
      : [{ table, path, several: false }]
  })
  const owners = new Set(paths.flatMap(({ path }) => ('of' in path ? [path.of] : [])))
  return paths.flatMap(({ table, path, several }) =>
    'column' in path && !('of' in path) && (several || owners.has(table)) ? [{ table, column: path.column }] : [],
  )
}

/** Counts the rows of one branch in each table, up to SMALL_TABLE_ROWS + 1. */
const counterOf = (owned: readonly BranchColumn[]) =>
  compiled((db, { tenantId, branchId }: { tenantId: string; branchId: string }) =>
    db.selectNoFrom((builder) => {
      // oxlint-disable-next-line typescript/no-explicit-any -- table names are data here, not types
      const build = builder as unknown as ExpressionBuilder<any, any>
      return owned.map(({ table, column }) => {
        const rows = build
          .selectFrom(table)
          .select(sql.lit(1).as('one'))
          .where('tenant_id', '=', tenantId)
          .where(column, '=', branchId)
          .limit(sql.lit(SMALL_TABLE_ROWS + 1))
        const counted = build.selectFrom(rows.as('rows')).select(({ fn }) => fn.countAll<number>().as('count'))
        return counted.as(table)
      })
    }),
  )

interface RowCounter {
  owned: BranchColumn[]
  count: (db: SystemDb, branch: { tenantId: string; branchId: string }) => Promise<Record<string, number | null>[]>
}

const counters = new WeakMap<TableRules, RowCounter>()

const counterFor = (rules: TableRules): RowCounter => {
  const known = counters.get(rules)
  if (known) return known
  const owned = branchColumnsOf(rules)
  const counter = { owned, count: counterOf(owned) }
  counters.set(rules, counter)
  return counter
}

/** Returns the tables in which the reached branches together have few rows. */
export const smallTablesOf = async (db: SystemDb, { tenantId, rules, reach }: Scope): Promise<ReadonlySet<string>> => {
  if (reach === 'all' || reach.branchIds.length === 0) return new Set()
  const { owned, count } = counterFor(rules)
  const counts = (await Promise.all(reach.branchIds.map((branchId) => count(db, { tenantId, branchId })))).flat()
  const rowsIn = (table: string) => counts.reduce((sum, tables) => sum + (tables[table] ?? 0), 0)
  return new Set(owned.map(({ table }) => table).filter((table) => rowsIn(table) <= SMALL_TABLE_ROWS))
}
