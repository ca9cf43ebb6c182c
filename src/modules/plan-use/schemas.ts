import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, list, orNull } from '#kernel/values/schema.ts'
import { PLAN_LIMITS } from '#kernel/who/quota.ts'
import { OwnSubscription } from '#modules/plans/index.ts'

export const PlanLimitUse = named(
  'PlanLimitUse',
  v.object({
    limit: v.picklist(PLAN_LIMITS),
    most: orNull(count),
    used: orNull(count),
    state: v.picklist(['ok', 'near', 'full']),
  }),
  {
    limit: 'What the plan limits.',
    most: 'How much the plan allows; null: as much as one likes.',
    used: 'How much there is now, or of messages in this month; null: it is a pace, and not a number of things.',
    state: 'near: nine tenths are used; full: no more is taken.',
  },
)
export type PlanLimitUse = v.InferOutput<typeof PlanLimitUse>

export const PlanUse = named(
  'PlanUse',
  v.object({ subscription: orNull(OwnSubscription), limits: list(PlanLimitUse) }),
  {
    subscription:
      'The subscription with its plan, also when it is cancelled; null: there is none, as on a server of one’s own, whose licence may name a plan.',
    limits: 'Each thing that a plan can limit, once.',
  },
)
