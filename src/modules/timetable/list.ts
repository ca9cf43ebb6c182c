import type { TenantInfo } from '#kernel/who/actor.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { countRosters } from '#modules/attendance/index.ts'
import { fullName } from '#modules/people/index.ts'
import { taughtSessionIds, toSession } from '#modules/sessions/index.ts'
import { listOf, usedByFrom, type ListContext } from '#runtime/records/lists.ts'
import type { TimetableQuery, TimetableSession } from './schemas.ts'

export const LONGEST_TIMETABLE_DAYS = 62

const listed = listOf({
  filters: {
    from: (eb, from: string) => eb('session.scheduled_start', '>=', from),
    to: (eb, to: string) => eb('session.scheduled_start', '<', to),
    branchId: 'group.branch_id',
    groupId: 'session.group_id',
    teacherStaffId: usedByFrom,
    room: 'group.room',
    status: (eb, statuses: readonly TimetableSession['status'][]) => eb('session.status', 'in', statuses),
  },
  from: (db, { teacherStaffId, from, to }) => {
    const sessions = db
      .selectFrom('session')
      .innerJoin('group', 'group.id', 'session.group_id')
      .innerJoin('course', 'course.id', 'group.course_id')
      .leftJoin('session_teacher', 'session_teacher.session_id', 'session.id')
      .selectAll('session')
      .select(['group.name as groupName', 'group.branch_id as branchId', 'group.room', 'course.name as courseName'])
      .select(['group.teacher_staff_id as own_teacher', 'session_teacher.staff_id as given_by'])
    if (teacherStaffId === undefined) return sessions
    const taught = taughtSessionIds(db, teacherStaffId, (ofTeacher) =>
      ofTeacher
        .where('session.scheduled_start', '>=', from as string)
        .where('session.scheduled_start', '<', to as string),
    )
    return sessions.where('session.id', 'in', taught)
  },
  order: {
    columns: ['session.scheduled_start', 'session.id'],
    direction: 'asc',
    position: (row) => [row.scheduled_start, row.id],
  },
  show: (row) => ({
    session: {
      ...toSession(row),
      groupName: row.groupName,
      courseName: row.courseName,
      branchId: row.branchId,
      room: row.room,
    },
    teacherId: row.status === 'held' ? row.given_by : (row.teacher_staff_id ?? row.own_teacher),
  }),
})

const readNames = async (whole: ScopedDb, staffIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (staffIds.length === 0) return new Map()
  const staff = await whole
    .selectFrom('staff')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', staffIds)
    .execute()
  return new Map(staff.map((row) => [row.id, fullName(row)]))
}

/**
 * The sessions within the caller's reach that begin from `from` to `to`, local days, both inclusive, in order of time.
 * @throws VALIDATION_ERROR
 */
export const listTimetable = async (
  context: ListContext<ScopedDb> & { whole: ScopedDb; tenant: TenantInfo; now: string; query: TimetableQuery },
): Promise<Page<TimetableSession>> => {
  const { whole, query, now } = context
  const { timezone } = context.tenant
  const { from = localDate(now, timezone), to = from } = query
  if (to < from) throw invalid(['to'], 'Must not be earlier than from.')
  if (to > addDays(from, LONGEST_TIMETABLE_DAYS)) {
    throw invalid(['to'], `Must be at most ${LONGEST_TIMETABLE_DAYS} days after from.`)
  }
  const span = { from: startOfLocalDay(from, timezone), to: startOfLocalDay(addDays(to, 1), timezone) }
  const { data, nextCursor } = await listed({ ...context, query: { ...query, ...span } })
  const countsOf = await countRosters(
    whole,
    data.map(({ session }) => session.id),
  )
  const names = await readNames(whole, [...new Set(data.flatMap(({ teacherId }) => teacherId ?? []))])
  return {
    data: data.map(({ session, teacherId }) => ({
      ...session,
      teacherName: teacherId === null ? null : (names.get(teacherId) ?? null),
      ...countsOf(session.id),
    })),
    nextCursor,
  }
}
