import { change, read } from '#kernel/contract/endpoint.ts'
import { Merged, orMerged } from '#modules/people/index.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { Ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import { sessionRecord } from '#modules/sessions/index.ts'
import { checkReached, findRow } from '#runtime/records/records.ts'
import { clearEntry } from './clear.ts'
import { AttendanceChanged, markAttendance, NotOnRoster, SessionAhead, SessionCancelled } from './mark.ts'
import { readGrid } from './grid.ts'
import { readRoster, showRoster } from './roster.ts'
import {
  AttendanceGrid,
  AttendanceSummary,
  gridQuery,
  Marks,
  Roster,
  StudentAttendance,
  summaryQuery,
} from './schemas.ts'
import { listStudentAttendance, summarizeAttendance } from './summary.ts'
import { NewWalkIn, WalkIn, WalkInCandidateQuery, WalkInCandidates, WalkInQuery } from './walk-in-schemas.ts'
import { addWalkIn, AlreadyOnRoster, findCandidates, listWalkIns, settleWalkIn } from './walk-ins.ts'

export const attendanceEndpoints = [
  read({
    id: 'attendance.roster',
    path: '/sessions/{id}/attendance',
    summary: 'Read the roster of a session with its attendance',
    description:
      'The students whose enrollment was made at or before scheduledStart and had not ended by then, and whoever has an entry; by last name, first name. An entry that is not marked has status and markedAt null. version counts the changes of entries; PUT may send it.',
    access: 'attendance.read',
    tool: {
      name: 'attendance_read',
      title: 'Read the attendance of a session',
      description: 'Lists the students of one session with their attendance; whoever is not marked yet has no status.',
      params: { id: 'sessionId' },
    },
    reply: Roster,
    handle: async ({ db, whole, tenant, params }) => {
      const session = await findRow(db, sessionRecord, params.id)
      return showRoster(session, await readRoster({ whole, tenant }, session))
    },
  }),
  change({
    id: 'attendance.mark',
    method: 'PUT',
    path: '/sessions/{id}/attendance',
    summary: 'Take the attendance of a session',
    description:
      'Adds entries or changes them in place, marks the session held, and answers the whole roster; students who are not named keep what they have. An entry that is sent as it is stays untouched, its markedAt too. ' +
      'minutesLate is above 0 with status late only. A student who is neither on the roster nor has an entry is 422, and so is one named twice. An empty list clears all entries, and the session is scheduled again. Before the day of the session it is 422. ' +
      'student.absent tells of each student whose status becomes absent, late or excused; who was told of that is told when it is corrected to present, or cleared; attendance.marked fires once, when the last student of the roster gets an entry. ' +
      'With `version`, the one of the roster that the caller has seen, an entry that somebody changed since makes it 409 VERSION_CONFLICT, and nothing is written: details.entries has those that are not as the request has them, also of students whom it does not name. A repeat of what stands already is no conflict. Without `version` the last write wins.',
    access: 'attendance.mark',
    tool: {
      name: 'attendance_mark',
      title: 'Mark attendance',
      description:
        'Marks students of one session present, absent, late or excused. Name only the students whom you were told about: the others keep what they have. Guardians may be told of an absence.',
      params: { id: 'sessionId' },
      done: 'The attendance is marked. This is the whole roster now.',
    },
    body: Marks,
    reply: Roster,
    fails: [SessionCancelled, SessionAhead, NotOnRoster, AttendanceChanged],
    handle: ({ tx, params, body }) => markAttendance(tx, params.id, body),
  }),
  change({
    id: 'attendance.clear',
    method: 'DELETE',
    path: '/sessions/{id}/attendance/{studentId}',
    summary: 'Take back the entry of a student',
    description:
      'Answers the roster. A session of which no entry is left is scheduled again. Who was told of an absence is told that it does not hold. 404 where the student has no entry.',
    access: 'attendance.mark',
    reply: Roster,
    handle: ({ tx, params }) => clearEntry(tx, params.id, params.studentId),
  }),
  read({
    id: 'attendance.walk-in-candidates',
    path: '/sessions/{id}/walk-ins/candidates',
    summary: 'Find who came to a session and is not on its list',
    description:
      'For who marks the session: students of its branch who have not left and are not on its roster, by the words of their name, or by a whole phone of theirs or of a guardian. Name and number are all that is said of them.',
    access: 'attendance.mark',
    query: WalkInCandidateQuery,
    reply: WalkInCandidates,
    handle: ({ db, whole, tenant, params, query }) => findCandidates({ db, whole, tenant }, params.id, query.q),
  }),
  change({
    id: 'attendance.add-walk-in',
    method: 'POST',
    path: '/sessions/{id}/walk-ins',
    summary: 'Add somebody to a session who is not on its list',
    description:
      'The student is marked at once, as a guest of this lesson, and stands in GET /walk-ins until somebody enrolls them in the group or decides that they are not. They are not enrolled by it: nothing is billed, no place is taken, and they are on no other list. Answers the roster. Who is on it is 409; a student of another branch, or who has left, 404.',
    access: 'attendance.mark',
    body: NewWalkIn,
    reply: Roster,
    fails: [NotFound, SessionCancelled, SessionAhead, AlreadyOnRoster],
    handle: ({ tx, params, body }) => addWalkIn(tx, params.id, body),
  }),
  read({
    id: 'attendance.walk-ins',
    path: '/walk-ins',
    summary: 'List who came to a session without being enrolled',
    description:
      'Those of whom nobody has decided. POST /enrollments with the beginning of the session as enrolledAt enrolls them, and they are gone from here; POST /sessions/{id}/walk-ins/{studentId}/settle leaves them as they are.',
    access: 'enrollments.read',
    query: WalkInQuery,
    reply: pageOf(WalkIn),
    handle: listWalkIns,
  }),
  change({
    id: 'attendance.settle-walk-in',
    method: 'POST',
    path: '/sessions/{id}/walk-ins/{studentId}/settle',
    summary: 'Decide that somebody who came is not enrolled',
    description: 'Their entry of that session stays. 404 where nobody waits to be decided on.',
    access: 'enrollments.write',
    reply: Ok,
    handle: ({ tx, params }) => settleWalkIn(tx, params.id, params.studentId),
  }),
  read({
    id: 'attendance.summary',
    path: '/groups/{id}/attendance/summary',
    summary: 'Sum up the attendance of a group',
    description:
      'Held sessions whose local date lies from `from` to `to`, both inclusive; by default the 30 days that end today, or with `to`. ' +
      'Lists whoever was on the roster of one of them or is enrolled now. totalHeld counts the held sessions on whose roster the student was; rate = 100 × (present + late) / (present + late + absent), null when nothing counts; lowest rate first, null last.',
    access: 'attendance.read',
    query: summaryQuery,
    reply: AttendanceSummary,
    handle: async ({ db, whole, params, query, now, tenant }) => {
      await checkReached(db, 'group', params.id)
      return summarizeAttendance(whole, params.id, query, { now, timezone: tenant.timezone })
    },
  }),
  read({
    id: 'attendance.grid',
    path: '/groups/{id}/attendance',
    summary: 'Read the last sessions of a group as a grid',
    description:
      'The last held sessions, first held first, and a row for each student who was on the roster of one of them, has an entry or is enrolled now; by last name, first name. A row has a mark for each session, in their order; null where the student has no entry.',
    access: 'attendance.read',
    query: gridQuery,
    reply: AttendanceGrid,
    handle: async ({ db, whole, params, query }) => {
      await checkReached(db, 'group', params.id)
      return readGrid(whole, params.id, query.sessions)
    },
  }),
  read({
    id: 'attendance.student',
    path: '/students/{id}/attendance',
    summary: 'List what a student attended',
    description: 'Latest session first; under a role for one branch, the sessions of that branch.',
    access: 'attendance.read',
    query: pageQuery({}),
    reply: pageOf(StudentAttendance),
    fails: [Merged],
    handle: (context) => orMerged(context, listStudentAttendance),
  }),
]
