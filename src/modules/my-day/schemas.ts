import * as v from 'valibot'
import { count, date, day, id, orNull, pageQuery, ts, uuid } from '#kernel/schema.ts'
import { StudentAttendance } from '#modules/attendance/index.ts'
import { SESSION_STATUSES } from '#modules/sessions/index.ts'

export const RELATIONS = ['teacher', 'student', 'guardian'] as const
export const ATTENDANCE_STATES = ['unmarked', 'partial', 'complete'] as const

const session = {
  sessionId: id,
  groupId: id,
  groupName: v.string(),
  courseId: id,
  courseName: v.string(),
  scheduledStart: ts,
  scheduledEnd: ts,
  status: v.picklist(SESSION_STATUSES),
}

export const scheduleQuery = v.object({ from: date, to: date })
export type ScheduleQuery = v.InferOutput<typeof scheduleQuery>

export const ScheduledSession = v.object({
  ...session,
  relation: v.picklist(RELATIONS),
  /** The student on whose behalf it is listed; null for a teacher. */
  studentId: orNull(id),
})
export type ScheduledSession = v.InferOutput<typeof ScheduledSession>

const { courseId: _courseId, courseName: _courseName, status: _status, ...backlogSession } = session

export const TeachingDay = v.object({
  date: day,
  timezone: v.string(),
  staffId: orNull(id),
  sessions: v.array(
    v.object({
      ...session,
      rosterCount: count,
      markedCount: count,
      attendanceState: v.picklist(ATTENDANCE_STATES),
    }),
  ),
  unmarkedBacklog: v.array(v.object({ ...backlogSession, rosterCount: count })),
})
export type TeachingDay = v.InferOutput<typeof TeachingDay>

export const ownAttendanceQuery = pageQuery({
  from: v.optional(date),
  to: v.optional(date),
  studentId: v.optional(uuid),
})
export type OwnAttendanceQuery = v.InferOutput<typeof ownAttendanceQuery>

export const OwnAttendance = v.object({
  data: v.array(StudentAttendance),
  nextCursor: orNull(v.string()),
  rate: v.object({
    present: count,
    absent: count,
    late: count,
    excused: count,
    totalHeld: count,
    rate: orNull(v.number()),
  }),
})
export type OwnAttendance = v.InferOutput<typeof OwnAttendance>
