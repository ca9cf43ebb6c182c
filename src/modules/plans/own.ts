import type { InferOutput } from 'valibot'
import type { Queries } from '#kernel/contract/tables.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { money } from '#kernel/values/money.ts'
import { NOTICE_DAYS } from './notices.ts'
import type { OwnSubscription, PlanEnd } from './schemas.ts'
import { AUTO_LOCK_SECONDS } from './sweep.ts'

/**
 * What an institute sees of its subscription, also when it is cancelled; null: there never was one.
 * @param db a handle that reaches what belongs to no institute
 */
export const ownSubscription = async (
  db: Queries,
  tenantId: string,
): Promise<InferOutput<typeof OwnSubscription> | null> => {
  const row = await db
    .selectFrom('subscription')
    .innerJoin('plan', 'plan.id', 'subscription.plan_id')
    .select(['plan.name as planName', 'plan.price_minor', 'plan.currency', 'plan.interval', 'subscription.status'])
    .select([
      'subscription.current_period_start as currentPeriodStart',
      'subscription.current_period_end as currentPeriodEnd',
      'subscription.cancelled_at as cancelledAt',
    ])
    .where('subscription.tenant_id', '=', tenantId)
    .where('subscription.replaced_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { price_minor: amount, currency, ...rest } = row
  return { ...rest, price: money(amount, currency) }
}

const DAY_SECONDS = 24 * 3600
const LONGEST_NOTICE_SECONDS = Math.max(...NOTICE_DAYS) * DAY_SECONDS

/**
 * The end of the subscription of an institute, once its owners were told of it; null: it is far, or has consequences of
 * its own that every page tells of (a trial, a cancelled subscription).
 * @param db a handle that reaches what belongs to no institute
 */
export const planEnd = async (
  db: Queries,
  tenantId: string,
  now: string,
): Promise<InferOutput<typeof PlanEnd> | null> => {
  const row = await db
    .selectFrom('subscription')
    .innerJoin('tenant', 'tenant.id', 'subscription.tenant_id')
    .select(['subscription.current_period_end as endsAt', 'tenant.auto_lock_override', 'subscription.auto_locked_at'])
    .where('subscription.tenant_id', '=', tenantId)
    .where('subscription.replaced_at', 'is', null)
    .where('subscription.status', 'in', ['active', 'past_due', 'expired'])
    .where('tenant.trial_ends_at', 'is', null)
    .executeTakeFirst()
  if (!row || row.endsAt > plusSeconds(now, LONGEST_NOTICE_SECONDS)) return null
  const { endsAt } = row
  const isToLock = row.auto_lock_override === 'on' && row.auto_locked_at === null
  return { endsAt, isOver: endsAt <= now, locksAt: isToLock ? plusSeconds(endsAt, AUTO_LOCK_SECONDS) : null }
}
