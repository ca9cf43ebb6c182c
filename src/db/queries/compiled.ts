import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import { BoundedCaches } from '#kernel/basics/bounded-cache.ts'
import {
  countingRowsOf,
  forReadingThread,
  readsOnlyWhatItReturns,
  rootOf,
  withReadingThreadFallback,
} from './long-reads.ts'
import { engineOf } from '#db/dialect.ts'
import { preparedOnce } from '#db/postgres/postgres.ts'
import { OneConnectionAdapter, plannedOnce } from '#db/sqlite/sqlite.ts'
import type { Scope } from '#db/scope/reach.ts'
import { baseOf, isOutside, scopeIfAny, scopeOf, scoped } from '#db/scope/scope.ts'
import type { ScopedDb, SystemDb, TableRules } from '#kernel/contract/tables.ts'

/**
 * Building, scoping and compiling a query takes longer than running it, so the queries of hot paths are compiled once.
 */

/** The input of one run of a compiled query. */
interface QueryInput {
  values: unknown
  /** The scope of the handle that the query runs on, if it is inside an institute. */
  scope?: Scope
}

/** A placeholder in a compiled query for a value that is known only when the query runs. */
class Slot {
  readonly of: (given: QueryInput) => unknown

  constructor(of: (given: QueryInput) => unknown) {
    this.of = of
  }
}

/** An object with a slot for each property that is read from it. */
const slots: object = new Proxy(
  {},
  { get: (_, name) => new Slot(({ values }) => (values as Record<PropertyKey, unknown>)[name]) },
)

const run = <Row>(db: SystemDb, query: CompiledQuery<Row>, given: QueryInput): Promise<QueryResult<Row>> => {
  const executor = db.getExecutor()
  // This throws if the handle's transaction has ended, as for a query that is built on the handle.
  executor.transformQuery(query.query, query.queryId)
  const filled = {
    ...query,
    parameters: query.parameters.map((value) => (value instanceof Slot ? value.of(given) : value)),
  }
  const { adapter } = executor
  // SQLite has one connection, so there is no need to acquire it.
  return adapter instanceof OneConnectionAdapter
    ? adapter.connection.executeQuery<Row>(filled)
    : executor.executeQuery<Row>(filled)
}

const isSlot = (parameter: unknown): boolean => parameter instanceof Slot

const compile = <Row>(db: SystemDb, query: Compilable<Row>): CompiledQuery<Row> =>
  (engineOf(db) === 'sqlite' ? plannedOnce : preparedOnce)(query.compile(), isSlot)

/** Returns the query with a row counter, unless it reads only the rows that it returns. */
const withRowBudget = <Row>(db: SystemDb, query: CompiledQuery<Row>, column: string): CompiledQuery<Row> => {
  const executor = db.getExecutor()
  const { adapter } = executor
  if (!(adapter instanceof OneConnectionAdapter)) return query
  if (readsOnlyWhatItReturns(query.query, adapter.connection.planOf(query))) return query
  return plannedOnce(executor.compileQuery<Row>(countingRowsOf(query.query, column), query.queryId), isSlot)
}

/** Drops the syntax tree, which takes half of the memory: a list may have a hundred compiled queries. */
const withoutTree = <Row>(query: CompiledQuery<Row>): CompiledQuery<Row> => ({ ...query, query: rootOf(query.query) })

/**
 * The highest number of branches, and of groups, that a compiled query has slots for. Queries with a wider reach are
 * rare and are built each time.
 */
const MAX_SLOTS = 64

/**
 * Rounds the number of ids up to a power of two, so that few queries are compiled. The last id fills the extra slots.
 */
const slotsFor = (count: number): number => (count === 0 ? 0 : 2 ** Math.ceil(Math.log2(count)))

const scopeSlot = (of: (scope: Scope) => string | undefined): string =>
  new Slot(({ scope }) => {
    const value = scope && of(scope)
    if (value === undefined)
      throw new Error('a query that was compiled for one scope shape ran with a handle of another')
    return value
  }) as unknown as string

const tenantSlot = scopeSlot(({ tenantId }) => tenantId)

const idSlots = (kind: 'branchIds' | 'groupIds', count: number): string[] =>
  Array.from({ length: slotsFor(count) }, (_, index) =>
    scopeSlot(({ reach }) => (reach === 'all' ? undefined : reach[kind][Math.min(index, reach[kind].length - 1)])),
  )

/** The scope with slots instead of values. */
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

/** Identifies scopes whose queries differ only in values; undefined: the reach is too wide to compile for. */
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
  /** Distinguishes the query from the others: queries with the same key differ only in values. */
  key: string
  /** Builds the query. It gets slots instead of values. */
  build: (db: H, values: V) => Compilable<Row>
  /** Set for a query that may read very many rows: see `readBounded`. */
  countedBy?: string
  /**
   * Set for a counted query of which there is another form. `short`: it throws RowBudgetExceeded when it reads too many
   * rows; `long`: it runs on the reading thread at once.
   */
  expected?: 'short' | 'long'
}

/** Runs one of several queries, each of which is compiled once. */
export type RunKeyedQuery<H, Row> = <V extends object>(db: H, query: KeyedQuery<H, V, Row>, values: V) => Promise<Row[]>

/** Runs a counted query here or on the reading thread. */
const runExpected = <Row>(
  expected: 'short' | 'long' | undefined,
  query: CompiledQuery<Row>,
  runs: (query: CompiledQuery<Row>) => Promise<QueryResult<Row>>,
): Promise<QueryResult<Row>> => {
  if (expected === undefined) return withReadingThreadFallback(query, runs)
  return runs(expected === 'long' ? forReadingThread(query) : query)
}

/** What lies under a handle; without a scope, the query runs as it is built. */
interface Under {
  db: SystemDb
  scope?: Scope
}

/** Stands for the rules of tables where a handle has no scope. */
const NO_RULES: TableRules = {}

const keyedQueries = <H, Row>(size: number, under: (handle: H) => Under): RunKeyedQuery<H, Row> => {
  // Each connection has queries of its own: rows are counted on some connections only.
  const queriesByAdapter = new WeakMap<WeakKey, BoundedCaches<TableRules, string, CompiledQuery<Row>>>()
  return async (handle, { key, build, countedBy, expected }, values) => {
    const { db, scope } = under(handle)
    const shape = scope ? cachedShapeOf(scope) : ''
    const { adapter } = db.getExecutor()
    if (shape === undefined) {
      const plain = build(handle, values).compile()
      const { query: tree, queryId } = plain
      const query =
        countedBy === undefined ? plain : db.getExecutor().compileQuery<Row>(countingRowsOf(tree, countedBy), queryId)
      return (await runExpected(expected, query, (one) => db.executeQuery<Row>(one))).rows
    }
    const ofAdapter = queriesByAdapter.get(adapter) ?? new BoundedCaches<TableRules, string, CompiledQuery<Row>>(size)
    queriesByAdapter.set(adapter, ofAdapter)
    const query = ofAdapter.of(scope?.rules ?? NO_RULES).get(`${shape}|${key}`, () => {
      const builder = scope ? (scoped(db, slotted(scope)) as H) : handle
      const plain = compile(db, build(builder, slots as typeof values))
      return withoutTree(countedBy === undefined ? plain : withRowBudget(db, plain, countedBy))
    })
    return (await runExpected(expected, query, (one) => run(db, one, { values, ...(scope && { scope }) }))).rows
  }
}

/** Compiled queries over all institutes. The cache holds `size` of them. */
export const compiledByKey = <Row>(size: number) => keyedQueries<SystemDb, Row>(size, (db) => ({ db }))

/**
 * Compiled queries inside one institute, one per shape of the scope, or outside all institutes. They are scoped like any
 * other query: the institute, branches and groups have slots, which are filled from the handle that the query runs on.
 */
export const compiledByKeyInTenant = <Row>(size: number): RunKeyedQuery<ScopedDb, Row> =>
  keyedQueries(size, (handle) => (isOutside(handle) ? { db: baseOf(handle) } : scopeOf(handle)))

/** How many scope shapes, or engines, are cached per query. */
const MAX_SCOPE_SHAPES = 50

const single = <H, V extends object, Row>(
  rows: RunKeyedQuery<H, Row>,
  build: (db: H, values: V) => Compilable<Row>,
): ((db: H, values: V) => Promise<Row[]>) => {
  const query = { key: '', build }
  return (db, values) => rows(db, query as never, values)
}

/**
 * Makes a query over all institutes that is compiled once. `build` gets slots instead of values; lists of values are not
 * supported. A change tells by `returning` which rows it changed.
 */
export const compiled = <V extends object, Row>(build: (db: SystemDb, values: V) => Compilable<Row>) =>
  single(compiledByKey<Row>(MAX_SCOPE_SHAPES), build)

/** Makes a query inside one institute, or outside all, that is compiled once per shape of the scope. */
export const compiledInTenant = <V extends object, Row>(build: (db: ScopedDb, values: V) => Compilable<Row>) =>
  single(compiledByKeyInTenant<Row>(MAX_SCOPE_SHAPES), build)

/** Runs a query that is rare, and was built for this run. */
const runBuilt = async <Row>({ db }: Under, query: Compilable<Row>): Promise<Row[]> =>
  (await db.executeQuery<Row>(query.compile())).rows

/** Inserts of up to so many rows are compiled for each number of them, as a rule. */
const EXACT_ROWS = 16

/** More rows are inserted in parts of these sizes, and the rest: so few statements are compiled. */
const PART_ROWS = [64, 32, EXACT_ROWS]

const inParts = <R>(rows: readonly R[], exactRows: number): (readonly R[])[] => {
  if (rows.length <= exactRows) return rows.length === 0 ? [] : [rows]
  const parts: (readonly R[])[] = []
  for (let from = 0; from < rows.length; from += (parts.at(-1) as readonly R[]).length) {
    const left = rows.length - from
    parts.push(rows.slice(from, from + (PART_ROWS.find((size) => size <= left) ?? left)))
  }
  return parts
}

/** The rows with slots in place of their values. */
const slotRows = <R extends object>(rows: readonly R[]): R[] =>
  rows.map(
    (row, index) =>
      Object.fromEntries(
        Object.keys(row).map((name) => [name, new Slot(({ values }) => (values as R[])[index]?.[name as keyof R])]),
      ) as R,
  )

interface KeyedInsert<H, R, Row> {
  /** Distinguishes the insert from the others: those with the same key have the same columns. */
  key: string
  build: (db: H, rows: R[]) => Compilable<Row>
}

/**
 * Makes inserts, into tables of institutes where the handle is inside one. The cache holds `size` of them: one for each
 * number of rows.
 */
export const compiledInserts = <H extends ScopedDb | SystemDb, R extends object, Row>(
  size: number,
  exactRows = EXACT_ROWS,
) => {
  const under = (handle: H): Under => scopeIfAny(handle as ScopedDb) ?? { db: handle as SystemDb }
  const insert = keyedQueries<H, Row>(size, under)
  return async (handle: H, { key, build }: KeyedInsert<H, R, Row>, rows: readonly R[]): Promise<Row[]> => {
    const made: Row[] = []
    for (const part of inParts(rows, exactRows)) {
      const query = {
        key: `${part.length} ${key}`,
        // It is built with the rows themselves where it is not compiled.
        build: (db: H, given: readonly R[]) => build(db, given === part ? [...part] : slotRows(part)),
      }
      made.push(...(await insert(handle, query, part)))
    }
    return made
  }
}

/**
 * Makes an insert. All rows that it ever gets have the same columns.
 * @param exactRows up to so many are always inserted by one statement
 */
export const compiledInsert = <H extends ScopedDb | SystemDb, R extends object, Row>(
  build: (db: H, rows: R[]) => Compilable<Row>,
  exactRows = EXACT_ROWS,
) => {
  const insert = compiledInserts<H, R, Row>((EXACT_ROWS + PART_ROWS.length) * MAX_SCOPE_SHAPES, exactRows)
  return (handle: H, rows: readonly R[]): Promise<Row[]> => insert(handle, { key: '', build }, rows)
}

/** Slots for a list of ids. The last id fills the extra slots. */
const listSlots = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) =>
      new Slot(({ values }) => {
        const ids = values as readonly string[]
        return ids[Math.min(index, ids.length - 1)]
      }) as unknown as string,
  )

/** The records of the largest page are one list, and so are the phones of the rows that an import writes at once. */
const MAX_IDS = 512

/** Compiled queries of one list of ids: a power of two of slots each, in every scope shape. */
const MAX_LIST_QUERIES = 200

/**
 * Makes a query inside one institute over records with some ids or other keys, each of which counts once; none: no
 * rows. It is compiled once per shape of the scope and size of the list; for more than 512 it is built each time.
 */
export const compiledByIds = <Row>(build: (db: ScopedDb, ids: readonly string[]) => Compilable<Row>) => {
  const rows = compiledByKeyInTenant<Row>(MAX_LIST_QUERIES)
  return async (handle: ScopedDb, given: readonly string[]): Promise<Row[]> => {
    const ids = [...new Set(given)]
    if (ids.length === 0) return []
    if (ids.length > MAX_IDS) return runBuilt(scopeOf(handle), build(handle, ids))
    const count = slotsFor(ids.length)
    return rows(handle, { key: String(count), build: (db) => build(db, listSlots(count)) }, ids)
  }
}
