import { expressionBuilder } from 'kysely'
import { inTurns } from '#kernel/basics/turns.ts'
import type { Tables } from '#kernel/contract/tables.ts'
import { localDate, weekdayOf } from '#kernel/time/zone.ts'
import { ATTENDANCE_STATUSES, attendanceRate, type AttendanceStatus } from '#modules/attendance/index.ts'
import { studentNames } from './names.ts'
import { pageOfRows, readLong, spanOf, type Asked, type Span } from './span.ts'
import type { AttendanceReport, AttendanceReportQuery } from './schemas.ts'

type Counts = Record<AttendanceStatus, number>
type Filters = Pick<AttendanceReportQuery, 'branchId' | 'groupId' | 'courseId'>

const NONE: Counts = { present: 0, absent: 0, late: 0, excused: 0 }

const marksIn = ({ whole }: Pick<Asked, 'whole'>, { start, end }: Span) =>
  whole
    .selectFrom('session')
    .innerJoin('attendance', 'attendance.session_id', 'session.id')
    .select('session.id')
    .where('session.scheduled_start', '>=', start)
    .where('session.scheduled_start', '<', end)

const entriesIn = ({ db }: Pick<Asked, 'db'>, { start, end }: Span, { branchId, groupId, courseId }: Filters) => {
  let entries = db
    .selectFrom('session')
    .innerJoin('group', 'group.id', 'session.group_id')
    .innerJoin('attendance', 'attendance.session_id', 'session.id')
    .where('session.scheduled_start', '>=', start)
    .where('session.scheduled_start', '<', end)
    .where('session.status', '!=', 'cancelled')
    .select(({ fn }) =>
      ATTENDANCE_STATUSES.map((status) =>
        fn.count<number>('attendance.status').filterWhere('attendance.status', '=', status).as(status),
      ),
    )
  if (branchId !== undefined) entries = entries.where('group.branch_id', '=', branchId)
  if (groupId !== undefined) entries = entries.where('group.id', '=', groupId)
  if (courseId !== undefined) entries = entries.where('group.course_id', '=', courseId)
  return entries
}

const builder = expressionBuilder<Pick<Tables, 'session' | 'attendance'>, 'session' | 'attendance'>()

/** SQLite would read an index over what is grouped by, which has all of the institute, and not that over the time. */
const withoutIndex = (column: 'session.id' | 'attendance.student_id') =>
  builder.fn.coalesce(column, builder.lit(null)).$castTo<string>()

const added = (one: Counts, other: Counts): Counts => ({
  present: one.present + other.present,
  absent: one.absent + other.absent,
  late: one.late + other.late,
  excused: one.excused + other.excused,
})

const shown = ({ present, absent, late, excused }: Counts) => ({
  present,
  absent,
  late,
  excused,
  rate: attendanceRate({ present, absent, late }),
})

type Row = AttendanceReport['data'][number]
const NOBODY: Omit<Row, 'lessons' | 'present' | 'absent' | 'late' | 'excused' | 'rate'> = {
  studentId: null,
  studentName: null,
  groupId: null,
  groupName: null,
  weekday: null,
  month: null,
}

/** @throws VALIDATION_ERROR */
export const readAttendance = async (asked: Asked & { query: AttendanceReportQuery }): Promise<AttendanceReport> => {
  const { whole, tenant, query } = asked
  const span = spanOf(query, asked, 0)
  const behind = marksIn(asked, span)
  const sessions = await readLong(
    asked,
    entriesIn(asked, span, query)
      .select(({ fn }) => [
        withoutIndex('session.id').as('lesson'),
        'session.group_id',
        'session.scheduled_start',
        fn.min('group.name').as('group_name'),
      ])
      .groupBy(['lesson', 'session.group_id', 'session.scheduled_start']),
    behind,
  )
  let total = NONE
  for await (const session of inTurns(sessions)) total = added(total, session)
  const rows = query.by === 'student' ? await byStudent() : await bySession(query.by)

  async function byStudent(): Promise<Row[]> {
    const students = await readLong(
      asked,
      entriesIn(asked, span, query)
        .select(({ fn }) => [withoutIndex('attendance.student_id').as('pupil'), fn.countAll<number>().as('lessons')])
        .groupBy('pupil'),
      behind,
    )
    return students.map((row) => ({ ...NOBODY, studentId: row.pupil, lessons: row.lessons, ...shown(row) }))
  }

  async function bySession(by: Exclude<AttendanceReportQuery['by'], 'student'>): Promise<Row[]> {
    const sums = new Map<string, { row: (typeof sessions)[number]; lessons: number; counts: Counts }>()
    const keyOf = (row: (typeof sessions)[number]): string => {
      if (by === 'group') return row.group_id
      const date = localDate(row.scheduled_start, tenant.timezone)
      return by === 'month' ? date.slice(0, 7) : String(weekdayOf(date))
    }
    for await (const row of inTurns(sessions)) {
      const key = keyOf(row)
      const { lessons, counts } = sums.get(key) ?? { lessons: 0, counts: NONE }
      sums.set(key, { row, lessons: lessons + 1, counts: added(counts, row) })
    }
    return [...sums].map(([key, { row, lessons, counts }]) => ({
      ...NOBODY,
      ...(by === 'group' && { groupId: key, groupName: row.group_name }),
      ...(by === 'weekday' && { weekday: Number(key) }),
      ...(by === 'month' && { month: key }),
      lessons,
      ...shown(counts),
    }))
  }

  const page = await pageOfRows(
    rows,
    // Who was away most comes first; months and days come in their order.
    (row) => {
      if (row.month !== null) return [row.month]
      if (row.weekday !== null) return [row.weekday]
      return [-row.absent, row.groupName ?? '', row.studentId ?? row.groupId ?? '']
    },
    asked,
  )
  // Students may be very many: those of the page alone need their names.
  const nameOf = await studentNames(
    whole,
    page.data.map(({ studentId }) => studentId),
  )
  return {
    from: span.from,
    to: span.to,
    lessons: sessions.length,
    ...shown(total),
    data: page.data.map((row) => ({ ...row, studentName: nameOf(row.studentId) })),
    nextCursor: page.nextCursor,
  }
}
