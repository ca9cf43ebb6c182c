import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import { Kept } from '#kernel/kept.ts'
import type { Engine } from './database.ts'
import { engineOf } from './dialect.ts'
import { OneConnectionAdapter, plannedOnce } from './sqlite.ts'
import { scopeOf, scoped } from './scope.ts'
import type { ScopedDb, SystemDb, TableRules } from '#kernel/tables.ts'

/** To build, narrow and compile a query takes longer than to run it: the queries of hot paths are compiled once. */

/** Stands in a query for a value that is known when it runs. */
class Slot<V> {
  readonly of: (values: V) => unknown

  constructor(of: (values: V) => unknown) {
    this.of = of
  }
}

/** A slot for every field that is asked for. */
const slots: object = new Proxy(
  {},
  { get: (_, name) => new Slot<Record<PropertyKey, unknown>>((values) => values[name]) },
)

const run = <Row>(db: SystemDb, query: CompiledQuery<Row>, values: unknown): Promise<QueryResult<Row>> => {
  const executor = db.getExecutor()
  // A handle that has ended refuses it here, as it refuses what is built on it.
  executor.transformQuery(query.query, query.queryId)
  const filled = {
    ...query,
    parameters: query.parameters.map((value) => (value instanceof Slot ? value.of(values) : value)),
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

const ENGINES = 2

/** A query outside any institute. `build` gets a slot in the place of each value; a value that is a list has no slot. */
export const compiledQuery = <V extends object, Row>(build: (db: SystemDb, values: V) => Compilable<Row>) => {
  const made = new Kept<Engine, CompiledQuery<Row>>(ENGINES)
  return (db: SystemDb, values: V): Promise<QueryResult<Row>> => {
    const query = made.get(engineOf(db), () => compile(db, build(db, slots as V)))
    return run(db, query, values)
  }
}

/** The rows of such a query. */
export const compiled = <V extends object, Row>(build: (db: SystemDb, values: V) => Compilable<Row>) => {
  const query = compiledQuery(build)
  return async (db: SystemDb, values: V): Promise<Row[]> => (await query(db, values)).rows
}

/** More rows than this at once are rare; their statement is built each time. */
const KEPT_ROWS = 4

/** Adds rows of a table that belongs to no institute. @param columns all of the row's */
export const compiledInsert = <R extends object>(
  columns: readonly (keyof R & string)[],
  build: (db: SystemDb, rows: R[]) => Compilable,
) => {
  const made = new Kept<string, CompiledQuery>(ENGINES * KEPT_ROWS)
  const slotRows = (count: number): R[] =>
    Array.from(
      { length: count },
      (_, index) =>
        Object.fromEntries(columns.map((name) => [name, new Slot<R[]>((rows) => rows[index]?.[name])])) as R,
    )
  return async (db: SystemDb, rows: R[]): Promise<void> => {
    if (rows.length > KEPT_ROWS) {
      await db.executeQuery(build(db, rows).compile())
      return
    }
    const query = made.get(`${engineOf(db)} ${rows.length}`, () => compile(db, build(db, slotRows(rows.length))))
    await run(db, query, rows)
  }
}

/** A query inside one institute. Under a reach of some branches it is built and narrowed each time, as any other. */
export const compiledInTenant = <V extends object, Row>(build: (db: ScopedDb, values: V) => Compilable<Row>) => {
  const made = new WeakMap<TableRules, CompiledQuery<Row>>()
  return async (handle: ScopedDb, values: V): Promise<Row[]> => {
    const { db, scope } = scopeOf(handle)
    if (scope.reach !== 'all') {
      const { rows } = await db.executeQuery<Row>(build(handle, values).compile())
      return rows
    }
    let query = made.get(scope.rules)
    if (!query) {
      const tenant = new Slot<{ tenantId: string }>(({ tenantId }) => tenantId) as unknown as string
      query = compile(db, build(scoped(db, { ...scope, tenantId: tenant }), slots as V))
      made.set(scope.rules, query)
    }
    const { rows } = await run(db, query, { ...values, tenantId: scope.tenantId })
    return rows
  }
}
