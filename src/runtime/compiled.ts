import type { Compilable, CompiledQuery } from 'kysely'
import { scopeOf, scoped } from '#db/scope.ts'
import type { ScopedDb, SystemDb, TableRules } from '#kernel/tables.ts'

/** To build, narrow and compile a query takes longer than to run it: the queries of hot paths are compiled once. */

/** Stands in a query for a value that is known when it runs. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const TENANT = 'tenant'

const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) })

const checked = <Row>(query: CompiledQuery<Row>): CompiledQuery<Row> => {
  // A handle that has ended refuses what is built on it, and could not refuse a write that was compiled before.
  if (query.query.kind !== 'SelectQueryNode') throw new Error('only reads are compiled beforehand')
  return query
}

const run = async <Row>(db: SystemDb, query: CompiledQuery<Row>, values: Readonly<Record<string, unknown>>) => {
  const parameters = query.parameters.map((value) => (value instanceof Slot ? values[value.name] : value))
  const { rows } = await db.executeQuery<Row>({ ...query, parameters })
  return rows
}

/** A query outside any institute. `build` gets a slot in the place of each value; a value that is a list has no slot. */
export const compiled = <V extends object, Row>(build: (db: SystemDb, values: V) => Compilable<Row>) => {
  const made = new WeakMap<SystemDb, CompiledQuery<Row>>()
  return (db: SystemDb, values: V): Promise<Row[]> => {
    let query = made.get(db)
    if (!query) {
      query = checked(build(db, slots as V).compile())
      made.set(db, query)
    }
    return run(db, query, values as Readonly<Record<string, unknown>>)
  }
}

/** A query inside one institute. Under a reach of some branches it is built and narrowed each time, as any other. */
export const compiledInTenant = <V extends object, Row>(build: (db: ScopedDb, values: V) => Compilable<Row>) => {
  const made = new WeakMap<TableRules, CompiledQuery<Row>>()
  return async (handle: ScopedDb, values: V): Promise<Row[]> => {
    const { db, scope } = scopeOf(handle)
    if (scope.reach !== 'all') {
      const { rows } = await db.executeQuery<Row>(checked(build(handle, values).compile()))
      return rows
    }
    let query = made.get(scope.rules)
    if (!query) {
      const anyTenant = scoped(db, { ...scope, tenantId: new Slot(TENANT) as unknown as string })
      query = checked(build(anyTenant, slots as V).compile())
      made.set(scope.rules, query)
    }
    return run(db, query, { ...values, [TENANT]: scope.tenantId })
  }
}
