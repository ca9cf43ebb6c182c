import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { date, day, id, orNull, pageQuery, prose, ts, uuid } from '#kernel/values/schema.ts'

const words = {
  studentId: 'The student.',
  studentName: 'The name of the student.',
  from: 'The first day, included.',
  to: 'The last day, included: today or later, and at most 366 days after the first.',
  reason: 'Why the student does not come.',
  byGuardianId: 'The guardian who announced it; null: the office did.',
}

export const NewAbsence = named('NewAbsence', v.object({ from: date, to: date, reason: prose(300) }), words)
export type NewAbsence = v.InferOutput<typeof NewAbsence>

export const Absence = named(
  'Absence',
  v.object({
    id,
    studentId: id,
    studentName: v.string(),
    from: day,
    to: day,
    reason: v.string(),
    byGuardianId: orNull(id),
    createdAt: ts,
  }),
  words,
)
export type Absence = v.InferOutput<typeof Absence>

export const AbsenceQuery = explained(
  pageQuery({ from: v.optional(date), to: v.optional(date), branchId: v.optional(uuid) }),
  {
    from: 'Only those that have a day on this one or after it; today, in the institute’s zone, where it is left out.',
    to: 'Only those that have a day on this one or before it.',
    branchId: 'Only those of students of this branch.',
  },
)
