import type { OutsideDb } from '#kernel/contract/tables.ts'
import { CURRENCIES, money, type Money } from '#kernel/values/money.ts'
import type { Recurring } from './figures-schemas.ts'

const MONTHS = { monthly: 1, yearly: 12 } as const

/** What the subscriptions that go on now bring in a month, by plan. */
export const recurringNow = async (db: OutsideDb, now: string): Promise<Recurring[]> => {
  const rows = await db
    .selectFrom('subscription')
    .innerJoin('tenant', 'tenant.id', 'subscription.tenant_id')
    .innerJoin('plan', 'plan.id', 'subscription.plan_id')
    .where('subscription.status', 'in', ['active', 'past_due'])
    .where('subscription.current_period_end', '>', now)
    .where('tenant.status', '<>', 'archived')
    .groupBy(['plan.id', 'plan.name', 'plan.price_minor', 'plan.currency', 'plan.interval'])
    .select(['plan.id', 'plan.name', 'plan.price_minor', 'plan.currency', 'plan.interval'])
    .select(({ fn }) => fn.countAll<number>().as('subscriptions'))
    .orderBy('plan.name')
    .orderBy('plan.id')
    .execute()
  return rows.map(({ id, name, subscriptions, price_minor: price, currency, interval }) => ({
    planId: id,
    planName: name,
    subscriptions,
    amount: money(Math.round((price * subscriptions) / MONTHS[interval]), currency),
  }))
}

/** One sum for each currency. */
export const totalsOf = (recurring: readonly Recurring[]): Money[] =>
  CURRENCIES.flatMap((currency) => {
    const amounts = recurring.filter(({ amount }) => amount.currency === currency)
    if (amounts.length === 0) return []
    return [
      money(
        amounts.reduce((sum, { amount }) => sum + amount.amountMinor, 0),
        currency,
      ),
    ]
  })
