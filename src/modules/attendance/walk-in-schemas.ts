import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { id, list, pageQuery, searched, ts, uuid } from '#kernel/values/schema.ts'
import { markDetails, MINUTES_MISPLACED, minutesFit, RosterEntry } from './schemas.ts'

const status = v.picklist(['present', 'late'])

const words = {
  studentId: 'The student.',
  status: 'How they came: present where it is left out.',
  minutesLate: 'Minutes, above 0 with the status late only.',
}

export const NewWalkIn = named(
  'NewWalkIn',
  v.pipe(
    v.object({ studentId: uuid, status: v.optional(status, 'present'), ...markDetails }),
    v.forward(
      v.check((mark) => minutesFit(mark), MINUTES_MISPLACED),
      ['minutesLate'],
    ),
  ),
  words,
)
export type NewWalkIn = v.InferOutput<typeof NewWalkIn>

export const WalkInCandidateQuery = explained(
  v.object({ q: v.pipe(searched(100), v.minLength(2, 'Must have at least 2 characters.')) }),
  { q: 'The name of the student, or the whole phone of the student or of a guardian: 2 to 100 characters.' },
)

export const WalkInCandidates = named(
  'WalkInCandidates',
  v.object({
    students: list(
      named('WalkInCandidate', v.object({ studentId: id, fullName: v.string(), studentNumber: v.string() }), {
        studentId: 'The student.',
        fullName: 'What they are called.',
        studentNumber: 'It tells two of the same name apart.',
      }),
    ),
  }),
  { students: 'The newest that fit, at most ten.' },
)
export type WalkInCandidates = v.InferOutput<typeof WalkInCandidates>

export const WalkInQuery = explained(pageQuery({ branchId: v.optional(uuid), groupId: v.optional(uuid) }), {
  branchId: 'Only of groups of this branch.',
  groupId: 'Only of this group.',
})

export const WalkIn = named(
  'WalkIn',
  v.object({
    sessionId: id,
    groupId: id,
    groupName: v.string(),
    scheduledStart: ts,
    studentId: id,
    studentName: v.string(),
    status: RosterEntry.entries.status.wrapped,
    note: RosterEntry.entries.note,
    addedAt: ts,
  }),
  {
    groupId: 'The group in whose lesson they were.',
    groupName: 'The name of the group.',
    studentId: 'The student.',
    studentName: 'The name of the student.',
    status: 'How they were marked.',
    addedAt: 'When somebody added them to the lesson.',
  },
)
export type WalkIn = v.InferOutput<typeof WalkIn>
