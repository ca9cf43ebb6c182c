import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  date,
  day,
  emptyableProse,
  expectedVersion,
  id,
  integer,
  orNull,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { cancelledWords, SESSION_STATUSES } from '#modules/sessions/index.ts'
import { ATTENDANCE_STATUSES } from './tables.ts'

const words = {
  entries: 'One for each student.',
  status: 'How the student attended; null: not marked yet.',
  minutesLate: 'Minutes, above 0 with the status late only.',
  markedAt: 'When this entry was made or changed last; null: not marked yet.',
  announced: 'That the student does not come, as the family or the office announced; null: nothing was announced.',
  isWalkIn: 'Whether they came without being enrolled, and nobody has decided yet whether they are.',
  students: 'Who was on the roster of a session of these days or is enrolled now; lowest rate first.',
  from: 'The first day, in the institute’s timezone; 30 days that end with `to` where it is left out.',
  to: 'The last day, in the institute’s timezone; today where it is left out.',
  present: 'Sessions at which the student was present.',
  absent: 'Sessions from which the student was absent.',
  late: 'Sessions to which the student came late.',
  excused: 'Sessions for which the student was excused.',
  totalHeld: 'Held sessions on whose roster the student was.',
  rate: 'Percent with one decimal: present and late, of all but the excused; null: nothing counts yet.',
}

export const ATTENDANCE_STATES = ['unmarked', 'partial', 'complete'] as const

/** How far the attendance of a session is taken. */
export const rosterCounts = { rosterCount: count, markedCount: count, attendanceState: v.picklist(ATTENDANCE_STATES) }
export type RosterCounts = v.InferOutput<v.ObjectSchema<typeof rosterCounts, undefined>>

export const rosterWords = {
  rosterCount: 'How many students are on the roster.',
  markedCount: 'How many of them have an entry.',
  attendanceState: 'How far the attendance is taken.',
}

const status = named('AttendanceStatus', v.picklist(ATTENDANCE_STATUSES))

export const RosterEntry = named(
  'RosterEntry',
  v.object({
    studentId: id,
    firstName: v.string(),
    lastName: v.string(),
    status: orNull(status),
    minutesLate: count,
    note: orNull(v.string()),
    markedAt: orNull(ts),
    announced: orNull(
      named('AnnouncedOnRoster', v.object({ absenceId: id, reason: v.string(), proposed: status }), {
        absenceId: 'The announced absence.',
        reason: 'Why the student does not come.',
        proposed: 'The status that the entry should get: excused.',
      }),
    ),
    isWalkIn: v.boolean(),
  }),
  words,
)
export type RosterEntry = v.InferOutput<typeof RosterEntry>

export const Roster = named(
  'Roster',
  v.object({
    sessionId: id,
    groupId: id,
    scheduledStart: ts,
    status: v.picklist(SESSION_STATUSES),
    cancelReason: orNull(v.string()),
    version: count,
    entries: v.array(RosterEntry),
  }),
  {
    ...words,
    status: 'How the session stands.',
    cancelReason: cancelledWords.cancelReason,
    version: 'Counts how often an entry of this session was changed.',
  },
)
export type Roster = v.InferOutput<typeof Roster>

/** What a mark says beside its status. */
export const markDetails = {
  minutesLate: v.optional(integer(0, 1440), 0),
  note: v.optional(v.nullable(emptyableProse(1000)), null),
}

/** Minutes belong to the status late. */
export const minutesFit = (mark: { status: string; minutesLate: number }): boolean =>
  mark.status === 'late' || mark.minutesLate === 0
export const MINUTES_MISPLACED = 'Must be 0 unless the status is late.'

const Mark = named(
  'AttendanceMark',
  v.pipe(
    v.object({ studentId: uuid, status, ...markDetails }),
    v.forward(
      v.check((mark) => minutesFit(mark), MINUTES_MISPLACED),
      ['minutesLate'],
    ),
  ),
  words,
)
export type Mark = v.InferOutput<typeof Mark>

export const Marks = named(
  'AttendanceMarks',
  v.object({
    version: expectedVersion,
    entries: v.pipe(v.array(Mark), v.maxLength(1000, 'Must have at most 1000 entries.')),
  }),
  {
    ...words,
    version:
      'The version of the roster from which the entries were taken. With it, what somebody else changed since is not overwritten: the request is refused. Without it the last write wins.',
  },
)
export type Marks = v.InferOutput<typeof Marks>

export const summaryQuery = explained(v.object({ from: v.optional(date), to: v.optional(date) }), words)

export const AttendanceSummary = named(
  'AttendanceSummary',
  v.object({
    groupId: id,
    from: day,
    to: day,
    students: v.array(
      named(
        'StudentAttendanceSummary',
        v.object({
          studentId: id,
          firstName: v.string(),
          lastName: v.string(),
          present: count,
          absent: count,
          late: count,
          excused: count,
          totalHeld: count,
          rate: orNull(v.number()),
        }),
        words,
      ),
    ),
  }),
  words,
)
export type AttendanceSummary = v.InferOutput<typeof AttendanceSummary>

export const StudentAttendance = named(
  'StudentAttendance',
  v.object({
    sessionId: id,
    groupId: id,
    scheduledStart: ts,
    status,
    minutesLate: count,
    note: orNull(v.string()),
    markedAt: ts,
  }),
  words,
)

const MOST_SESSIONS = 24

export const gridQuery = explained(v.object({ sessions: v.optional(integer(1, MOST_SESSIONS), 12) }), {
  sessions: `How many sessions, at most ${MOST_SESSIONS}; 12 where it is left out.`,
})

export const AttendanceGrid = named(
  'AttendanceGrid',
  v.object({
    sessions: v.array(
      named('GridSession', v.object({ id, scheduledStart: ts, status: v.picklist(SESSION_STATUSES) }), {
        status: 'How the session stands.',
      }),
    ),
    students: v.array(
      named('GridStudent', v.object({ studentId: id, fullName: v.string(), marks: v.array(orNull(status)) }), {
        marks: 'One for each session, in their order; null: no entry.',
      }),
    ),
  }),
  {
    sessions: 'The last held sessions of the group, first held first.',
    students: 'By last name, first name.',
  },
)
export type AttendanceGrid = v.InferOutput<typeof AttendanceGrid>
