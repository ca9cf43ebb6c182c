import { fewReached } from '#db/few.ts'
import { outside, scoped } from '#db/scope.ts'
import { KeptFor } from '#kernel/kept.ts'
import type { Reach } from '#kernel/permissions.ts'
import type { OutsideDb, ScopedDb } from '#kernel/tables.ts'
import type { Units } from './unit-of-work.ts'

export { isStorageFailure } from '#db/dialect.ts'

/** Of whole institutes: most requests ask for one. */
const wholeHandles = new KeptFor<Units, string, ScopedDb>(1000)

/** Committed rows of one institute, and of those the ones within `reach`. */
export const readHandle = (units: Units, tenantId: string, reach: Reach): ScopedDb => {
  const make = () => scoped(units.database.read, { tenantId, rules: units.rules, reach })
  return reach === 'all' ? wholeHandles.of(units).get(tenantId, make) : make()
}

/** The same for a list under a limited reach: it begins at what is within it where that is little. */
export const listHandle = async ({ database, rules }: Units, tenantId: string, reach: Reach): Promise<ScopedDb> => {
  const scope = { tenantId, rules, reach }
  return scoped(database.read, { ...scope, few: await fewReached(database.read, scope) })
}

/** Committed rows of what is inside no institute. */
export const outsideHandle = ({ database, rules }: Units): OutsideDb => outside(database.read, rules)
