import { failure } from './errors.ts'
import type { ScopedDb } from './tables.ts'

/** The resources whose number a plan limits. */
export type QuotaKey =
  | 'maxStudents'
  | 'maxStaff'
  | 'maxBranches'
  | 'maxGroups'
  | 'maxCourses'
  | 'maxStorageBytes'
  | 'maxApiKeys'
  | 'maxMonthlyMessages'

/**
 * Returns the limit of the institute that the handle belongs to; null: unlimited. Callers must hold a lock that
 * serialises additions of this kind in the institute, and count while they hold it. Then concurrent additions cannot
 * exceed the limit.
 */
export type QuotaOf = (whole: ScopedDb, key: QuotaKey) => Promise<number | null>

/** For an institute without a plan. */
export const unlimited: QuotaOf = async () => null

export const QuotaExceeded = failure(
  'QUOTA_EXCEEDED',
  'quota_exceeded',
  'The plan of this institute has no room for more of this kind.',
)

/** Refuses an addition that would exceed the limit. @throws QuotaExceeded with {limit, current, key} */
export const checkQuota = (
  key: QuotaKey,
  { limit, current, added }: { limit: number; current: number; added: number },
): void => {
  if (current + added > limit) throw QuotaExceeded({ limit, current, key })
}
