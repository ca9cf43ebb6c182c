import { read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { list } from '#kernel/values/schema.ts'
import { ownAttendance } from './attendance.ts'
import { LONGEST_SCHEDULE_DAYS, ownSchedule } from './schedule.ts'
import { OwnAttendance, ownAttendanceQuery, ScheduledSession, scheduleQuery, TeachingDay } from './schemas.ts'
import { LONGEST_BACKLOG, teachingToday } from './teaching.ts'

export const myDayEndpoints = [
  read({
    id: 'me.schedule',
    path: '/me/schedule',
    summary: 'The sessions that concern the caller',
    description:
      `The sessions that begin from \`from\` to \`to\`, both inclusive, in the institute’s timezone, at most ${LONGEST_SCHEDULE_DAYS} days apart; cancelled ones included; in order of time. ` +
      'relation is teacher for those that the caller gives (studentId null), student for those on whose roster the caller is, guardian for those of a child of the caller’s, one entry for each child; studentId names the student. An API key has no sessions of its own.',
    access: 'tenant',
    tool: {
      name: 'schedule_read',
      title: 'My schedule',
      description:
        'Gives the sessions that concern the person you act for, as teacher, student or guardian, from one date to another, both included.',
    },
    query: scheduleQuery,
    reply: list(ScheduledSession),
    handle: ({ whole, ...context }) => ownSchedule(whole, context),
  }),
  read({
    id: 'me.teaching-today',
    path: '/me/teaching/today',
    summary: 'What the caller teaches today',
    description:
      'The sessions of today, in the institute’s timezone, that the caller gives, cancelled ones included. staffId is null, and nothing is listed, for somebody who is not active on the staff. ' +
      'rosterCount counts the students who were enrolled when the session was to begin or have an entry, markedCount those who have one; attendanceState is unmarked, partial or complete. ' +
      `unmarkedBacklog lists the sessions that ended, were not cancelled, have a roster and no entry, latest first, ${LONGEST_BACKLOG} at the most.`,
    access: 'tenant',
    tool: {
      name: 'teaching_read',
      title: 'What I teach today',
      description:
        'Gives the sessions that the person you act for teaches today, and earlier ones whose attendance is not marked yet. It is empty for somebody who does not teach.',
    },
    reply: TeachingDay,
    handle: ({ whole, ...context }) => teachingToday(whole, context),
  }),
  read({
    id: 'me.attendance',
    path: '/me/attendance',
    summary: 'What the caller, or a child of theirs, attended',
    description:
      'Latest session first, from `from` to `to`, both inclusive, in the institute’s timezone. Without studentId a student’s own; with it the caller themself or a child of whom they are guardian, anybody else is 404. Empty for somebody who is no student. ' +
      'rate sums up all of that time, whatever the page: totalHeld counts the held sessions on whose roster the student was; rate = 100 × (present + late) / (present + late + absent), null when nothing counts.',
    access: 'tenant',
    query: ownAttendanceQuery,
    reply: OwnAttendance,
    fails: [NotFound],
    handle: ownAttendance,
  }),
]
