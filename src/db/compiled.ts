import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import { BoundedCache, BoundedCaches } from '#kernel/bounded-cache.ts'
import { countingRowsOf, withReadingThreadFallback, readsOnlyWhatItReturns, rootOf } from './long-reads.ts'
import type { Engine } from './database.ts'
import { engineOf } from './dialect.ts'
import { OneConnectionAdapter, plannedOnce } from './sqlite.ts'
import type { Scope } from './reach.ts'
import { baseOf, scopeOf, scoped } from './scope.ts'
import type { OutsideDb, ScopedDb, SystemDb, TableRules } from '#kernel/tables.ts'

/** To build, narrow and compile a query takes longer than to run it: the queries of hot paths are compiled once. */

/** What a compiled query runs with. */
interface QueryInput {
  values: unknown
  /** Of the handle it runs on, where that is of one institute. */
  scope?: Scope
}

/** Stands in a query for a value that is known when it runs. */
class Slot {
  readonly of: (given: QueryInput) => unknown

  constructor(of: (given: QueryInput) => unknown) {
    this.of = of
  }
}

/** A slot for every field that is asked for. */
const slots: object = new Proxy(
  {},
  { get: (_, name) => new Slot(({ values }) => (values as Record<PropertyKey, unknown>)[name]) },
)

const run = <Row>(db: SystemDb, query: CompiledQuery<Row>, given: QueryInput): Promise<QueryResult<Row>> => {
  const executor = db.getExecutor()
  // A handle that has ended refuses it here, as it refuses what is built on it.
  executor.transformQuery(query.query, query.queryId)
  const filled = {
    ...query,
    parameters: query.parameters.map((value) => (value instanceof Slot ? value.of(given) : value)),
  }
  const { adapter } = executor
  // Where there is one connection nobody need wait to be handed it.
  return adapter instanceof OneConnectionAdapter
    ? adapter.connection.executeQuery<Row>(filled)
    : executor.executeQuery<Row>(filled)
}

const isSlot = (parameter: unknown): boolean => parameter instanceof Slot

const compile = <Row>(db: SystemDb, query: Compilable<Row>): CompiledQuery<Row> =>
  engineOf(db) === 'sqlite' ? plannedOnce(query.compile(), isSlot) : query.compile()

/** The query as it counts the rows that it looks at, where it may look at more than it shows. */
const withRowBudget = <Row>(db: SystemDb, query: CompiledQuery<Row>, column: string): CompiledQuery<Row> => {
  const executor = db.getExecutor()
  const { adapter } = executor
  if (!(adapter instanceof OneConnectionAdapter)) return query
  if (readsOnlyWhatItReturns(query.query, adapter.connection.planOf(query))) return query
  return plannedOnce(executor.compileQuery<Row>(countingRowsOf(query.query, column), query.queryId), isSlot)
}

/** Its tree takes as much memory as all else of it, and there may be a hundred queries of one list. */
const withoutTree = <Row>(query: CompiledQuery<Row>): CompiledQuery<Row> => ({ ...query, query: rootOf(query.query) })

const ENGINES = 2

/** A query outside any institute. `build` gets a slot in the place of each value; a value that is a list has no slot. */
export const compiledQuery = <V extends object, Row>(build: (db: SystemDb, values: V) => Compilable<Row>) => {
  const made = new BoundedCache<Engine, CompiledQuery<Row>>(ENGINES)
  return (db: SystemDb, values: V): Promise<QueryResult<Row>> => {
    const query = made.get(engineOf(db), () => compile(db, build(db, slots as V)))
    return run(db, query, { values })
  }
}

/** The rows of such a query. */
export const compiled = <V extends object, Row>(build: (db: SystemDb, values: V) => Compilable<Row>) => {
  const query = compiledQuery(build)
  return async (db: SystemDb, values: V): Promise<Row[]> => (await query(db, values)).rows
}

/** More rows than this at once are rare; their statement is built each time. */
const MAX_COMPILED_ROWS = 4

/** Adds rows of a table that belongs to no institute. @param columns all of the row's */
export const compiledInsert = <R extends object>(
  columns: readonly (keyof R & string)[],
  build: (db: SystemDb, rows: R[]) => Compilable,
) => {
  const made = new BoundedCache<string, CompiledQuery>(ENGINES * MAX_COMPILED_ROWS)
  const slotRows = (count: number): R[] =>
    Array.from(
      { length: count },
      (_, index) =>
        Object.fromEntries(
          columns.map((name) => [name, new Slot(({ values }) => (values as R[])[index]?.[name])]),
        ) as R,
    )
  return async (db: SystemDb, rows: R[]): Promise<void> => {
    if (rows.length > MAX_COMPILED_ROWS) {
      await db.executeQuery(build(db, rows).compile())
      return
    }
    const query = made.get(`${engineOf(db)} ${rows.length}`, () => compile(db, build(db, slotRows(rows.length))))
    await run(db, query, { values: rows })
  }
}

/** Slots for up to so many branches, and as many groups; a wider reach is rare, and queries are built anew for it. */
const MAX_SLOTS = 64

/** Of a number of ids the next power of two have slots, the last id in several: there are few numbers to compile for. */
const slotsFor = (count: number): number => (count === 0 ? 0 : 2 ** Math.ceil(Math.log2(count)))

const scopeSlot = (of: (scope: Scope) => string | undefined): string =>
  new Slot(({ scope }) => {
    const value = scope && of(scope)
    if (value === undefined) throw new Error('a query for one scope ran in another')
    return value
  }) as unknown as string

const tenantSlot = scopeSlot(({ tenantId }) => tenantId)

const idSlots = (kind: 'branchIds' | 'groupIds', count: number): string[] =>
  Array.from({ length: slotsFor(count) }, (_, index) =>
    scopeSlot(({ reach }) => (reach === 'all' ? undefined : reach[kind][Math.min(index, reach[kind].length - 1)])),
  )

/** The scope with a slot in the place of each value. */
const slotted = ({ rules, reach, smallTables }: Scope): Scope => ({
  rules,
  tenantId: tenantSlot,
  reach:
    reach === 'all'
      ? 'all'
      : {
          branchIds: idSlots('branchIds', reach.branchIds.length),
          groupIds: idSlots('groupIds', reach.groupIds.length),
        },
  ...(smallTables && { smallTables }),
})

/** What tells scopes apart whose queries differ in more than values; undefined: too wide a reach to compile for. */
const scopeShapeOf = ({ reach, smallTables }: Scope): string | undefined => {
  if (reach === 'all') return 'all'
  const [branches, groups] = [reach.branchIds.length, reach.groupIds.length]
  if (branches > MAX_SLOTS || groups > MAX_SLOTS) return undefined
  return `${slotsFor(branches)},${slotsFor(groups)},${smallTables ? [...smallTables].join() : ''}`
}

const scopeShapes = new WeakMap<Scope, { shape: string | undefined }>()

const cachedShapeOf = (scope: Scope): string | undefined => {
  const known = scopeShapes.get(scope)
  if (known) return known.shape
  const shape = scopeShapeOf(scope)
  scopeShapes.set(scope, { shape })
  return shape
}

interface KeyedQuery<H, V, Row> {
  /** What tells it from the others: queries of one key differ in nothing but values. */
  key: string
  /** Gets a slot in the place of each value. */
  build: (db: H, values: V) => Compilable<Row>
  /** Where it may look at very many rows: see readBounded. */
  countedBy?: string
}

/** Runs one of several queries, each of which is compiled once. */
export type RunKeyedQuery<H, Row> = <V extends object>(db: H, query: KeyedQuery<H, V, Row>, values: V) => Promise<Row[]>

/** Such queries outside any institute. The oldest of more than `size` are forgotten. */
export const compiledByKey = <Row>(size: number): RunKeyedQuery<OutsideDb, Row> => {
  const made = new BoundedCaches<WeakKey, string, CompiledQuery<Row>>(size)
  return async (handle, { key, build, countedBy }, values) => {
    const db = baseOf(handle)
    const query = made.of(db.getExecutor().adapter).get(key, () => {
      const plain = compile(db, build(handle, slots as typeof values))
      return withoutTree(countedBy === undefined ? plain : withRowBudget(db, plain, countedBy))
    })
    return (await withReadingThreadFallback(query, (one) => run(db, one, { values }))).rows
  }
}

/**
 * Such queries inside one institute, each compiled for each kind of reach. The scope narrows them like any other query:
 * institute, branches and groups have slots, which are filled from the handle that a query runs on.
 */
export const compiledByKeyInTenant = <Row>(size: number): RunKeyedQuery<ScopedDb, Row> => {
  // On one connection rows may be counted, on the other not: each has its own.
  const made = new WeakMap<WeakKey, BoundedCaches<TableRules, string, CompiledQuery<Row>>>()
  return async (handle, { key, build, countedBy }, values) => {
    const { db, scope } = scopeOf(handle)
    const shape = cachedShapeOf(scope)
    if (shape === undefined) {
      const plain = build(handle, values).compile()
      const { queryId } = plain
      const query =
        countedBy === undefined
          ? plain
          : db.getExecutor().compileQuery<Row>(countingRowsOf(plain.query, countedBy), queryId)
      return (await withReadingThreadFallback(query, (one) => db.executeQuery<Row>(one))).rows
    }
    const { adapter } = db.getExecutor()
    const ofAdapter = made.get(adapter) ?? new BoundedCaches<TableRules, string, CompiledQuery<Row>>(size)
    made.set(adapter, ofAdapter)
    const query = ofAdapter.of(scope.rules).get(`${shape}|${key}`, () => {
      const plain = compile(db, build(scoped(db, slotted(scope)), slots as typeof values))
      return withoutTree(countedBy === undefined ? plain : withRowBudget(db, plain, countedBy))
    })
    return (await withReadingThreadFallback(query, (one) => run(db, one, { values, scope }))).rows
  }
}

/** Of one query there are so many kinds of reach. */
const MAX_SCOPE_SHAPES = 50

/** A query inside one institute, compiled once for each kind of reach. */
export const compiledInTenant = <V extends object, Row>(build: (db: ScopedDb, values: V) => Compilable<Row>) => {
  const rows = compiledByKeyInTenant<Row>(MAX_SCOPE_SHAPES)
  return (handle: ScopedDb, values: V): Promise<Row[]> => rows(handle, { key: '', build }, values)
}
