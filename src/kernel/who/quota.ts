import * as v from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { count } from '#kernel/values/schema.ts'

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

export const PLAN_LIMITS = [...QUOTA_KEYS, 'apiRateLimitPerMin'] as const
export type PlanLimit = (typeof PLAN_LIMITS)[number]

/**
 * What a plan limits: the number of each resource, and the requests per minute of an API key. null or absent: unlimited.
 */
export type PlanQuotas = Partial<Record<PlanLimit, number | null>>

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
