import type { InferOutput } from 'valibot'
import type { Queries } from '#kernel/contract/tables.ts'
import { money } from '#kernel/values/money.ts'
import type { OwnSubscription } from './schemas.ts'

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
