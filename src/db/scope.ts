import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  expressionBuilder,
  ExpressionWrapper,
  type IdentifierNode,
  ListNode,
  OnNode,
  OperationNodeTransformer,
  OperatorNode,
  ParensNode,
  PrimitiveValueListNode,
  RawNode,
  ReferenceNode,
  sql,
  TableNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
  type DeleteQueryNode,
  type InsertQueryNode,
  type JoinNode,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  type SelectQueryNode,
  type SqlBool,
  type UnknownRow,
  type UpdateQueryNode,
} from 'kysely'
import { KeptFor } from '#kernel/kept.ts'
import type { Reach } from '#kernel/permissions.ts'
import type { ReachPath, ScopedDb, SystemDb, TableRule, TableRules, Tables } from '#kernel/tables.ts'

/** A query that the scope cannot narrow for certain. It never reaches the database. */
export class ScopeRefusal extends Error {
  constructor(what: string) {
    super(`tenant scope: ${what}`)
    this.name = 'ScopeRefusal'
  }
}

const refuse = (what: string): never => {
  throw new ScopeRefusal(what)
}

/** Fragments of raw SQL that db/dialect vouches for: they narrow nothing by themselves and name no unscoped rows. */
const vouched = new WeakSet<readonly string[]>()
export const vouchFor = (fragments: readonly string[]): void => {
  vouched.add(fragments)
}

interface Scope {
  tenantId: string
  rules: TableRules
  reach: Reach
}

const column = (alias: string, name: string): ReferenceNode =>
  ReferenceNode.create(ColumnNode.create(name), TableNode.create(alias))

const equals = (alias: string, name: string, value: string): OperationNode =>
  BinaryOperationNode.create(column(alias, name), OperatorNode.create('='), ValueNode.create(value))

// oxlint-disable-next-line typescript/no-explicit-any -- table names are data here, not types
const build = expressionBuilder<any, any>()

/**
 * Says that the row called `alias` leads along `path` to one of `ids`; `depth` names the rows on the way.
 *
 * Where rows of another table lead there, a branch is found by asking each row for its way: a branch holds much of what
 * there is, and reading one record has to cost the same in a large one. The groups of a teacher hold little of it: a way
 * to them begins at the groups, so that a list costs by what the teacher has.
 */
const along = (
  scope: Scope,
  alias: string,
  path: ReachPath,
  kind: 'branch' | 'group',
  ids: readonly string[],
  depth = 0,
  oneOfSeveral = false,
): OperationNode => {
  const row = `_reach${depth}`
  const rowsOf = (table: string, key: string) =>
    build
      .selectFrom(`${table} as ${row}`)
      .select(`${row}.${key}`)
      .where(() => asExpression(equals(row, 'tenant_id', scope.tenantId)))
  const onward = (next: ReachPath) => () => asExpression(along(scope, row, next, kind, ids, depth + 1))
  const exists = (rows: ReturnType<typeof rowsOf>): OperationNode =>
    // Postgres would answer one of several ways for all rows beforehand, from the whole table; an offset forbids it.
    build.exists(oneOfSeveral ? rows.limit(sql.lit(1)).offset(sql.lit(0)) : rows).toOperationNode()
  if ('any' in path) {
    return build
      .or(path.any.map((way) => asExpression(along(scope, alias, way, kind, ids, depth, true))))
      .toOperationNode()
  }
  if ('link' in path) {
    const { link, key, column: name, of } = path
    const rows = rowsOf(link, key).where(onward({ column: name, of }))
    if (kind === 'group') return build(`${alias}.id`, 'in', rows).toOperationNode()
    return exists(rows.whereRef(`${row}.${key}`, '=', `${alias}.id`))
  }
  if ('of' in path) {
    const { column: name, of } = path
    const rule = scope.rules[of]
    const next = rule?.kind === 'tenant' ? rule[kind] : undefined
    if (!next) return refuse(`no way to the ${kind} from ${of}`)
    // What it names is the branch or group itself, and of the row's own institute: that is in the foreign key.
    if ('column' in next && next.column === 'id') return build(`${alias}.${name}`, 'in', ids).toOperationNode()
    return exists(rowsOf(of, 'id').whereRef(`${row}.id`, '=', `${alias}.${name}`).where(onward(next)))
  }
  return build(`${alias}.${path.column}`, 'in', ids).toOperationNode()
}

const asExpression = (node: OperationNode): ExpressionWrapper<Tables, never, SqlBool> => new ExpressionWrapper(node)

/**
 * Narrows every query to the rows of one tenant and, where the caller's permission reaches only some branches or
 * groups, to those. A shape that it cannot narrow for certain is refused.
 */
class ScopeTransformer extends OperationNodeTransformer {
  readonly #scope: Scope
  readonly #ctes = new Set<string>()

  constructor(scope: Scope) {
    super()
    this.#scope = scope
  }

  transformRoot(node: RootOperationNode, queryId: QueryId): RootOperationNode {
    this.#ctes.clear()
    if (!/^(Select|Insert|Update|Delete)QueryNode$/.test(node.kind)) refuse(node.kind)
    return this.transformNode(node, queryId)
  }

  protected override transformNodeImpl<T extends OperationNode>(node: T, queryId: QueryId): T {
    this.#refuseUnknownShapes(node)
    for (const name of cteNames(node)) {
      // No table's name starts with _, so a common table expression never hides one.
      if (!name.startsWith('_')) refuse(`the common table expression ${name} must start with _`)
      this.#ctes.add(name)
    }
    const out = super.transformNodeImpl(node, queryId)
    switch (node.kind) {
      case 'SelectQueryNode':
        return this.#narrowSelect(node as unknown as SelectQueryNode, out as unknown as SelectQueryNode) as unknown as T
      case 'UpdateQueryNode':
        return this.#narrowUpdate(node as unknown as UpdateQueryNode, out as unknown as UpdateQueryNode) as unknown as T
      case 'DeleteQueryNode':
        return this.#narrowDelete(node as unknown as DeleteQueryNode, out as unknown as DeleteQueryNode) as unknown as T
      case 'InsertQueryNode':
        return this.#stampInsert(node as unknown as InsertQueryNode, out as unknown as InsertQueryNode) as unknown as T
      default:
        return out
    }
  }

  #refuseUnknownShapes(node: OperationNode): void {
    if (node.kind === 'MergeQueryNode') refuse('merge')
    const insert = node as { replace?: unknown; orAction?: unknown }
    if (node.kind === 'InsertQueryNode' && (insert.replace || insert.orAction)) refuse('replace')
    if (
      RawNode.is(node) &&
      !vouched.has(node.sqlFragments) &&
      /[()]|\b(select|from|join|with)\b/i.test(node.sqlFragments.join('?'))
    ) {
      refuse('raw SQL')
    }
  }

  /** The names under which scoped tables stand in a FROM, INTO or JOIN; sub-selects and CTEs are narrowed inside. */
  #aliases(node: OperationNode): [alias: string, rule: TableRule][] {
    const inner = AliasNode.is(node) ? node.node : node
    if (ListNode.is(inner)) return inner.items.flatMap((item) => this.#aliases(item))
    if (!TableNode.is(inner)) return inner.kind === 'SelectQueryNode' ? [] : refuse(inner.kind)
    const name = inner.table.identifier.name
    if (this.#ctes.has(name)) return []
    const rule = this.#scope.rules[name]
    if (inner.table.schema || !rule || rule.kind === 'system') return refuse(`${name} is out of reach`)
    const alias = AliasNode.is(node) ? (node.alias as IdentifierNode).name : name
    return [[alias, rule]]
  }

  #condition(given: OperationNode | undefined, tables: [string, TableRule][]): OperationNode | undefined {
    let all: OperationNode | undefined = given && ParensNode.create(given)
    const add = (node: OperationNode) => {
      all = all ? AndNode.create(all, node) : node
    }
    for (const [alias, rule] of tables) {
      if (rule.kind === 'self') add(equals(alias, 'id', this.#scope.tenantId))
      if (rule.kind !== 'tenant') continue
      add(equals(alias, 'tenant_id', this.#scope.tenantId))
      const reached = this.#reached(alias, rule)
      if (reached) add(reached)
    }
    return all
  }

  #reached(alias: string, rule: TableRule & { kind: 'tenant' }): OperationNode | undefined {
    const { reach } = this.#scope
    if (reach === 'all' || (!rule.branch && !rule.group)) return undefined
    const ways: OperationNode[] = []
    if (rule.branch && reach.branchIds.length > 0) {
      ways.push(along(this.#scope, alias, rule.branch, 'branch', reach.branchIds))
    }
    if (rule.group && reach.groupIds.length > 0) {
      ways.push(along(this.#scope, alias, rule.group, 'group', reach.groupIds))
    }
    if (ways.length === 0) return build.lit(false).toOperationNode()
    return build.or(ways.map(asExpression)).toOperationNode()
  }

  #where(out: { where?: WhereNode }, tables: [string, TableRule][]): { where?: WhereNode } {
    const condition = this.#condition(out.where?.where, tables)
    return condition ? { where: WhereNode.create(condition) } : {}
  }

  /** Inner joins narrow in WHERE as well as in ON would; outer joins must narrow in ON, or they would stop being outer. */
  #joins(node: { joins?: readonly JoinNode[] }, out: { joins?: readonly JoinNode[] }, tables: [string, TableRule][]) {
    if (!out.joins) return {}
    const joins = out.joins.map((join, index) => {
      if (/Right|Full|Using|Apply/.test(join.joinType)) refuse(join.joinType)
      const joined = this.#aliases((node.joins as readonly JoinNode[])[index]?.table as OperationNode)
      if (!join.on) {
        tables.push(...joined)
        return join
      }
      const condition = this.#condition(join.on.on, joined)
      return condition ? { ...join, on: OnNode.create(condition) } : join
    })
    return { joins }
  }

  #narrowSelect(node: SelectQueryNode, out: SelectQueryNode): SelectQueryNode {
    const tables = (node.from?.froms ?? []).flatMap((from) => this.#aliases(from))
    const joins = this.#joins(node, out, tables)
    return { ...out, ...joins, ...this.#where(out, tables) }
  }

  #narrowUpdate(node: UpdateQueryNode, out: UpdateQueryNode): UpdateQueryNode {
    const tables = node.table ? this.#aliases(node.table) : []
    if (tables.some(([, rule]) => rule.kind === 'shared'))
      refuse('a row of no institute cannot be changed from inside one')
    for (const from of node.from?.froms ?? []) tables.push(...this.#aliases(from))
    for (const update of node.updates ?? []) {
      if (columnName(update.column) === 'tenant_id') refuse('tenant_id cannot be set')
    }
    const joins = this.#joins(node, out, tables)
    return { ...out, ...joins, ...this.#where(out, tables) }
  }

  #narrowDelete(node: DeleteQueryNode, out: DeleteQueryNode): DeleteQueryNode {
    const tables = node.from.froms.flatMap((from) => this.#aliases(from))
    if (tables.some(([, rule]) => rule.kind !== 'tenant')) refuse('only rows of the institute can be deleted')
    for (const using of node.using?.tables ?? []) tables.push(...this.#aliases(using))
    const joins = this.#joins(node, out, tables)
    return { ...out, ...joins, ...this.#where(out, tables) }
  }

  #stampInsert(node: InsertQueryNode, out: InsertQueryNode): InsertQueryNode {
    const tables = node.into ? this.#aliases(node.into) : []
    const rule = tables[0]?.[1]
    if (rule?.kind === 'shared' && rule.insertable && !out.onConflict?.updates) return out
    if (rule?.kind !== 'tenant') refuse('only tables of the institute can be inserted into')
    const { values, columns, onConflict } = out
    if (!values || !ValuesNode.is(values) || !columns) return refuse('insert without values')
    if (columns.some((c) => c.column.name === 'tenant_id')) refuse('tenant_id cannot be set')
    const { tenantId } = this.#scope
    return {
      ...out,
      columns: [...columns, ColumnNode.create('tenant_id')],
      values: ValuesNode.create(
        values.values.map((row) =>
          PrimitiveValueListNode.is(row)
            ? PrimitiveValueListNode.create([...row.values, tenantId])
            : ValueListNode.create([...row.values, ValueNode.create(tenantId)]),
        ),
      ),
      ...(onConflict?.updates && {
        onConflict: {
          ...onConflict,
          updateWhere: WhereNode.create(this.#condition(onConflict.updateWhere?.where, tables) as OperationNode),
        },
      }),
    }
  }
}

const cteNames = (node: OperationNode): string[] => {
  const { with: clause } = node as {
    with?: { expressions: readonly { name: { table: { table: { identifier: { name: string } } } } }[] }
  }
  return clause?.expressions.map((expression) => expression.name.table.table.identifier.name) ?? []
}

const columnName = (node: OperationNode): string | undefined => {
  const { column: inner } = node as { column?: { name?: string; column?: { name?: string } } }
  return inner?.name ?? inner?.column?.name
}

/** The Kysely plugin that keeps a handle inside one tenant and one reach. */
export class TenantScope implements KyselyPlugin {
  readonly #transformer: ScopeTransformer

  constructor(scope: Scope) {
    this.#transformer = new ScopeTransformer(scope)
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformRoot(node, queryId)
  }
  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }
}

const narrowed = new WeakMap<ScopedDb, { db: SystemDb; scope: Scope }>()

/** A plugin is costly to make and holds nothing of the queries that pass it: those of whole institutes are kept. */
const plugins = new KeptFor<TableRules, string, TenantScope>(1000)

const pluginOf = (scope: Scope): TenantScope =>
  scope.reach === 'all'
    ? plugins.of(scope.rules).get(scope.tenantId, () => new TenantScope(scope))
    : new TenantScope(scope)

/** A handle on `db` that sees and makes only rows of this tenant, and among them only those within `reach`. */
export const scoped = (db: SystemDb, scope: Scope): ScopedDb => {
  const handle = db.withPlugin(pluginOf(scope))
  narrowed.set(handle, { db, scope })
  return handle
}

/** What a handle was made of. */
export const scopeOf = (handle: ScopedDb): { db: SystemDb; scope: Scope } =>
  narrowed.get(handle) ?? refuse('a handle that was not made here')
