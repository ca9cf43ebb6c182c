import { read } from '#kernel/contract/endpoint.ts'
import { pageOf } from '#kernel/values/schema.ts'
import { listTimetable, LONGEST_TIMETABLE_DAYS } from './list.ts'
import { TimetableQuery, TimetableSession } from './schemas.ts'

export const timetableEndpoints = [
  read({
    id: 'sessions.timetable',
    path: '/sessions',
    summary: 'List the sessions of all groups',
    description:
      `By scheduledStart ascending: those that begin from \`from\` to \`to\`, both inclusive, in the institute’s timezone, at most ${LONGEST_TIMETABLE_DAYS} days apart (422); cancelled ones included, unless \`status\` says otherwise. ` +
      'A role for one branch sees the sessions of its groups, a teacher those of the groups taught or substituted, also when a colleague gives them; a record that a filter names out of reach leaves an empty list. ' +
      'rosterCount counts the students who were enrolled when the session was to begin or have an entry, markedCount those who have one; attendanceState is unmarked, partial or complete.',
    access: 'groups.read',
    query: TimetableQuery,
    reply: pageOf(TimetableSession),
    handle: listTimetable,
  }),
]
