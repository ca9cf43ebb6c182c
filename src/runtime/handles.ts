import { scoped } from '#db/scope.ts'
import type { Reach } from '#kernel/permissions.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { Units } from './unit-of-work.ts'

export { isStorageFailure } from '#db/dialect.ts'

/** Of whole institutes: most requests ask for one. */
const kept = new WeakMap<Units, Map<string, ScopedDb>>()
const KEPT_HANDLES = 1000

const wholeHandle = (units: Units, tenantId: string): ScopedDb => {
  const handles = kept.get(units) ?? new Map<string, ScopedDb>()
  kept.set(units, handles)
  const found = handles.get(tenantId)
  if (found) return found
  const handle = scoped(units.database.read, { tenantId, rules: units.rules, reach: 'all' })
  if (handles.size >= KEPT_HANDLES) handles.delete(handles.keys().next().value as string)
  handles.set(tenantId, handle)
  return handle
}

/** Committed rows of one institute, and of those the ones within `reach`. */
export const readHandle = (units: Units, tenantId: string, reach: Reach): ScopedDb =>
  reach === 'all' ? wholeHandle(units, tenantId) : scoped(units.database.read, { tenantId, rules: units.rules, reach })
