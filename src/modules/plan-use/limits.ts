import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { PLAN_LIMITS, type PlanLimit, type QuotaKey } from '#kernel/who/quota.ts'
import { countUsableKeys } from '#modules/api-keys/index.ts'
import { countActiveBranches } from '#modules/branches/index.ts'
import { countActiveCourses } from '#modules/courses/index.ts'
import { storedBytes } from '#modules/files/index.ts'
import { countOpen } from '#modules/groups/index.ts'
import { countThisMonth } from '#modules/notifications/index.ts'
import { countActiveStaff, countStudentsInPlan } from '#modules/people/index.ts'
import type { PlanLimitUse } from './schemas.ts'

interface Asked {
  whole: ScopedDb
  tenant: TenantInfo
  now: string
}

/** Counted as where an addition is refused. */
const COUNTS: Readonly<Record<QuotaKey, (whole: ScopedDb, now: string, tenant: TenantInfo) => Promise<number>>> = {
  maxStudents: countStudentsInPlan,
  maxStaff: countActiveStaff,
  maxBranches: countActiveBranches,
  maxGroups: countOpen,
  maxCourses: countActiveCourses,
  maxStorageBytes: storedBytes,
  maxApiKeys: countUsableKeys,
  maxMonthlyMessages: countThisMonth,
}

/** What everyday work uses up. A branch or a key is added on purpose, and its limit is met at leisure. */
const EVERYDAY: readonly QuotaKey[] = ['maxStudents', 'maxGroups', 'maxStorageBytes', 'maxMonthlyMessages']

const stateOf = (used: number, most: number | null): PlanLimitUse['state'] => {
  if (most === null) return 'ok'
  if (used >= most) return 'full'
  return used * 10 >= most * 9 ? 'near' : 'ok'
}

const isCounted = (limit: PlanLimit): limit is QuotaKey => Object.hasOwn(COUNTS, limit)

const useOf = async (limit: PlanLimit, { whole, tenant, now }: Asked): Promise<PlanLimitUse> => {
  const most = tenant.quotas[limit] ?? null
  if (!isCounted(limit)) return { limit, most, used: null, state: 'ok' }
  const used = await COUNTS[limit](whole, now, tenant)
  return { limit, most, used, state: stateOf(used, most) }
}

/** Each limit, with how much of it is used. */
export const readLimits = (asked: Asked): Promise<PlanLimitUse[]> =>
  Promise.all(PLAN_LIMITS.map((limit) => useOf(limit, asked)))

/** Those that everyday work uses up, and that are near or met. Without a limit nothing is counted. */
export const nearLimits = async (asked: Asked): Promise<PlanLimitUse[]> => {
  const limited = EVERYDAY.filter((limit) => (asked.tenant.quotas[limit] ?? null) !== null)
  const uses = await Promise.all(limited.map((limit) => useOf(limit, asked)))
  return uses.filter(({ state }) => state !== 'ok')
}
