import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { count, date, day, id, orNull, pageQuery, ts, uuid } from '#kernel/values/schema.ts'
import { rosterCounts, rosterWords, StudentAttendance } from '#modules/attendance/index.ts'
import { cancelledWords, homework, lessonWords, SESSION_STATUSES } from '#modules/sessions/index.ts'

const words = {
  groupId: 'The group.',
  groupName: 'The name of the group.',
  room: 'The room of the group; null: none is named.',
  courseId: 'The course that the group learns.',
  courseName: 'The name of the course.',
  status: 'How the session stands.',
  cancelReason: cancelledWords.cancelReason,
  ...lessonWords,
  fileCount: 'How many files are attached to it: GET /files/of/session/{id} lists them.',
  relation: 'What the caller is to the session: its teacher, or a student of it, or the guardian of one.',
  studentId: 'The student on whose behalf it is listed; null: the caller teaches it.',
  date: 'The day, in the institute’s timezone.',
  timezone: 'The institute’s IANA time zone.',
  staffId: 'The staff record of the caller; null: there is none.',
  sessions: 'The sessions of the day that the caller gives, in order of time.',
  unmarkedBacklog: 'Earlier sessions whose attendance is not taken.',
  ...rosterWords,
  from: 'The first day, in the institute’s timezone.',
  to: 'The last day, in the institute’s timezone.',
  present: 'Sessions at which the student was present.',
  absent: 'Sessions from which the student was absent.',
  late: 'Sessions to which the student came late.',
  excused: 'Sessions for which the student was excused.',
  totalHeld: 'Held sessions on whose roster the student was.',
}

export const RELATIONS = ['teacher', 'student', 'guardian'] as const

const session = {
  sessionId: id,
  groupId: id,
  groupName: v.string(),
  room: orNull(v.string()),
  courseId: id,
  courseName: v.string(),
  scheduledStart: ts,
  scheduledEnd: ts,
  status: v.picklist(SESSION_STATUSES),
  cancelReason: orNull(v.string()),
}

export const scheduleQuery = explained(v.object({ from: date, to: date }), words)
export type ScheduleQuery = v.InferOutput<typeof scheduleQuery>

export const ScheduledSession = named(
  'ScheduledSession',
  v.object({
    ...session,
    topic: orNull(v.string()),
    homework,
    fileCount: count,
    relation: v.picklist(RELATIONS),
    /** The student on whose behalf it is listed; null for a teacher. */
    studentId: orNull(id),
  }),
  words,
)
export type ScheduledSession = v.InferOutput<typeof ScheduledSession>

const {
  room: _room,
  courseId: _courseId,
  courseName: _courseName,
  status: _status,
  cancelReason: _cancelReason,
  ...backlogSession
} = session

export const UnmarkedSession = named('UnmarkedSession', v.object({ ...backlogSession, rosterCount: count }), words)

export const TeachingDay = named(
  'TeachingDay',
  v.object({
    date: day,
    timezone: v.string(),
    staffId: orNull(id),
    sessions: v.array(
      named(
        'TeachingSession',
        v.object({
          ...session,
          ...rosterCounts,
        }),
        words,
      ),
    ),
    unmarkedBacklog: v.array(UnmarkedSession),
  }),
  words,
)
export type TeachingDay = v.InferOutput<typeof TeachingDay>

export const ownAttendanceQuery = explained(
  pageQuery({
    from: v.optional(date),
    to: v.optional(date),
    studentId: v.optional(uuid),
  }),
  words,
)
export type OwnAttendanceQuery = v.InferOutput<typeof ownAttendanceQuery>

export const OwnAttendance = named(
  'OwnAttendance',
  v.object({
    data: v.array(
      named('OwnAttendanceEntry', v.object({ ...StudentAttendance.entries, groupName: v.string() }), {
        ...words,
        status: 'How the student attended.',
        minutesLate: 'Minutes, above 0 with the status late only.',
        markedAt: 'When this entry was made or changed last.',
      }),
    ),
    nextCursor: orNull(v.string()),
    rate: named(
      'AttendanceRate',
      v.object({
        present: count,
        absent: count,
        late: count,
        excused: count,
        totalHeld: count,
        rate: orNull(v.number()),
      }),
      {
        ...words,
        rate: 'Percent with one decimal: present and late, of all but the excused; null: nothing counts yet.',
      },
    ),
  }),
  { ...words, rate: 'The figures over the whole time that was asked for.' },
)
export type OwnAttendance = v.InferOutput<typeof OwnAttendance>
