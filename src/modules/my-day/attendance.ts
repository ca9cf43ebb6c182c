import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import { invalid, NotFound } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, startOfLocalDay } from '#kernel/time/zone.ts'
import {
  attendanceEntries,
  ATTENDANCE_STATUSES,
  attendanceRate,
  enrolledAtStart,
  type AttendanceStatus,
} from '#modules/attendance/index.ts'
import { listOf } from '#runtime/records/lists.ts'
import { isOwnStudent, ownStudentId } from '#modules/people/index.ts'
import type { OwnAttendance, OwnAttendanceQuery } from './schemas.ts'

const listed = listOf({
  ...attendanceEntries,
  from: (db: ScopedDb) =>
    attendanceEntries.from(db).innerJoin('group', 'group.id', 'session.group_id').select('group.name as group_name'),
  show: (row) => ({ ...attendanceEntries.show(row), groupName: row.group_name }),
  filters: {
    studentId: 'attendance.student_id',
    start: (eb, start: string) => eb('session.scheduled_start', '>=', start),
    end: (eb, end: string) => eb('session.scheduled_start', '<', end),
  },
})

interface Span {
  start?: string
  /** Exclusive. */
  end?: string
}

const heldIn = (whole: ScopedDb, { start, end }: Span) => {
  let held = whole.selectFrom('session').where('session.status', '=', 'held')
  if (start !== undefined) held = held.where('session.scheduled_start', '>=', start)
  if (end !== undefined) held = held.where('session.scheduled_start', '<', end)
  return held
}

/** Counts as in the summary of a group: totalHeld are the held sessions on whose roster the student was. */
const sumUp = async (whole: ScopedDb, studentId: string, span: Span): Promise<OwnAttendance['rate']> => {
  const marked = heldIn(whole, span)
    .innerJoin('attendance', 'attendance.session_id', 'session.id')
    .select((eb) => ['session.id', eb.ref('attendance.status').$castTo<AttendanceStatus | null>().as('status')])
    .where('attendance.student_id', '=', studentId)
  const expected = heldIn(whole, span)
    .innerJoin('enrollment', 'enrollment.group_id', 'session.group_id')
    .select((eb) => ['session.id', eb.lit(null).as('status')])
    .where('enrollment.student_id', '=', studentId)
    .where(enrolledAtStart)
  const [sums] = await whole
    .selectFrom(marked.unionAll(expected).as('of_student'))
    .select(({ fn }) => [
      ...ATTENDANCE_STATUSES.map((status) =>
        fn.count<number>('of_student.status').filterWhere('of_student.status', '=', status).as(status),
      ),
      fn.count<number>('of_student.id').distinct().as('totalHeld'),
    ])
    .execute()
  const counts = sums as Record<AttendanceStatus | 'totalHeld', number>
  return { ...counts, rate: attendanceRate(counts) }
}

const NOTHING: OwnAttendance = {
  data: [],
  nextCursor: null,
  rate: { present: 0, absent: 0, late: 0, excused: 0, totalHeld: 0, rate: null },
}

/** @throws NotFound for a student who is neither the caller nor one of the caller's children */
const studentFor = async (whole: ScopedDb, caller: Caller, asked: string | undefined): Promise<string | null> => {
  if (asked === undefined) return ownStudentId(whole, caller)
  if (!(await isOwnStudent(whole, caller, { studentId: asked, sight: 'learning' }))) throw NotFound()
  return asked
}

interface Asked {
  whole: ScopedDb
  caller: Caller
  tenant: TenantInfo
  cursors: Cursors
  query: OwnAttendanceQuery
}

/** What the caller, or a child of theirs, attended, latest first. @throws NotFound, VALIDATION_ERROR */
export const ownAttendance = async ({ whole, caller, tenant, cursors, query }: Asked): Promise<OwnAttendance> => {
  const { from, to, studentId: asked, ...page } = query
  if (from !== undefined && to !== undefined && to < from) throw invalid(['to'], 'Must not be earlier than from.')
  const studentId = await studentFor(whole, caller, asked)
  if (studentId === null) return NOTHING
  const span: Span = {
    ...(from !== undefined && { start: startOfLocalDay(from, tenant.timezone) }),
    ...(to !== undefined && { end: startOfLocalDay(addDays(to, 1), tenant.timezone) }),
  }
  const found = await listed({ db: whole, cursors, query: { ...page, ...span, studentId } })
  return { ...found, rate: await sumUp(whole, studentId, span) }
}
