import { failure } from './errors.ts'
import type { ScopedDb } from './tables.ts'

/** What a plan limits by number. */
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
 * The limit of the institute whose handle this is; null: unlimited. Whoever asks holds a lock under which the institute's
 * additions of this kind stand in line, and counts under it: of many at once none goes beyond the limit.
 */
export type QuotaOf = (whole: ScopedDb, key: QuotaKey) => Promise<number | null>

/** An institute without a plan. */
export const unlimited: QuotaOf = async () => null

export const QuotaExceeded = failure(
  'QUOTA_EXCEEDED',
  'quota_exceeded',
  'The plan of this institute has no room for more of this kind.',
)

/** @throws QuotaExceeded with {limit, current, key} when `added` would go beyond the limit */
export const checkQuota = (
  key: QuotaKey,
  { limit, current, added }: { limit: number; current: number; added: number },
): void => {
  if (current + added > limit) throw QuotaExceeded({ limit, current, key })
}
