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
import type { Reach } from '#kernel/permissions.ts'
import type { OneReachPath, ReachPath, TableRules, Tables } from '#kernel/tables.ts'

/** How the rows that a caller reaches are told from the others of an institute. */

/** A query that the scope cannot narrow for certain. It never reaches the database. */
export class ScopeRefusal extends Error {
  constructor(what: string) {
    super(`tenant scope: ${what}`)
    this.name = 'ScopeRefusal'
  }
}

export const refuse = (what: string): never => {
  throw new ScopeRefusal(what)
}

export interface Scope {
  tenantId: string
  rules: TableRules
  reach: Reach
  /** Tables of which the reached branches hold few rows by a column of their own (see smallTablesOf). Default: none. */
  smallTables?: ReadonlySet<string>
}

type Kind = 'branch' | 'group'

/** One way on which a row is reached: its path ends at one of `ids`. */
interface ReachRoute {
  kind: Kind
  path: OneReachPath
  ids: readonly string[]
}

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

/** The records of this table are the branches or groups themselves. */
const isRouteEnd = (scope: Scope, table: string, kind: Kind): boolean => {
  const path = pathOf(scope, table, kind)
  return path !== undefined && 'column' in path && path.column === 'id'
}

/** Few records of `of` are within reach, and an index leads to them. The groups of a teacher are few. */
const hasFewOwners = (scope: Scope, of: string, kind: Kind): boolean =>
  kind === 'group' ? isRouteEnd(scope, of, kind) : (scope.smallTables?.has(of) ?? false)

const leadsToFewRows = (scope: Scope, table: string, { kind, path }: ReachRoute): boolean =>
  'of' in path ? hasFewOwners(scope, path.of, kind) : kind === 'group' || (scope.smallTables?.has(table) ?? false)

// SQLite reads the rows of one id in their order, and sorts those of a list of ids, be it of a single one.
const isOneOf = (column: string, ids: readonly string[]): OperationNode =>
  (ids.length === 1 ? expressions(column, '=', ids[0]) : expressions(column, 'in', ids)).toOperationNode()

/** Rows of `table`, called by their `depth`. */
const rowsOf = ({ tenantId }: Scope, table: string, key: string, depth: number) => {
  const row = `_reach${depth}`
  return expressions
    .selectFrom(`${table} as ${row}`)
    .select(`${row}.${key}`)
    .where(() => asExpression(equals(row, 'tenant_id', tenantId)))
}

/**
 * Says that the row called `alias` leads to the end of a way.
 *
 * Where the way goes through other records, each row is asked for them: what is there may be a large part of the
 * institute, and reading one record has to cost the same. Where they are few, it begins at them, so that a list costs by
 * what is reached and not by what the institute has.
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
    // Postgres would answer one of several ways for all rows beforehand, from the whole table; an offset forbids it.
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
  // What it names is the branch or group itself, and of the row's own institute: that is in the foreign key.
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
  // Neither engine begins at few rows behind an OR.
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

/** Says that a row is within reach; undefined: every row of this table is. */
export const reachCondition = (scope: Scope, table: string, alias: string): OperationNode | undefined => {
  const { reach } = scope
  if (reach === 'all' || !(pathOf(scope, table, 'branch') || pathOf(scope, table, 'group'))) return undefined
  const ways = [...routesOf(scope, table, 'branch'), ...routesOf(scope, table, 'group')]
  return ways.length === 0 ? expressions.lit(false).toOperationNode() : anyRouteCondition(scope, table, alias, ways, 0)
}
