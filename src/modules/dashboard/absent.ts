import type { InferOutput } from 'valibot'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Page } from '#kernel/values/schema.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { announcedOf } from '#modules/absences/index.ts'
import { branchesOf, readContacts } from '#modules/directory/index.ts'
import { fullName } from '#modules/people/index.ts'
import { listOf, usedByFrom, type ListContext } from '#runtime/records/lists.ts'
import type { AbsentQuery, AbsentStudent } from './absent-schemas.ts'

const entries = listOf({
  filters: {
    from: usedByFrom,
    to: usedByFrom,
    branchId: 'group.branch_id',
    groupId: 'session.group_id',
  },
  from: (db, { from, to }) =>
    db
      .selectFrom('attendance')
      .innerJoin('session', 'session.id', 'attendance.session_id')
      .innerJoin('group', 'group.id', 'session.group_id')
      .innerJoin('student', 'student.id', 'attendance.student_id')
      .select(['session.id', 'session.group_id', 'session.scheduled_start', 'group.name as group_name'])
      .select(['student.id as student_id', 'student.first_name', 'student.last_name', 'student.branch_id'])
      .select(['attendance.status', 'attendance.note'])
      .where('attendance.status', 'in', ['absent', 'excused'])
      // The lessons of the day are few: their entries are found by them.
      .where(
        'attendance.session_id',
        'in',
        db
          .selectFrom('session')
          .select('session.id')
          .where('session.scheduled_start', '>=', from as string)
          .where('session.scheduled_start', '<', to as string),
      ),
  order: {
    columns: ['attendance.session_id', 'attendance.student_id'],
    direction: 'asc',
    position: (row) => [row.id, row.student_id],
  },
  show: (row) => row,
})

const keyOf = (sessionId: string, studentId: string): string => `${sessionId} ${studentId}`

/** For which of the absences a message to a guardian was sent, and for which one waits: by session and student. */
const readTold = async (
  whole: ScopedDb,
  studentIds: readonly string[],
  since: string,
): Promise<{ told: ReadonlySet<string>; waiting: ReadonlySet<string> }> => {
  const messages = await whole
    .selectFrom('notification')
    .select(['payload', 'status'])
    .where('template_key', '=', 'student.absent')
    .where('status', 'in', ['queued', 'sent'])
    .where('created_at', '>=', since)
    .execute()
  const asked = new Set(studentIds)
  const keysOf = (wanted: (typeof messages)[number]['status']) =>
    new Set(
      messages.flatMap(({ status, payload: { sessionId, studentId } }) => {
        const isOne = status === wanted && sessionId !== undefined && studentId !== undefined && asked.has(studentId)
        return isOne ? keyOf(sessionId, studentId) : []
      }),
    )
  return { told: keysOf('sent'), waiting: keysOf('queued') }
}

/** Who was marked absent on a day, lesson by lesson, and whom one calls. */
export const listAbsent = async ({
  query: { date, ...query },
  ...context
}: ListContext<ScopedDb> & {
  whole: ScopedDb
  caller: Caller
  tenant: TenantInfo
  now: string
  query: InferOutput<typeof AbsentQuery>
}): Promise<Page<AbsentStudent>> => {
  const { whole, caller, tenant, now } = context
  const day = date ?? localDate(now, tenant.timezone)
  const from = startOfLocalDay(day, tenant.timezone)
  const to = startOfLocalDay(addDays(day, 1), tenant.timezone)
  const { data, nextCursor } = await entries({ ...context, query: { ...query, from, to } })
  if (data.length === 0) return { data: [], nextCursor }
  const studentIds = [...new Set(data.map((row) => row.student_id))]
  const { told, waiting } = await readTold(whole, studentIds, from)
  const announced = await announcedOf(whole, studentIds)
  const seesGuardians = branchesOf(caller, 'guardians.read')
  const contacts = seesGuardians ? await readContacts(whole, studentIds) : undefined
  return {
    data: data.map((row) => ({
      sessionId: row.id,
      groupId: row.group_id,
      groupName: row.group_name,
      scheduledStart: row.scheduled_start,
      studentId: row.student_id,
      studentName: fullName(row),
      status: row.status as AbsentStudent['status'],
      note: row.note,
      announcedReason: announced(row.student_id, day)?.reason ?? null,
      isTold: told.has(keyOf(row.id, row.student_id)),
      isWaiting: waiting.has(keyOf(row.id, row.student_id)),
      contact: seesGuardians?.(row.branch_id) ? (contacts?.get(row.student_id) ?? null) : null,
    })),
    nextCursor,
  }
}
