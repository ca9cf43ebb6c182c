import { readBounded } from '#db/queries/long-reads.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { fullName } from '#modules/people/index.ts'
import { byName, enrolledAtStart } from './roster.ts'
import type { AttendanceGrid } from './schemas.ts'
import type { AttendanceStatus } from './tables.ts'

interface Member {
  id: string
  first_name: string
  last_name: string
}

/** The last held sessions of a group, first held first, and how each student was marked in them. */
export const readGrid = async (whole: ScopedDb, groupId: string, count: number): Promise<AttendanceGrid> => {
  const latest = await whole
    .selectFrom('session')
    .select(['id', 'scheduled_start', 'status'])
    .where('group_id', '=', groupId)
    .where('status', '=', 'held')
    .orderBy('scheduled_start', 'desc')
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
  const sessions = latest.toReversed()
  const ids = sessions.map(({ id }) => id)

  const enrolledNow = await readBounded(
    whole
      .selectFrom('enrollment')
      .innerJoin('student', 'student.id', 'enrollment.student_id')
      .select(['student.id', 'student.first_name', 'student.last_name'])
      .where('enrollment.group_id', '=', groupId)
      .where('enrollment.status', '=', 'active'),
    'enrollment.id',
  )
  const students = new Map<string, Member>(enrolledNow.map((row) => [row.id, row]))
  const marks = new Map<string, AttendanceStatus>()
  if (ids.length > 0) {
    const expected = await readBounded(
      whole
        .selectFrom('session')
        .innerJoin('enrollment', 'enrollment.group_id', 'session.group_id')
        .innerJoin('student', 'student.id', 'enrollment.student_id')
        .select(['student.id', 'student.first_name', 'student.last_name'])
        .distinct()
        .where('session.id', 'in', ids)
        .where(enrolledAtStart),
      'enrollment.id',
    )
    const marked = await readBounded(
      whole
        .selectFrom('attendance')
        .innerJoin('student', 'student.id', 'attendance.student_id')
        .select(['student.id', 'student.first_name', 'student.last_name'])
        .select(['attendance.session_id', 'attendance.status'])
        .where('attendance.session_id', 'in', ids),
      'attendance.student_id',
    )
    for (const row of [...expected, ...marked]) students.set(row.id, row)
    for (const row of marked) marks.set(`${row.session_id} ${row.id}`, row.status)
  }

  return {
    sessions: sessions.map(({ id, scheduled_start: scheduledStart, status }) => ({ id, scheduledStart, status })),
    students: [...students.values()]
      .map((row) => ({ row, studentId: row.id, firstName: row.first_name, lastName: row.last_name }))
      .toSorted(byName)
      .map(({ row, studentId }) => ({
        studentId,
        fullName: fullName(row),
        marks: ids.map((id) => marks.get(`${id} ${studentId}`) ?? null),
      })),
  }
}
