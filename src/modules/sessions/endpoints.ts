import { change, read } from '#kernel/contract/endpoint.ts'
import { invalid } from '#kernel/values/errors.ts'
import { list, pageOf, pageQuery } from '#kernel/values/schema.ts'
import { addDays } from '#kernel/time/zone.ts'
import { groupRecord } from '#modules/groups/index.ts'
import { conflictsHeader, conflictsOfGroup, conflictsOfSession } from '#modules/schedule-conflicts/index.ts'
import { lockRow } from '#runtime/records/records.ts'
import { generateSessions } from './generation.ts'
import { listRules, replaceRules } from './rules.ts'
import {
  GeneratedSessions,
  GenerateSessions,
  NewSchedule,
  NewSession,
  ScheduleRule,
  Session,
  SessionChanges,
  sessionFilters,
} from './schemas.ts'
import { changeSession, createSession, DayClosed, listSessions, readSession, SessionNotScheduled } from './service.ts'

const LONGEST_WINDOW_DAYS = 400

export const sessionEndpoints = [
  read({
    id: 'schedules.list',
    path: '/groups/{id}/schedules',
    summary: 'List the weekly schedule rules of a group',
    description: 'In one answer, by weekday, start time and first day. Needs groups.read.',
    access: 'groups.read',
    reply: list(ScheduleRule),
    handle: ({ db, params }) => listRules(db, params.id),
  }),
  change({
    id: 'schedules.replace',
    method: 'PUT',
    path: '/groups/{id}/schedules',
    summary: 'Replace the weekly schedule rules of a group',
    description:
      'weekday is 0 to 6, 0 being Sunday; times are HH:MM in the institute’s timezone; both dates are inclusive. Two rules that overlap are 422. ' +
      'The sessions of the schedule that have not begun are brought in line, for eight weeks and as far as sessions had been generated: slots that stay keep their session and what was written on it (its end follows the rule unless it was rescheduled), slots that are gone lose theirs, or have it cancelled where files are attached to it; new slots get one. ' +
      'Rules that ask for more than 850 sessions as far as that are 422. Held, cancelled and one-off sessions, and sessions that have begun, stay. No session lies before the group’s startsOn or after its endsOn. ' +
      'As time passes sessions are added behind the last one by themselves, so that there are seven to eight weeks of them.',
    access: 'groups.write',
    body: NewSchedule,
    reply: list(ScheduleRule),
    replyHeaders: conflictsHeader,
    handle: ({ tx, params, body }) => replaceRules(tx, params.id, body),
    headersAfter: ({ params, ...dbs }) => conflictsOfGroup(dbs, params.id),
  }),
  read({
    id: 'sessions.list',
    path: '/groups/{id}/sessions',
    summary: 'List the sessions of a group',
    description: 'By scheduledStart ascending. `from` and `to` are inclusive and are compared with scheduledStart.',
    access: 'groups.read',
    tool: {
      name: 'sessions_list',
      title: 'List the sessions of a group',
      description:
        'Lists the sessions (lessons) of one group by time. from and to are instants with an offset, such as 2026-03-02T00:00:00+02:00. Gives the sessionId for attendance_read and attendance_mark.',
      params: { id: 'groupId' },
    },
    query: pageQuery(sessionFilters),
    reply: pageOf(Session),
    handle: listSessions,
  }),
  change({
    id: 'sessions.create',
    method: 'POST',
    path: '/groups/{id}/sessions',
    summary: 'Add a session outside the schedule',
    description:
      'It may lie in the past. With `notify` everybody is told of one that is still to come, as of one that is moved. Without teacherStaffId the group’s own teacher gives it, or whoever stands in for them that day; lessonId is a lesson of the group’s course.',
    access: 'groups.write',
    body: NewSession,
    status: 201,
    reply: Session,
    fails: [DayClosed],
    replyHeaders: conflictsHeader,
    handle: async ({ tx, params, body }) => {
      await lockRow(tx, groupRecord, params.id)
      return createSession(tx, params.id, body)
    },
    headersAfter: ({ reply, ...dbs }) => conflictsOfSession(dbs, reply.id),
  }),
  change({
    id: 'sessions.generate',
    method: 'POST',
    path: '/groups/{id}/sessions/generate',
    summary: 'Make the sessions that the schedule asks for',
    description:
      'From today, in the institute’s timezone, through eight weeks or through `until`, both days inclusive; `until` lies at most 400 days ahead (422), and with one in the past there is nothing to make. More than 850 occurrences are 422: choose an earlier day. ' +
      'Only days from the group’s startsOn to its endsOn count. A local time that a clock change skips moves forward by the gap, one that occurs twice is the first. ' +
      '`total` counts the occurrences in the window, `created` the new ones; an occurrence (group, local date, start time) that has a session, also a rescheduled or cancelled one, is left as it is.',
    access: 'groups.write',
    body: GenerateSessions,
    bodyOptional: true,
    status: 201,
    reply: GeneratedSessions,
    handle: async ({ tx, params, body: { until } }) => {
      const group = await lockRow(tx, groupRecord, params.id)
      if (until !== undefined && until > addDays(tx.today, LONGEST_WINDOW_DAYS)) {
        throw invalid(['until'], `Must be at most ${LONGEST_WINDOW_DAYS} days ahead.`)
      }
      return generateSessions(tx, group, until)
    },
  }),
  read({
    id: 'sessions.read',
    path: '/sessions/{id}',
    summary: 'Read a session',
    description:
      'teacherStaffId names a substitute, null the group’s own teacher; of a held session it names who gave it, and stays when the group gets another teacher.',
    access: 'groups.read',
    reply: Session,
    handle: ({ db, params }) => readSession(db, params.id),
  }),
  change({
    id: 'sessions.update',
    method: 'PATCH',
    path: '/sessions/{id}',
    summary: 'Cancel, move or write on a session',
    description:
      'For holders of groups.write, the group’s own teacher and the session’s substitute (not of a cancelled session, and not while inactive on the staff); anybody else is 403. ' +
      '`status: "cancelled"` needs a `reason` and emits session.cancelled. A held or cancelled session can be neither cancelled nor moved (409), but written on. ' +
      'A rescheduled session stays the occurrence that it was; while it is still to come, its students, their guardians and its teacher are told of the new times, and whoever it is given to is told of that. teacherStaffId of a held session corrects who gave it; null is then who teaches the group now. The group’s own teacher can name a substitute among the staff of the group’s branch. lessonId is a lesson of the group’s course, published or not; one of another course is 422. ' +
      'topic and homework are read by families (GET /me/schedule), notes by staff alone; homework due before the day of the session is 422, and one that is set replaces what stood. Nobody is told of them, and no webhook is sent: of what can happen here only a cancellation is an event.',
    access: ['groups.write', 'attendance.mark'],
    body: SessionChanges,
    reply: Session,
    fails: [SessionNotScheduled, DayClosed],
    replyHeaders: conflictsHeader,
    handle: ({ tx, caller, params, body }) => changeSession(tx, caller, params.id, body),
    headersAfter: ({ reply, ...dbs }) => conflictsOfSession(dbs, reply.id),
  }),
]
