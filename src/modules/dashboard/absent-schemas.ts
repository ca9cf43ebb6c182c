import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { date, id, orNull, pageQuery, ts, uuid } from '#kernel/values/schema.ts'
import { RosterEntry } from '#modules/attendance/index.ts'
import { GuardianLink } from '#modules/people/index.ts'

export const AbsentStudent = named(
  'AbsentStudent',
  v.object({
    sessionId: id,
    groupId: id,
    groupName: v.string(),
    scheduledStart: ts,
    studentId: id,
    studentName: v.string(),
    status: v.picklist(['absent', 'excused']),
    note: RosterEntry.entries.note,
    announcedReason: orNull(v.string()),
    isTold: v.boolean(),
    isWaiting: v.boolean(),
    contact: orNull(
      named(
        'AbsentContact',
        v.object({
          guardianId: id,
          fullName: v.string(),
          relationship: GuardianLink.entries.relationship,
          phone: orNull(v.string()),
        }),
        { phone: 'The phone, in international form; null: none is known.' },
      ),
    ),
  }),
  {
    groupId: 'The group.',
    groupName: 'The name of the group.',
    studentId: 'The student.',
    studentName: 'The name of the student.',
    status: 'How they were marked.',
    announcedReason: 'Why, as it was announced ahead for that day; null: nobody announced it.',
    isTold: 'Whether a message about it was sent to a guardian.',
    isWaiting: 'Whether a message about it to a guardian waits to go out.',
    contact:
      'Whom one calls first: the primary contact, else the guardian who was linked first. null: there is none, or the caller may not see guardians.',
  },
)
export type AbsentStudent = v.InferOutput<typeof AbsentStudent>

export const AbsentQuery = explained(
  pageQuery({ date: v.optional(date), branchId: v.optional(uuid), groupId: v.optional(uuid) }),
  {
    date: 'The day, in the institute’s timezone; today where it is left out.',
    branchId: 'Only of groups of this branch.',
    groupId: 'Only of this group.',
  },
)
