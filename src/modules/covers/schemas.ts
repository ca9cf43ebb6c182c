import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { count, date, day, emptyableProse, id, list, orNull, pageQuery, ts, uuid } from '#kernel/values/schema.ts'

const words = {
  staffId: 'The teacher who is absent.',
  staffName: 'The name of the teacher who is absent.',
  substituteStaffId: 'Who stands in for them.',
  substituteName: 'The name of whoever stands in.',
  from: 'The first day, included.',
  to: 'The last day, included: today or later, and at most 366 days after the first.',
  groupIds: 'Only lessons of these groups; null: of all groups of the teacher.',
  exceptSessionIds: 'Sessions that stay with the teacher, for example those with a clash.',
  others:
    'Who stands in on some of the days in place of `substituteStaffId`, on no day two of them. They and everybody else are told once for all of it.',
  reason: 'Why the teacher is absent; null: nothing is said. Families do not read it.',
  tellFamilies:
    'Whether the students of the groups and their guardians are told, in one message for all of it, also where several stand in. Default: false. Whoever stands in is always told, and whoever loses such lessons again.',
  coveredSessions: 'How many sessions it gave to whoever stands in, of those that the caller reaches.',
}

export const NewCover = named(
  'NewCover',
  v.object({
    substituteStaffId: uuid,
    from: date,
    to: date,
    others: v.optional(
      v.pipe(
        v.array(
          named('CoverDays', v.object({ substituteStaffId: uuid, from: date, to: date }), {
            substituteStaffId: 'Who stands in on these days.',
            from: 'The first of them, included.',
            to: 'The last of them, included.',
          }),
        ),
        v.maxLength(366, 'Must name at most 366 spans of days.'),
      ),
      [],
    ),
    groupIds: v.optional(
      v.pipe(v.array(uuid), v.minLength(1, 'Must name a group.'), v.maxLength(200, 'Must name at most 200 groups.')),
    ),
    exceptSessionIds: v.optional(v.pipe(v.array(uuid), v.maxLength(1000, 'Must name at most 1000 sessions.')), []),
    reason: v.optional(v.nullable(emptyableProse(300))),
    tellFamilies: v.optional(v.boolean(), false),
    dryRun: v.optional(v.boolean(), false),
  }),
  {
    ...words,
    groupIds: 'Only lessons of these groups; all groups of the teacher where it is left out.',
    dryRun: 'true: nothing is changed, and the reply says what would be.',
  },
)
export type NewCover = v.InferOutput<typeof NewCover>

export const Cover = named(
  'Cover',
  v.object({
    id,
    staffId: id,
    staffName: v.string(),
    substituteStaffId: id,
    substituteName: v.string(),
    from: day,
    to: day,
    groupIds: orNull(list(id)),
    reason: orNull(v.string()),
    coveredSessions: count,
    createdAt: ts,
  }),
  { ...words, to: 'The last day, included.' },
)
export type Cover = v.InferOutput<typeof Cover>

export const CLASH_KINDS = ['lesson', 'absence'] as const

const CoverClash = named(
  'CoverClash',
  v.object({
    kind: v.picklist(CLASH_KINDS),
    groupName: orNull(v.string()),
    scheduledStart: orNull(ts),
    scheduledEnd: orNull(ts),
  }),
  {
    kind: '`lesson`: whoever stands in gives another lesson then; `absence`: they are absent themselves that day.',
    groupName: 'The group of that lesson; null: it is out of reach, or the clash is no lesson.',
    scheduledStart: 'When that lesson begins; null: the clash is no lesson.',
    scheduledEnd: 'When it ends; null: the clash is no lesson.',
  },
)
export type CoverClash = v.InferOutput<typeof CoverClash>

const CoveredSession = named(
  'CoveredSession',
  v.object({
    sessionId: id,
    groupId: id,
    groupName: v.string(),
    scheduledStart: ts,
    scheduledEnd: ts,
    substituteStaffId: id,
    isCovered: v.boolean(),
    clashes: list(CoverClash),
  }),
  {
    groupId: 'The group.',
    groupName: 'The name of the group.',
    substituteStaffId: 'Who stands in then.',
    isCovered: 'Whether whoever stands in gives it; false: it was left out.',
    clashes: 'What else whoever stands in has then.',
  },
)
export type CoveredSession = v.InferOutput<typeof CoveredSession>

export const CoverPlan = named(
  'CoverPlan',
  v.object({ dryRun: v.boolean(), cover: orNull(Cover), covers: list(Cover), sessions: list(CoveredSession) }),
  {
    dryRun: 'Whether nothing was changed.',
    cover: 'What was made, of several the first; null: of a dry run.',
    covers: 'All that were made, one for the days after one another of each who stands in; none: of a dry run.',
    sessions: 'The sessions of the teacher within, by their beginning.',
  },
)
export type CoverPlan = v.InferOutput<typeof CoverPlan>

export const CoverQuery = explained(
  pageQuery({
    from: v.optional(date),
    to: v.optional(date),
    staffId: v.optional(uuid),
    substituteStaffId: v.optional(uuid),
  }),
  {
    from: 'Only those that have a day on this one or after it; today, in the institute’s zone, where it is left out.',
    to: 'Only those that have a day on this one or before it.',
    staffId: 'Only those of this absent teacher.',
    substituteStaffId: 'Only those in which this one stands in.',
  },
)
