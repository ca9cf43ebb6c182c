import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { count, id, integer, list, Money, orNull, pageQuery, ts } from '#kernel/values/schema.ts'

/** A month in a filter. */
export const month = v.pipe(v.string(), v.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'Must be a month as YYYY-MM.'))

export const MOST_MONTHS = 36

export const FiguresQuery = explained(pageQuery({ months: v.optional(integer(1, MOST_MONTHS), 12) }, MOST_MONTHS), {
  months: 'How many months, the present one among them.',
})

export const Recurring = named(
  'RecurringRevenue',
  v.object({ planId: id, planName: v.string(), subscriptions: count, amount: Money }),
  {
    planId: 'The plan.',
    planName: 'What the plan is called.',
    subscriptions: 'How many subscriptions to it go on and are no trial.',
    amount: 'What they bring in a month: of a plan that is billed by the year, the twelfth part.',
  },
)
export type Recurring = v.InferOutput<typeof Recurring>

export const PlatformMonth = named(
  'PlatformMonth',
  v.object({
    month: v.string(),
    institutes: count,
    created: count,
    archived: count,
    cancelled: count,
    locked: count,
    students: orNull(count),
    recurring: orNull(list(Recurring)),
    totals: orNull(list(Money)),
    countedAt: orNull(ts),
  }),
  {
    month: 'The month, as 2026-03.',
    institutes:
      'How many institutes there were at its end, archived ones left out; of the present month, how many there are.',
    created: 'How many institutes were added in it: `createdIn` of GET /platform/tenants lists them.',
    archived: 'How many institutes were archived in it: `archivedIn` lists them.',
    cancelled:
      'How many institutes had their subscription cancelled in it, and none since: `cancelledIn` lists them, also those that were archived afterwards.',
    locked: 'How many institutes were locked in it, and are still: `lockedIn` lists them.',
    students:
      'How many students the institutes on this server had when they were last counted in it: all but those who withdrew or graduated, and archived institutes left out; null: nobody counted.',
    recurring:
      'What subscriptions bring in a month, by plan, as they stood when they were last counted in it; of the present month, as they stand. null: nobody counted.',
    totals: 'The sums of `recurring`, one for each currency; null: nobody counted.',
    countedAt: 'When students and subscriptions were last counted in it; null: nobody counted.',
  },
)
export type PlatformMonth = v.InferOutput<typeof PlatformMonth>
