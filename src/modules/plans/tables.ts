import type { FeatureFlags } from '#kernel/rights/features.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { PlanQuotas } from '#kernel/who/quota.ts'
import type { Fixed, Json, TableRules } from '#kernel/contract/tables.ts'

export const INTERVALS = ['monthly', 'yearly'] as const

export const SUBSCRIPTION_STATUSES = ['trialing', 'active', 'past_due', 'cancelled', 'expired'] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    plan: {
      id: Fixed<string>
      code: string
      name: string
      price_minor: number
      currency: Currency
      interval: (typeof INTERVALS)[number]
      /** The features that the plan switches on or off; it says nothing of the others. */
      features: Json<Partial<FeatureFlags>>
      /** The limits of the plan; what is absent is unlimited. */
      quotas: Json<PlanQuotas>
      /** From then on it takes no new subscriptions. */
      archived_at: string | null
      created_at: Fixed<string>
      updated_at: string
    }
    subscription: {
      id: Fixed<string>
      tenant_id: Fixed<string>
      plan_id: string
      status: SubscriptionStatus
      current_period_start: string
      current_period_end: string
      cancelled_at: string | null
      /**
       * When the institute got another subscription after this one was cancelled. null: this is the current one, from
       * which the plan follows; an institute has at most one.
       */
      replaced_at: string | null
      /** The last notice of this period's end, by the days before the end. null: there was none. */
      noticed_days: number | null
      /** When this period's end locked the institute automatically: at most once. */
      auto_locked_at: string | null
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

/** Plans and subscriptions are the vendor's: code inside an institute sees what they grant, on the institute's own row. */
export const planTables: TableRules = { plan: { kind: 'system' }, subscription: { kind: 'system' } }
