import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { date, id, orNull, pageQuery, text, uuid } from '#kernel/values/schema.ts'
import { rosterCounts, rosterWords } from '#modules/attendance/index.ts'
import { cancelledWords, lessonWords, Session, statusFilter } from '#modules/sessions/index.ts'

const words = {
  ...rosterWords,
  ...cancelledWords,
  groupId: 'The group.',
  groupName: 'The name of the group.',
  courseName: 'The name of the course that the group learns.',
  branchId: 'The branch of the group.',
  room: 'The room of the group; null: none is named.',
  teacherStaffId: 'The substitute, or of a held session who gave it; null: the group’s own teacher.',
  teacherName: 'Who gives the session, or gave it; null: nobody is named.',
  ...lessonWords,
  lessonId: 'The lesson of the course that it treats; null: none.',
}

export const TimetableSession = named(
  'TimetableSession',
  v.object({
    ...Session.entries,
    groupName: v.string(),
    courseName: v.string(),
    branchId: id,
    room: orNull(v.string()),
    teacherName: orNull(v.string()),
    ...rosterCounts,
  }),
  words,
)
export type TimetableSession = v.InferOutput<typeof TimetableSession>

export const TimetableQuery = explained(
  pageQuery({
    from: v.optional(date),
    to: v.optional(date),
    branchId: v.optional(uuid),
    groupId: v.optional(uuid),
    teacherStaffId: v.optional(uuid),
    room: v.optional(text(100)),
    status: statusFilter,
  }),
  {
    from: 'The first day, in the institute’s timezone; today where it is left out.',
    to: 'The last day; the same day as `from` where it is left out.',
    branchId: 'Only sessions of groups of this branch.',
    groupId: 'Only sessions of this group.',
    teacherStaffId:
      'Only sessions that this member of the staff gives, or gave: as the group’s teacher or as substitute.',
    room: 'Only sessions of groups with exactly this room.',
    status: 'Only sessions with this status, or with one of several where the parameter is repeated.',
  },
)
export type TimetableQuery = v.InferOutput<typeof TimetableQuery>
