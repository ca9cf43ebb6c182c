import * as v from 'valibot'
import { failure } from './errors.ts'
import { explained } from './named.ts'
import { count } from './schema.ts'
import type { ScopedDb } from './tables.ts'

/** The resources whose number a plan limits. */
const QUOTA_KEYS = [
  'maxStudents',
  'maxStaff',
  'maxBranches',
  'maxGroups',
  'maxCourses',
  'maxStorageBytes',
  'maxApiKeys',
  'maxMonthlyMessages',
] as const
export type QuotaKey = (typeof QUOTA_KEYS)[number]

/**
 * What a plan limits: the number of each resource, and the requests per minute of an API key. null or absent: unlimited.
 */
export type PlanQuotas = Partial<Record<QuotaKey | 'apiRateLimitPerMin', number | null>>

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
  {
    details: {
      schema: explained(v.object({ limit: count, current: count, key: v.picklist(QUOTA_KEYS) }), {
        limit: 'How much the plan allows.',
        current: 'How much there is.',
        key: 'What the plan limits.',
      }),
      example: { limit: 300, current: 300, key: 'maxStudents' },
    },
  },
)

/** Refuses an addition that would exceed the limit. @throws QuotaExceeded with {limit, current, key} */
export const checkQuota = (
  key: QuotaKey,
  { limit, current, added }: { limit: number; current: number; added: number },
): void => {
  if (current + added > limit) throw QuotaExceeded({ limit, current, key })
}
