import * as v from 'valibot'
import { count, date, day, emptyableProse, id, integer, orNull, ts, uuid } from '#kernel/schema.ts'
import { SESSION_STATUSES } from '#modules/sessions/index.ts'
import { ATTENDANCE_STATUSES } from './tables.ts'

const status = v.picklist(ATTENDANCE_STATUSES)

export const RosterEntry = v.object({
  studentId: id,
  firstName: v.string(),
  lastName: v.string(),
  status: orNull(status),
  minutesLate: count,
  note: orNull(v.string()),
  markedAt: orNull(ts),
})
export type RosterEntry = v.InferOutput<typeof RosterEntry>

export const Roster = v.object({
  sessionId: id,
  groupId: id,
  scheduledStart: ts,
  status: v.picklist(SESSION_STATUSES),
  entries: v.array(RosterEntry),
})
export type Roster = v.InferOutput<typeof Roster>

const Mark = v.pipe(
  v.object({
    studentId: uuid,
    status,
    minutesLate: v.optional(integer(0, 1440), 0),
    note: v.optional(v.nullable(emptyableProse(1000)), null),
  }),
  v.forward(
    v.check((entry) => entry.status === 'late' || entry.minutesLate === 0, 'Must be 0 unless the status is late.'),
    ['minutesLate'],
  ),
)
export type Mark = v.InferOutput<typeof Mark>

export const Marks = v.object({
  entries: v.pipe(v.array(Mark), v.maxLength(1000, 'Must have at most 1000 entries.')),
})

export const summaryQuery = v.object({ from: v.optional(date), to: v.optional(date) })

export const AttendanceSummary = v.object({
  groupId: id,
  from: day,
  to: day,
  students: v.array(
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
  ),
})
export type AttendanceSummary = v.InferOutput<typeof AttendanceSummary>

export const StudentAttendance = v.object({
  sessionId: id,
  groupId: id,
  scheduledStart: ts,
  status,
  minutesLate: count,
  note: orNull(v.string()),
  markedAt: ts,
})
