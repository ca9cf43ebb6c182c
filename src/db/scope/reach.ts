import {
  BinaryOperationNode,
  ColumnNode,
  expressionBuilder,
  ExpressionWrapper,
  OperatorNode,
  ReferenceNode,
  sql,
  TableNode,
  ValueNode,
  type OperationNode,
  type SqlBool,
} from 'kysely'
import type { Reach } from '#kernel/rights/permissions.ts'
import type { OneReachPath, ReachPath, TableRules, Tables } from '#kernel/contract/tables.ts'

/** Conditions that select the rows of an institute that a caller may reach. */

/** A query that the tenant scope cannot safely narrow. It is never sent to the database. */
export class ScopeRefusal extends Error {
  constructor(what: string) {
    super(`tenant scope: ${what}`)
    this.name = 'ScopeRefusal'
  }
}

/** @throws ScopeRefusal */
export const refuse = (what: string): never => {
  throw new ScopeRefusal(what)
}

export interface Scope {
  tenantId: string
  rules: TableRules
  reach: Reach
  /** Tables in which the reached branches have few rows (see smallTablesOf). Default: none. */
  smallTables?: ReadonlySet<string>
}

type Kind = 'branch' | 'group'

/** One path from a table to a branch or group, with the ids that it may end at. */
interface ReachRoute {
  kind: Kind
  path: OneReachPath
  ids: readonly string[]
}

/** The syntax tree of `alias.name = value`. */
export const equals = (alias: string, name: string, value: string): OperationNode =>
  BinaryOperationNode.create(
    ReferenceNode.create(ColumnNode.create(name), TableNode.create(alias)),
    OperatorNode.create('='),
    ValueNode.create(value),
  )

// oxlint-disable-next-line typescript/no-explicit-any -- table names are data here, not types
const expressions = expressionBuilder<any, any>()

const asExpression = (node: OperationNode): ExpressionWrapper<Tables, never, SqlBool> => new ExpressionWrapper(node)

const pathOf = ({ rules }: Scope, table: string, kind: Kind): ReachPath | undefined => {
  const rule = rules[table]
  return rule?.kind === 'tenant' ? rule[kind] : undefined
}

const routesOf = (scope: Scope, table: string, kind: Kind): ReachRoute[] => {
  const path = pathOf(scope, table, kind)
  const { reach } = scope
  if (!path || reach === 'all') return []
  const ids = kind === 'branch' ? reach.branchIds : reach.groupIds
  if (ids.length === 0) return []
  return ('any' in path ? path.any : [path]).map((one) => ({ kind, path: one, ids }))
}

/** Whether the rows of this table are the branches or groups themselves. */
const isRouteEnd = (scope: Scope, table: string, kind: Kind): boolean => {
  const path = pathOf(scope, table, kind)
  return path !== undefined && 'column' in path && path.column === 'id'
}

const isSmall = ({ smallTables }: Scope, table: string): boolean => smallTables?.has(table) ?? false

/**
 * Whether few rows of `of` are within reach and an index finds them. A teacher has few groups. What is reached in several
 * ways is few only where each leads to few: few guardians have a branch of their own, and many have its students.
 */
const hasFewOwners = (scope: Scope, of: string, kind: Kind): boolean =>
  kind === 'group'
    ? isRouteEnd(scope, of, kind)
    : isSmall(scope, of) && routesOf(scope, of, kind).every((way) => leadsToFewRows(scope, of, way))

const leadsToFewRows = (scope: Scope, table: string, { kind, path }: ReachRoute): boolean =>
  'of' in path ? hasFewOwners(scope, path.of, kind) : kind === 'group' || isSmall(scope, table)

// With `=`, SQLite reads the rows of an id in index order; with `in`, it sorts them, even for a single id.
const isOneOf = (column: string, ids: readonly string[]): OperationNode =>
  (ids.length === 1 ? expressions(column, '=', ids[0]) : expressions(column, 'in', ids)).toOperationNode()

/** A sub-select of rows of `table`; the alias contains `depth`, so that nested ones differ. */
const rowsOf = ({ tenantId }: Scope, table: string, key: string, depth: number) => {
  const row = `_reach${depth}`
  return expressions
    .selectFrom(`${table} as ${row}`)
    .select(`${row}.${key}`)
    .where(() => asExpression(equals(row, 'tenant_id', tenantId)))
}

/**
 * Returns the condition that the row with this alias leads along the route to one of its ids.
 *
 * By default, a route through other tables becomes an EXISTS that is checked for each row: the reached rows may be a
 * large part of the institute, and reading one record must not depend on their number. Where they are few, it becomes
 * an IN that starts from them, so that the cost of a list depends on the reached rows and not on the size of the
 * institute.
 */
const routeCondition = (
  scope: Scope,
  alias: string,
  way: ReachRoute,
  depth: number,
  oneOfSeveral: boolean,
): OperationNode => {
  const { kind, path, ids } = way
  const row = `_reach${depth}`
  const exists = (rows: ReturnType<typeof rowsOf>): OperationNode =>
    // Otherwise Postgres would evaluate one of several routes for all rows in advance, from the whole table; an offset
    // prevents that.
    expressions.exists(oneOfSeveral ? rows.limit(sql.lit(1)).offset(sql.lit(0)) : rows).toOperationNode()
  if ('link' in path) {
    const { link, key, column, of } = path
    const rows = rowsOf(scope, link, key, depth).where(() =>
      asExpression(routeCondition(scope, row, { kind, path: { column, of }, ids }, depth + 1, false)),
    )
    return leadsToFewRows(scope, link, way)
      ? expressions(`${alias}.id`, 'in', rows).toOperationNode()
      : exists(rows.whereRef(`${row}.${key}`, '=', `${alias}.id`))
  }
  const column = `${alias}.${path.column}`
  // The column contains the id of the branch or group itself. The foreign key ensures that it is in the same institute.
  if (!('of' in path) || isRouteEnd(scope, path.of, kind)) return isOneOf(column, ids)
  const ways = routesOf(scope, path.of, kind)
  if (ways.length === 0) return refuse(`no way to the ${kind} from ${path.of}`)
  const owners = rowsOf(scope, path.of, 'id', depth)
  const reached = () => asExpression(anyRouteCondition(scope, path.of, row, ways, depth + 1))
  return hasFewOwners(scope, path.of, kind)
    ? expressions(column, 'in', owners.where(reached)).toOperationNode()
    : exists(owners.whereRef(`${row}.id`, '=', column).where(reached))
}

const anyRouteCondition = (
  scope: Scope,
  table: string,
  alias: string,
  ways: readonly ReachRoute[],
  depth: number,
): OperationNode => {
  const several = ways.length > 1
  if (!several || !ways.every((way) => leadsToFewRows(scope, table, way))) {
    return expressions
      .or(ways.map((way) => asExpression(routeCondition(scope, alias, way, depth, several))))
      .toOperationNode()
  }
  // Neither engine starts from few rows when the conditions are combined with OR, so use a UNION ALL.
  const [first, ...others] = ways.map((way) =>
    rowsOf(scope, table, 'id', depth).where(() =>
      asExpression(routeCondition(scope, `_reach${depth}`, way, depth + 1, false)),
    ),
  ) as [ReturnType<typeof rowsOf>]
  return expressions(
    `${alias}.id`,
    'in',
    others.reduce((rows, more) => rows.unionAll(more), first),
  ).toOperationNode()
}

/** Returns the condition that a row is within reach; undefined: all rows of this table are. */
export const reachCondition = (scope: Scope, table: string, alias: string): OperationNode | undefined => {
  const { reach } = scope
  if (reach === 'all' || !(pathOf(scope, table, 'branch') || pathOf(scope, table, 'group'))) return undefined
  const ways = [...routesOf(scope, table, 'branch'), ...routesOf(scope, table, 'group')]
  return ways.length === 0 ? expressions.lit(false).toOperationNode() : anyRouteCondition(scope, table, alias, ways, 0)
}
