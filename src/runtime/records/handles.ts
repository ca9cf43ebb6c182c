import { smallTablesOf } from '#db/scope/small-branches.ts'
import { outside, scoped } from '#db/scope/scope.ts'
import { BoundedCaches } from '#kernel/basics/bounded-cache.ts'
import type { Reach } from '#kernel/rights/permissions.ts'
import type { OutsideDb, ScopedDb } from '#kernel/contract/tables.ts'
import type { Runtime } from '#runtime/change/transaction.ts'

export { isStorageFailure } from '#db/dialect.ts'

const MAX_HANDLES = 1000

/** Caches handles for whole institutes: most requests use one. */
const wholeHandles = new BoundedCaches<Runtime, string, ScopedDb>(MAX_HANDLES)
/** Caches handles for a limited reach: making one takes longer than running a query with it. */
const limitedHandles = new BoundedCaches<Runtime, string, ScopedDb>(MAX_HANDLES)

interface ListHandle {
  db: ScopedDb
  /** Monotonic time in milliseconds. After it, the handle is made anew. */
  expiresAt: number
}
const listHandles = new BoundedCaches<Runtime, string, ListHandle>(MAX_HANDLES)

/**
 * How long a list under a limited reach uses the same query plan. The plan depends on which tables hold few rows of the
 * branches. If those numbers change meanwhile, the list takes a different time but returns the same rows.
 */
const LIST_HANDLE_MILLIS = 60_000

type LimitedReach = Exclude<Reach, 'all'>

const keyOf = (tenantId: string, { branchIds, groupIds }: LimitedReach): string =>
  `${tenantId} ${branchIds.join()} ${groupIds.join()}`

/** Returns a handle for committed rows of one institute, limited to `reach`. */
export const readHandle = (runtime: Runtime, tenantId: string, reach: Reach): ScopedDb => {
  const make = () => scoped(runtime.database.read, { tenantId, rules: runtime.rules, reach })
  return reach === 'all'
    ? wholeHandles.of(runtime).get(tenantId, make)
    : limitedHandles.of(runtime).get(keyOf(tenantId, reach), make)
}

/**
 * Like `readHandle`, for lists under a limited reach: where the reached branches hold few rows, a query starts from
 * those rows.
 */
export const listHandle = async (runtime: Runtime, tenantId: string, reach: LimitedReach): Promise<ScopedDb> => {
  const { database, rules, clock } = runtime
  const handles = listHandles.of(runtime)
  const key = keyOf(tenantId, reach)
  const known = handles.find(key)
  if (known && clock.monotonic() < known.expiresAt) return known.db
  const scope = { tenantId, rules, reach }
  const db = scoped(database.read, { ...scope, smallTables: await smallTablesOf(database.read, scope) })
  handles.set(key, { db, expiresAt: clock.monotonic() + LIST_HANDLE_MILLIS })
  return db
}

/** Committed rows of an institute within the reach of a permission; undefined: the caller does not have it. */
export const reachedHandle = async (
  runtime: Runtime,
  tenantId: string,
  reach: Reach | undefined,
): Promise<ScopedDb | undefined> => {
  if (reach === undefined) return undefined
  return reach === 'all' ? readHandle(runtime, tenantId, reach) : listHandle(runtime, tenantId, reach)
}

/** Returns a handle for committed rows that belong to no institute. */
export const outsideHandle = ({ database, rules }: Runtime): OutsideDb => outside(database.read, rules)
