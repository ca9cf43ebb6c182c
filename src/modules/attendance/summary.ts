import { countUpTo, MAX_ROWS_READ, readBySize } from '#db/queries/long-reads.ts'
import { invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { listUnder } from '#runtime/records/lists.ts'
import { attendanceRate } from './rate.ts'
import { RECENT_DAYS } from './recent.ts'
import { byName, enrolledAtStart } from './roster.ts'
import { StudentAttendance, type AttendanceSummary } from './schemas.ts'
import type { AttendanceStatus } from './tables.ts'

const LOOKED_AT = MAX_ROWS_READ + 1

/**
 * How often each student of a group attended from `from` to `to` (both inclusive), lowest rate first, students without
 * a rate last. It lists students who were on the roster of a session held in that time, or are enrolled now.
 * @throws VALIDATION_ERROR
 */
export const summarizeAttendance = async (
  whole: ScopedDb,
  groupId: string,
  query: { from?: string | undefined; to?: string | undefined },
  { now, timezone }: { now: string; timezone: string },
): Promise<AttendanceSummary> => {
  const to = query.to ?? localDate(now, timezone)
  const from = query.from ?? addDays(to, 1 - RECENT_DAYS)
  if (from > to) throw invalid(['from'], `Must not be later than to (${to}).`)
  const held = whole
    .selectFrom('session')
    .where('session.group_id', '=', groupId)
    .where('session.status', '=', 'held')
    .where('session.scheduled_start', '>=', startOfLocalDay(from, timezone))
    .where('session.scheduled_start', '<', startOfLocalDay(addDays(to, 1), timezone))

  // Everybody who has an entry, was on a roster, or is enrolled now; a student can be in more than one of the three.
  const marked = held
    .innerJoin('attendance', 'attendance.session_id', 'session.id')
    .select((eb) => [
      'attendance.student_id',
      eb.ref('session.id').$castTo<string | null>().as('session_id'),
      eb.ref('attendance.status').$castTo<AttendanceStatus | null>().as('status'),
    ])
  const expected = held
    .innerJoin('enrollment', 'enrollment.group_id', 'session.group_id')
    .select((eb) => [
      'enrollment.student_id',
      eb.ref('session.id').$castTo<string | null>().as('session_id'),
      eb.lit(null).as('status'),
    ])
    .where(enrolledAtStart)
  const enrollments = whole.selectFrom('enrollment').where('enrollment.group_id', '=', groupId)
  const enrolledNow = enrollments
    .select((eb) => ['enrollment.student_id', eb.lit(null).as('session_id'), eb.lit(null).as('status')])
    .where('enrollment.status', '=', 'active')

  const summary = whole
    .selectFrom(marked.unionAll(expected).unionAll(enrolledNow).as('of_roster'))
    .innerJoin('student', 'student.id', 'of_roster.student_id')
    .select(({ fn }) => {
      const count = (status: AttendanceStatus) =>
        fn.count<number>('of_roster.status').filterWhere('of_roster.status', '=', status).as(status)
      return [
        'student.id as studentId',
        'student.first_name as firstName',
        'student.last_name as lastName',
        count('present'),
        count('absent'),
        count('late'),
        count('excused'),
        fn.count<number>('of_roster.session_id').distinct().as('totalHeld'),
      ]
    })
    .groupBy(['student.id', 'student.first_name', 'student.last_name'])
  const sessions = await countUpTo(whole, held.select('session.id'), LOOKED_AT)
  const places = await countUpTo(whole, enrollments.select('enrollment.id'), LOOKED_AT)
  const rows = await readBySize(summary, sessions * places)

  const students = rows
    .map((row) => ({ ...row, rate: attendanceRate(row) }))
    .toSorted((a, b) => (a.rate ?? Infinity) - (b.rate ?? Infinity) || byName(a, b))
  return { groupId, from, to, students }
}

/** Entries of students with their sessions, latest session first. */
export const attendanceEntries = {
  from: (db: ScopedDb) =>
    db
      .selectFrom('attendance')
      .innerJoin('session', 'session.id', 'attendance.session_id')
      .select(['session.id', 'session.group_id', 'session.scheduled_start'])
      .select(['attendance.status', 'attendance.minutes_late', 'attendance.note', 'attendance.marked_at']),
  order: {
    columns: ['session.scheduled_start', 'session.id'] as const,
    direction: 'desc' as const,
    position: (row: { scheduled_start: string; id: string }) => [row.scheduled_start, row.id],
  },
  show: shows(StudentAttendance, { sessionId: ({ id }: { id: string }) => id }),
}

/** What a student attended, latest session first. */
export const listStudentAttendance = listUnder({ table: 'student', column: 'attendance.student_id' }, attendanceEntries)
