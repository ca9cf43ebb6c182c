import {
  AliasNode,
  AndNode,
  ColumnNode,
  type IdentifierNode,
  ListNode,
  OnNode,
  OperationNodeTransformer,
  ParensNode,
  PrimitiveValueListNode,
  RawNode,
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
  type UnknownRow,
  type UpdateQueryNode,
} from 'kysely'
import { BoundedCaches } from '#kernel/basics/bounded-cache.ts'
import type { OutsideDb, ScopedDb, SystemDb, TableRule, TableRules } from '#kernel/contract/tables.ts'
import { equals, reachCondition, refuse, type Scope } from './reach.ts'

/** Fragments of raw SQL that this folder declares safe: they contain no unscoped rows and cannot weaken the scope. */
const safeFragments = new WeakSet<readonly string[]>()
/** Declares fragments of raw SQL safe, so that the tenant scope accepts them. */
export const declareSafe = (fragments: readonly string[]): void => {
  safeFragments.add(fragments)
}

/** A table in a query that the scope applies to. */
interface ScopedTable {
  alias: string
  table: string
  rule: TableRule
}

/** A scope without an institute. It refuses all rows inside institutes. */
interface Outside {
  tenantId: undefined
  rules: TableRules
}

/**
 * Limits every query to the rows of one tenant and, if the caller's permission covers only some branches or groups, to
 * those. It refuses a query whose shape it cannot safely narrow.
 */
class ScopeTransformer extends OperationNodeTransformer {
  readonly #scope: Scope | Outside
  readonly #ctes = new Set<string>()
  /** Nodes never change, so a subquery that was built on the same handle is narrowed already. */
  readonly #narrowed = new WeakSet<OperationNode>()

  constructor(scope: Scope | Outside) {
    super()
    this.#scope = scope
  }

  transformRoot(node: RootOperationNode, queryId: QueryId): RootOperationNode {
    this.#ctes.clear()
    if (!/^(Select|Insert|Update|Delete)QueryNode$/.test(node.kind)) refuse(node.kind)
    return this.transformNode(node, queryId)
  }

  protected override transformNodeImpl<T extends OperationNode>(node: T, queryId: QueryId): T {
    if (this.#narrowed.has(node)) return node
    this.#refuseUnknownShapes(node)
    for (const name of cteNames(node)) {
      // No table name starts with _, so a common table expression never hides a table.
      if (!name.startsWith('_')) refuse(`the common table expression ${name} must start with _`)
      this.#ctes.add(name)
    }
    const out = super.transformNodeImpl(node, queryId)
    switch (node.kind) {
      case 'SelectQueryNode': {
        const narrowed = this.#narrowSelect(node as unknown as SelectQueryNode, out as unknown as SelectQueryNode)
        this.#narrowed.add(narrowed)
        return narrowed as unknown as T
      }
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
      !safeFragments.has(node.sqlFragments) &&
      /[()]|\b(select|from|join|with)\b/i.test(node.sqlFragments.join('?'))
    ) {
      refuse('raw SQL')
    }
  }

  /** The aliases of scoped tables in a FROM, INTO or JOIN. Sub-selects and CTEs are narrowed on their own. */
  #aliases(node: OperationNode): ScopedTable[] {
    const inner = AliasNode.is(node) ? node.node : node
    if (ListNode.is(inner)) return inner.items.flatMap((item) => this.#aliases(item))
    // A search index: it has no rows of its own, only those of a table that the query joins.
    if (RawNode.is(inner) && safeFragments.has(inner.sqlFragments)) return []
    if (!TableNode.is(inner)) return inner.kind === 'SelectQueryNode' ? [] : refuse(inner.kind)
    const name = inner.table.identifier.name
    if (this.#ctes.has(name)) return []
    const rule = this.#scope.rules[name]
    const outOfReach = this.#scope.tenantId === undefined ? 'tenant' : 'system'
    if (inner.table.schema || !rule || rule.kind === outOfReach) return refuse(`${name} is out of reach`)
    const alias = AliasNode.is(node) ? (node.alias as IdentifierNode).name : name
    return [{ alias, table: name, rule }]
  }

  #condition(given: OperationNode | undefined, tables: ScopedTable[]): OperationNode | undefined {
    const scope = this.#scope
    if (scope.tenantId === undefined) return given
    let all: OperationNode | undefined = given && ParensNode.create(given)
    const add = (node: OperationNode) => {
      all = all ? AndNode.create(all, node) : node
    }
    for (const { alias, table, rule } of tables) {
      if (rule.kind === 'self') add(equals(alias, 'id', scope.tenantId))
      if (rule.kind !== 'tenant') continue
      add(equals(alias, 'tenant_id', scope.tenantId))
      const reached = reachCondition(scope, table, alias)
      if (reached) add(reached)
    }
    return all
  }

  #where(out: { where?: WhereNode }, tables: ScopedTable[]): { where?: WhereNode } {
    const condition = this.#condition(out.where?.where, tables)
    return condition ? { where: WhereNode.create(condition) } : {}
  }

  /**
   * For inner joins the condition can be in WHERE; for outer joins it must be in ON, or they would become inner joins.
   */
  #joins(node: { joins?: readonly JoinNode[] }, out: { joins?: readonly JoinNode[] }, tables: ScopedTable[]) {
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
    const isInside = this.#scope.tenantId !== undefined
    if (isInside && tables.some(({ rule }) => rule.kind === 'shared'))
      refuse('a row of no institute cannot be changed from inside one')
    for (const from of node.from?.froms ?? []) tables.push(...this.#aliases(from))
    for (const update of node.updates ?? []) {
      if (isInside && columnName(update.column) === 'tenant_id') refuse('tenant_id cannot be set')
    }
    const joins = this.#joins(node, out, tables)
    return { ...out, ...joins, ...this.#where(out, tables) }
  }

  #narrowDelete(node: DeleteQueryNode, out: DeleteQueryNode): DeleteQueryNode {
    const tables = node.from.froms.flatMap((from) => this.#aliases(from))
    if (this.#scope.tenantId !== undefined && tables.some(({ rule }) => rule.kind !== 'tenant'))
      refuse('only rows of the institute can be deleted')
    for (const using of node.using?.tables ?? []) tables.push(...this.#aliases(using))
    const joins = this.#joins(node, out, tables)
    return { ...out, ...joins, ...this.#where(out, tables) }
  }

  #stampInsert(node: InsertQueryNode, out: InsertQueryNode): InsertQueryNode {
    const tables = node.into ? this.#aliases(node.into) : []
    const { tenantId } = this.#scope
    if (tenantId === undefined) return out
    const rule = tables[0]?.rule
    if (rule?.kind === 'shared' && rule.insertable && !out.onConflict?.updates) return out
    if (rule?.kind !== 'tenant') refuse('only tables of the institute can be inserted into')
    const { values, columns, onConflict } = out
    if (!values || !ValuesNode.is(values) || !columns) return refuse('insert without values')
    if (columns.some((c) => c.column.name === 'tenant_id')) refuse('tenant_id cannot be set')
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

/** A Kysely plugin that limits a handle to one tenant and one reach. */
export class TenantScope implements KyselyPlugin {
  readonly #transformer: ScopeTransformer

  constructor(scope: Scope | Outside) {
    this.#transformer = new ScopeTransformer(scope)
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformRoot(node, queryId)
  }
  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }
}

const origins = new WeakMap<ScopedDb, { db: SystemDb; scope: Scope }>()

/** Caches the plugins for whole institutes: making one is slow, and it keeps no state of a query. */
const plugins = new BoundedCaches<TableRules, string, TenantScope>(1000)

const pluginOf = (scope: Scope): TenantScope =>
  scope.reach === 'all'
    ? plugins.of(scope.rules).get(scope.tenantId, () => new TenantScope(scope))
    : new TenantScope(scope)

const bases = new WeakMap<OutsideDb, SystemDb>()

/** One per set of table rules, because tests compose several programs in one process. */
const outsidePlugins = new WeakMap<TableRules, TenantScope>()

/** Returns a handle on `db` that can only use rows outside all institutes. */
export const outside = (db: SystemDb, rules: TableRules): OutsideDb => {
  const plugin = outsidePlugins.get(rules) ?? new TenantScope({ tenantId: undefined, rules })
  outsidePlugins.set(rules, plugin)
  const handle = db.withPlugin(plugin) as SystemDb & OutsideDb
  bases.set(handle, db)
  return handle
}

/**
 * The database under a handle of `outside`. A compiled query runs on it, because it was narrowed when it was compiled.
 */
export const baseOf = (handle: OutsideDb): SystemDb => bases.get(handle) ?? refuse('a handle that was not made here')

/** Whether the handle was made by `outside`. */
export const isOutside = (handle: ScopedDb): boolean => bases.has(handle)

/** The database under any handle. */
export const underlying = (handle: ScopedDb): SystemDb => origins.get(handle)?.db ?? baseOf(handle)

/** Returns a handle on `db` that can only use rows of this tenant within `reach`. */
export const scoped = (db: SystemDb, scope: Scope): ScopedDb => {
  const handle = db.withPlugin(pluginOf(scope)) as SystemDb & ScopedDb
  origins.set(handle, { db, scope })
  return handle
}

/** The database and the scope that a handle was made from; undefined: it was not made by `scoped`. */
export const scopeIfAny = (handle: ScopedDb): { db: SystemDb; scope: Scope } | undefined => origins.get(handle)

/** The database and the scope that a handle was made from. */
export const scopeOf = (handle: ScopedDb): { db: SystemDb; scope: Scope } =>
  scopeIfAny(handle) ?? refuse('a handle that was not made here')
