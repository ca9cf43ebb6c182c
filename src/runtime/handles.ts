import { smallTablesOf } from '#db/small-branches.ts'
import { outside, scoped } from '#db/scope.ts'
import { BoundedCaches } from '#kernel/bounded-cache.ts'
import type { Reach } from '#kernel/permissions.ts'
import type { OutsideDb, ScopedDb } from '#kernel/tables.ts'
import type { Runtime } from './transaction.ts'

export { isStorageFailure } from '#db/dialect.ts'

const MAX_HANDLES = 1000

/** Of whole institutes: most requests ask for one. */
const wholeHandles = new BoundedCaches<Runtime, string, ScopedDb>(MAX_HANDLES)
/** Under a limited reach: it costs more to make one than to answer with it. */
const limitedHandles = new BoundedCaches<Runtime, string, ScopedDb>(MAX_HANDLES)

interface ListHandle {
  db: ScopedDb
  /** By the monotonic clock: then it is made anew. */
  expiresAt: number
}
const listHandles = new BoundedCaches<Runtime, string, ListHandle>(MAX_HANDLES)

/**
 * For so long a list under a limited reach is gone through as it was: from its branches' records where they were few. More
 * or fewer of them since then change how long it takes, and nothing that is seen.
 */
const LIST_HANDLE_MILLIS = 60_000

type LimitedReach = Exclude<Reach, 'all'>

const keyOf = (tenantId: string, { branchIds, groupIds }: LimitedReach): string =>
  `${tenantId} ${branchIds.join()} ${groupIds.join()}`

/** Committed rows of one institute, and of those the ones within `reach`. */
export const readHandle = (runtime: Runtime, tenantId: string, reach: Reach): ScopedDb => {
  const make = () => scoped(runtime.database.read, { tenantId, rules: runtime.rules, reach })
  return reach === 'all'
    ? wholeHandles.of(runtime).get(tenantId, make)
    : limitedHandles.of(runtime).get(keyOf(tenantId, reach), make)
}

/** The same for a list under a limited reach: it begins at what is within it where that is little. */
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

/** Committed rows of what is inside no institute. */
export const outsideHandle = ({ database, rules }: Runtime): OutsideDb => outside(database.read, rules)
