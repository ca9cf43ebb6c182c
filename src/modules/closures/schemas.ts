import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  date,
  day,
  expectedVersion,
  id,
  integer,
  list,
  orNull,
  pageQuery,
  title,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { HOLIDAY_CALENDARS } from './holiday-names.ts'
import { FIRST_YEAR, LAST_YEAR } from './holidays.ts'

const words = {
  name: 'What the days are called: it stands as the reason in the sessions, and in the message to families.',
  from: 'The first day, included.',
  to: 'The last day, included: at most 366 days after the first.',
  branchId: 'Only this branch is closed; null: all are.',
  isBilled:
    'Whether fees by the lesson charge the lessons that do not take place because of it. Where they do not, the month costs the less: these lessons stay among all of the month, and nobody pays for them. Default: true.',
  cancelledSessions: 'How many sessions are cancelled because of it.',
}

export const Closure = named(
  'Closure',
  v.object({
    id,
    name: v.string(),
    from: day,
    to: day,
    branchId: orNull(id),
    isBilled: v.boolean(),
    cancelledSessions: count,
    version: count,
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type Closure = v.InferOutput<typeof Closure>

const writable = v.object({
  name: title(150),
  from: date,
  to: date,
  branchId: v.nullable(uuid),
  isBilled: v.boolean(),
})

export const NewClosure = named(
  'NewClosure',
  v.object({ ...v.partial(writable).entries, name: title(150), from: date, to: date }),
  words,
)
export type NewClosure = v.InferOutput<typeof NewClosure>

/** How many are closed in one request: the holidays of two years. */
const MOST_AT_ONCE = 60

export const NewClosures = named(
  'NewClosures',
  v.object({
    closures: v.pipe(
      list(
        named('ClosedDays', v.object({ name: title(150), from: date, to: date }), {
          name: words.name,
          from: words.from,
          to: words.to,
        }),
      ),
      v.minLength(1, 'Must have some days.'),
      v.maxLength(MOST_AT_ONCE, `Must have at most ${MOST_AT_ONCE} entries.`),
    ),
    branchId: v.optional(v.nullable(uuid)),
    isBilled: v.optional(v.boolean()),
  }),
  {
    closures: 'The days of each of them, and what it is called.',
    branchId: words.branchId,
    isBilled: words.isBilled,
  },
)
export type NewClosures = v.InferOutput<typeof NewClosures>

export const ClosureChanges = named(
  'ClosureChanges',
  v.object({ ...v.partial(writable).entries, version: expectedVersion }),
  words,
)
export type ClosureChanges = v.InferOutput<typeof ClosureChanges>

export const Closures = list(Closure)

export const ClosureQuery = explained(
  pageQuery({ from: v.optional(date), to: v.optional(date), branchId: v.optional(uuid) }),
  {
    from: 'Only those that have a day on this one or after it; today, in the institute’s zone, where it is left out.',
    to: 'Only those that have a day on this one or before it.',
    branchId: 'Only those by which this branch is closed, those of all branches included.',
  },
)

export const ProposalQuery = explained(v.object({ year: v.optional(integer(FIRST_YEAR, LAST_YEAR)) }), {
  year: 'The year, from 2000 to 2076; the current one where it is left out.',
})

export const HolidayProposal = named(
  'HolidayProposal',
  v.object({
    key: v.string(),
    calendar: v.picklist(HOLIDAY_CALENDARS),
    name: named('HolidayName', v.object({ ar: v.string(), en: v.string(), he: v.string() }), {
      ar: 'In Arabic.',
      en: 'In English.',
      he: 'In Hebrew.',
    }),
    from: day,
    to: day,
    isUpToTheMoon: v.boolean(),
    closureId: orNull(id),
  }),
  {
    key: 'Names the holiday, in every year.',
    calendar:
      '`jewish`, `muslim`; `western` and `eastern`: Christian, by the Gregorian and the Julian computation; `country`: of the country of the institute’s time zone.',
    name: 'What it is called.',
    from: 'Its first day.',
    to: 'Its last day, included.',
    isUpToTheMoon: 'Whether it may begin a day later or earlier, when the new moon has been seen.',
    closureId: 'Closed days that cover it already; null: there are none.',
  },
)
export const HolidayProposals = list(HolidayProposal)
