import { read } from '#kernel/contract/endpoint.ts'
import { pageOf } from '#kernel/values/schema.ts'
import { DEFAULT_DAYS, listConflicts, MOST_DAYS } from './list.ts'
import { ScheduleConflict, ScheduleConflictQuery } from './schemas.ts'

export const scheduleConflictEndpoints = [
  read({
    id: 'schedule-conflicts.list',
    path: '/schedule-conflicts',
    summary: 'List the teachers, rooms and students that are booked twice at the same time',
    description:
      'In order of time. Each row is a pair of sessions that overlap, of two groups or of one, and what they have in common; a pair may come once for each kind. Sessions that only touch do not overlap, cancelled ones do not count. ' +
      'teacher: the substitute, else the group’s own teacher; of a held session, who gave it. room: the group’s, within one branch, by the rules by which texts are searched (case, accents and blanks do not tell two rooms apart). student: somebody is actively enrolled in both groups. ' +
      'A row’s `from` and `to` are the time in which both take place; sessionId is the one that began first. ' +
      '`from` and `to` of the query are inclusive and are compared with a row’s `from`. Without `from` it is the beginning of today in the institute’s timezone, ' +
      `without \`to\` the end of the day ${DEFAULT_DAYS} days after \`from\`; \`to\` before \`from\`, or more than ${MOST_DAYS} days after it, is 422. ` +
      'Both sessions must be within the caller’s reach: a role for one branch sees the conflicts within it, a teacher those among the groups taught or substituted.',
    access: 'groups.read',
    query: ScheduleConflictQuery,
    reply: pageOf(ScheduleConflict),
    handle: listConflicts,
  }),
]
