import { jobKind, type Module } from '#kernel/contract/module.ts'
import { planEndpoints, subscriptionEndpoints } from './endpoints.ts'
import { sweepSubscriptions, sweepSubscriptionsJob } from './sweep.ts'
import { planTables } from './tables.ts'

export { ownSubscription, planEnd } from './own.ts'
export { PlanArchived, planRecord } from './plans.ts'
export { OwnSubscription, PlanEnd, Subscription } from './schemas.ts'
export { startSubscription, subscriptionIdOf, subscriptionOf, subscriptionsOf } from './subscriptions.ts'

export const plansModule: Module = {
  name: 'plans',
  tags: {
    plans: 'What the vendor offers to institutes.',
    subscriptions: 'Which institute has which plan, and until when.',
  },
  tables: planTables,
  reads: { tenants: ['tenant'] },
  endpoints: [...planEndpoints, ...subscriptionEndpoints],
  events: ['subscription.expiring', 'subscription.expired'],
  jobs: [jobKind(sweepSubscriptionsJob, { handle: sweepSubscriptions })],
  cronJobs: [{ cron: '5 * * * *', job: sweepSubscriptionsJob, atStart: true }],
}
