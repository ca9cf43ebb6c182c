import { isDeepStrictEqual } from 'node:util'
import type { Expression } from 'kysely'
import type { FeatureFlags } from '#kernel/rights/features.ts'
import type { PlanQuotas } from '#kernel/who/quota.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'

/** What a plan or a licence grants to an institute. */
export interface Entitlements {
  /** null: neither switches a feature on or off. */
  features: Partial<FeatureFlags> | null
  /** null: unlimited. */
  quotas: PlanQuotas | null
  /** From this time on only reads are allowed; null: never. */
  writesEndAt: string | null
}

/** Stores what the plan or the licence of institutes grants from now on; it holds from their next requests on. */
export const setEntitlements = async (
  { db, now }: { db: OutsideDb; now: string },
  tenantId: string,
  { features, quotas, writesEndAt }: Entitlements,
): Promise<void> => {
  const before = await db
    .selectFrom('tenant')
    .select(['plan_features', 'plan_quotas', 'writes_end_at'])
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow()
  const after = { plan_features: features, plan_quotas: quotas, writes_end_at: writesEndAt }
  if (isDeepStrictEqual(before, after)) return
  await db
    .updateTable('tenant')
    .set({ ...after, updated_at: now })
    .where('id', '=', tenantId)
    .execute()
}

/** Stores when the trial of an institute ends; null: it is on none. */
export const setTrialEnd = async (
  { db, now }: { db: OutsideDb; now: string },
  tenantId: string,
  trialEndsAt: string | null,
): Promise<void> => {
  await db
    .updateTable('tenant')
    .set({ trial_ends_at: trialEndsAt, updated_at: now })
    .where('id', '=', tenantId)
    .where('trial_ends_at', 'is distinct from', trialEndsAt)
    .execute()
}

/**
 * Stores what a changed plan grants to all institutes that have it, in one statement: there may be ten thousand.
 * @param tenantIds a query for their ids
 */
export const setPlanOf = async (
  { db, now }: { db: OutsideDb; now: string },
  tenantIds: Expression<string>,
  { features, quotas }: Pick<Entitlements, 'features' | 'quotas'>,
): Promise<void> => {
  await db
    .updateTable('tenant')
    .set({ plan_features: features, plan_quotas: quotas, updated_at: now })
    .where('id', 'in', tenantIds)
    .execute()
}
