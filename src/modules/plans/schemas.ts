import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { PLAN_LIMITS, type PlanLimit } from '#kernel/who/quota.ts'
import {
  count,
  currency,
  id,
  instant,
  integer,
  Money,
  orNull,
  pageQuery,
  title,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { FLAG_WORDS, flags } from '#modules/tenants/index.ts'
import { INTERVALS, SUBSCRIPTION_STATUSES } from './tables.ts'

const eachLimit = <T extends v.GenericSchema>(schemaOf: (limit: PlanLimit) => T) =>
  v.object(Object.fromEntries(PLAN_LIMITS.map((limit) => [limit, schemaOf(limit)])) as Record<PlanLimit, T>)

const featureWords = Object.fromEntries(
  Object.entries(FLAG_WORDS).map(([flag, what]) => [flag, `${what.replace(/\.$/, '')}; null: the default holds.`]),
)

const quotaWords: Record<PlanLimit, string> = {
  maxStudents:
    'Students who are neither withdrawn nor graduated; those who registered on the website count once they are converted. null: unlimited.',
  maxStaff: 'Active staff; null: unlimited.',
  maxBranches: 'Active branches; null: unlimited.',
  maxGroups: 'Planned and active groups; null: unlimited.',
  maxCourses: 'Active courses; null: unlimited.',
  maxStorageBytes: 'Bytes of all files; null: unlimited.',
  maxApiKeys: 'API keys that are neither revoked nor expired; null: unlimited.',
  maxMonthlyMessages: 'Notifications that are sent in a month; null: unlimited.',
  apiRateLimitPerMin:
    'Requests a minute of an API key: the default and the most that a key may have; null: the server’s default, 1200 unless it is configured otherwise, and 6000 at the most.',
}

const words = {
  code: 'A short name for programs and invoices, in small letters; no two plans have the same.',
  name: 'What people call it.',
  price: 'What it costs in each interval.',
  priceMinor: 'What it costs in each interval, in the smallest unit of the currency.',
  currency: 'The currency of the price.',
  interval: 'How often the price is paid.',
  features: 'The features that the plan switches on (true) or off (false); null: the default holds.',
  quotas: 'What the plan limits; null: unlimited.',
  archivedAt: 'When it was archived: it takes no new subscriptions since; null: it was not.',
}

const interval = v.picklist(INTERVALS)

export const Plan = named(
  'Plan',
  v.object({
    id,
    code: v.string(),
    name: v.string(),
    price: Money,
    interval,
    features: named('PlanFeatures', flags(orNull(v.boolean())), featureWords),
    quotas: named(
      'PlanQuotas',
      eachLimit(() => orNull(count)),
      quotaWords,
    ),
    archivedAt: orNull(ts),
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type Plan = v.InferOutput<typeof Plan>

const MAX_PRICE_MINOR = 1_000_000_000_000
const MAX_REQUESTS_PER_MINUTE = 1_000_000

const code = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.regex(
    /^[a-z0-9](?:[a-z0-9._-]{0,48}[a-z0-9])?$/,
    'Must have 1 to 50 characters: a-z, 0-9 and, not at its ends, dots, underscores and hyphens.',
  ),
)

const writable = v.object({
  code,
  name: title(100),
  priceMinor: integer(0, MAX_PRICE_MINOR),
  currency,
  interval,
  features: named('PlanFeatureChanges', flags(v.optional(v.nullable(v.boolean()))), featureWords),
  quotas: named(
    'PlanQuotaChanges',
    eachLimit((limit) =>
      v.optional(v.nullable(limit === 'apiRateLimitPerMin' ? integer(1, MAX_REQUESTS_PER_MINUTE) : integer(0))),
    ),
    quotaWords,
  ),
})

export const NewPlan = named('NewPlan', writable, words)
export type NewPlan = v.InferOutput<typeof NewPlan>

export const PlanChanges = named('PlanChanges', v.partial(writable), words)
export type PlanChanges = v.InferOutput<typeof PlanChanges>

const subscriptionWords = {
  tenantId: 'The institute.',
  planId: 'The plan.',
  status:
    'trialing, active and past_due: it goes on. expired: its period ended and it was not renewed; nothing is switched off by that. cancelled: for good; from the period’s end on the institute can only be read.',
  currentPeriodStart: 'When the period began.',
  currentPeriodEnd: 'When the period ends.',
  cancelledAt: 'When it was cancelled; null: it was not.',
}

const status = v.picklist(SUBSCRIPTION_STATUSES)

export const Subscription = named(
  'Subscription',
  v.object({
    id,
    tenantId: id,
    planId: id,
    status,
    currentPeriodStart: ts,
    currentPeriodEnd: ts,
    cancelledAt: orNull(ts),
    createdAt: ts,
    updatedAt: ts,
  }),
  subscriptionWords,
)
export type Subscription = v.InferOutput<typeof Subscription>

/** What an institute sees of its subscription and the plan. */
export const OwnSubscription = named(
  'OwnSubscription',
  v.object({
    planName: v.string(),
    price: Money,
    interval,
    status,
    currentPeriodStart: ts,
    currentPeriodEnd: ts,
    cancelledAt: orNull(ts),
  }),
  { ...words, ...subscriptionWords, planName: 'What the plan is called.' },
)

export const PlanEnd = named('PlanEnd', v.object({ endsAt: ts, isOver: v.boolean(), locksAt: orNull(ts) }), {
  endsAt: 'When the subscription ends, or ended.',
  isOver: 'Whether it has ended. Nothing is switched off by that.',
  locksAt: 'When the institute is locked, unless it is renewed before; null: it is not locked by itself.',
})

export const SubscriptionQuery = explained(
  pageQuery({ status: v.optional(status), expiringWithinDays: v.optional(integer(0, 3650)) }),
  { ...subscriptionWords, expiringWithinDays: 'Whose period ends within so many days from now.' },
)

export const NewSubscription = named(
  'NewSubscription',
  v.object({
    planId: uuid,
    status: v.optional(v.picklist(['trialing', 'active', 'past_due']), 'active'),
    currentPeriodEnd: instant,
  }),
  subscriptionWords,
)

export const SubscriptionChanges = named(
  'SubscriptionChanges',
  v.object({ planId: v.optional(uuid), status: v.optional(status), currentPeriodEnd: v.optional(instant) }),
  subscriptionWords,
)
export type SubscriptionChanges = v.InferOutput<typeof SubscriptionChanges>

export const Renewal = named('Renewal', v.object({ currentPeriodEnd: instant }), subscriptionWords)
