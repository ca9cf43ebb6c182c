import { read } from '#kernel/contract/endpoint.ts'
import type { Module } from '#kernel/contract/module.ts'
import type { Queries } from '#kernel/contract/tables.ts'
import { ownSubscription } from '#modules/plans/index.ts'
import { readLimits } from './limits.ts'
import { PlanUse } from './schemas.ts'

export { nearLimits } from './limits.ts'
export { PlanLimitUse } from './schemas.ts'

interface PlanUseDeps {
  /** Reaches the subscriptions, which are the vendor's. */
  database: { read: Queries }
}

/** What an institute may know of its plan. It stands apart from the plans, as it counts what other modules keep. */
export const planUseModule = ({ database }: PlanUseDeps): Module => ({
  name: 'plan-use',
  tags: { plan: 'What the institute’s plan allows, and how much of it is used.' },
  endpoints: [
    read({
      id: 'plan.read',
      path: '/plan',
      summary: 'The institute’s subscription, its limits, and how much of each is used',
      description:
        'For the owner. Each is counted as where an addition is refused (403 QUOTA_EXCEEDED). Without a plan nothing is limited, and all is counted the same. Which features are on is at GET /feature-flags, and the licence of a server at GET /license.',
      access: 'owner',
      reply: PlanUse,
      handle: async ({ whole, tenant, now }) => ({
        subscription: await ownSubscription(database.read, tenant.id),
        limits: await readLimits({ whole, tenant, now }),
      }),
    }),
  ],
})
