import { scoped } from '#db/scope.ts'
import type { Reach } from '#kernel/permissions.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { Units } from './unit-of-work.ts'

export { isStorageFailure } from '#db/dialect.ts'

/** Committed rows of one institute, and of those the ones within `reach`. */
export const readHandle = ({ database, rules }: Units, tenantId: string, reach: Reach): ScopedDb =>
  scoped(database.read, { tenantId, rules, reach })
