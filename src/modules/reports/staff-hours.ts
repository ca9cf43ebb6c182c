import { inTurns } from '#kernel/basics/turns.ts'
import { localDate } from '#kernel/time/zone.ts'
import { staffNames } from './names.ts'
import { pageOfRows, readLong, spanOf, type Asked, type Span } from './span.ts'
import type { StaffHoursQuery, StaffHoursReport } from './schemas.ts'

const heldIn = (
  { db }: Pick<Asked, 'db'>,
  { start, end }: Span,
  { branchId, groupId, courseId, teacherStaffId }: StaffHoursQuery,
) => {
  let held = db
    .selectFrom('session')
    .innerJoin('group', 'group.id', 'session.group_id')
    .leftJoin('session_teacher', 'session_teacher.session_id', 'session.id')
    .select((eb) => [
      'session.scheduled_start',
      'session.scheduled_end',
      // Who gave it, where that was written down when it was held.
      eb.fn.coalesce('session_teacher.staff_id', 'session.teacher_staff_id', 'group.teacher_staff_id').as('staff_id'),
    ])
    .where('session.status', '=', 'held')
    .where('session.scheduled_start', '>=', start)
    .where('session.scheduled_start', '<', end)
  if (branchId !== undefined) held = held.where('group.branch_id', '=', branchId)
  if (groupId !== undefined) held = held.where('group.id', '=', groupId)
  if (courseId !== undefined) held = held.where('group.course_id', '=', courseId)
  if (teacherStaffId !== undefined) {
    held = held.where((eb) =>
      eb(
        eb.fn.coalesce('session_teacher.staff_id', 'session.teacher_staff_id', 'group.teacher_staff_id'),
        '=',
        teacherStaffId,
      ),
    )
  }
  return held
}

const MINUTE = 60_000

/** @throws VALIDATION_ERROR */
export const readStaffHours = async (asked: Asked & { query: StaffHoursQuery }): Promise<StaffHoursReport> => {
  const { whole, tenant, query } = asked
  const span = spanOf(query, asked, 0)
  const behind = whole
    .selectFrom('session')
    .select('session.id')
    .where('session.scheduled_start', '>=', span.start)
    .where('session.scheduled_start', '<', span.end)
  const held = await readLong(asked, heldIn(asked, span, query), behind)
  const sums = new Map<string, { month: string; staffId: string | null; lessons: number; minutes: number }>()
  for await (const row of inTurns(held)) {
    const month = localDate(row.scheduled_start, tenant.timezone).slice(0, 7)
    const minutes = Math.round((Date.parse(row.scheduled_end) - Date.parse(row.scheduled_start)) / MINUTE)
    const key = `${month} ${row.staff_id ?? ''}`
    const sum = sums.get(key) ?? { month, staffId: row.staff_id, lessons: 0, minutes: 0 }
    sums.set(key, { ...sum, lessons: sum.lessons + 1, minutes: sum.minutes + minutes })
  }
  const all = [...sums.values()]
  const nameOf = await staffNames(
    whole,
    all.map(({ staffId }) => staffId),
  )
  const rows = all.map(({ month, staffId, lessons, minutes }) => ({
    month,
    teacherStaffId: staffId,
    teacherName: nameOf(staffId),
    lessons,
    minutes,
  }))
  return {
    from: span.from,
    to: span.to,
    lessons: held.length,
    minutes: rows.reduce((sum, row) => sum + row.minutes, 0),
    ...(await pageOfRows(rows, (row) => [row.month, row.teacherName ?? '', row.teacherStaffId ?? ''], asked)),
  }
}
