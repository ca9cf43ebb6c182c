import type { TenantInfo } from '#kernel/who/actor.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, startOfLocalDay } from '#kernel/time/zone.ts'
import { enrolledAtStart } from '#modules/attendance/index.ts'
import { ownChildIds, ownStaffId, ownStudentId, type Self } from '#modules/people/index.ts'
import { taughtSessionIds } from '#modules/sessions/index.ts'
import type { ScheduledSession, ScheduleQuery } from './schemas.ts'
import { shownSessions } from './sessions.ts'

export const LONGEST_SCHEDULE_DAYS = 100

interface Span {
  start: string
  /** Exclusive. */
  end: string
}

/** With what families read of each beside its time. */
const toldSessions = (whole: ScopedDb) =>
  shownSessions(whole)
    .select(['session.topic', 'session.homework'])
    .select((eb) =>
      eb
        .selectFrom('file')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('file.session_id', '=', 'session.id')
        .as('fileCount'),
    )
    .$narrowType<{ fileCount: number }>()

const taughtIn = async (whole: ScopedDb, staffId: string | null, { start, end }: Span): Promise<ScheduledSession[]> => {
  if (staffId === null) return []
  const ids = taughtSessionIds(whole, staffId, (sessions) =>
    sessions.where('session.scheduled_start', '>=', start).where('session.scheduled_start', '<', end),
  )
  const rows = await toldSessions(whole).where('session.id', 'in', ids).execute()
  return rows.map((row) => ({ ...row, relation: 'teacher', studentId: null }))
}

/** The sessions on whose rosters these students are. */
const attendedIn = async (
  whole: ScopedDb,
  studentIds: readonly string[],
  { start, end }: Span,
  relation: 'student' | 'guardian',
): Promise<ScheduledSession[]> => {
  if (studentIds.length === 0) return []
  const rows = await toldSessions(whole)
    .innerJoin('enrollment', 'enrollment.group_id', 'session.group_id')
    .select('enrollment.student_id as studentId')
    .where('enrollment.student_id', 'in', studentIds)
    .where('session.scheduled_start', '>=', start)
    .where('session.scheduled_start', '<', end)
    .where(enrolledAtStart)
    .execute()
  // Who left and came back while a session runs has two enrollments in it.
  const once = new Map(rows.map((row) => [`${row.sessionId} ${row.studentId}`, row]))
  return [...once.values()].map((row) => ({ ...row, relation }))
}

const keyOf = ({ scheduledStart, sessionId, relation, studentId }: ScheduledSession): string =>
  `${scheduledStart} ${sessionId} ${relation} ${studentId ?? ''}`

/**
 * The sessions of a time that concern somebody, in order of time: those they teach, those on whose roster they are, and
 * those of their children, one entry for each child.
 */
export const sessionsOf = async (whole: ScopedDb, self: Self, span: Span): Promise<ScheduledSession[]> => {
  const studentId = await ownStudentId(whole, self)
  const sessions = [
    ...(await taughtIn(whole, await ownStaffId(whole, self), span)),
    ...(await attendedIn(whole, studentId === null ? [] : [studentId], span, 'student')),
    ...(await attendedIn(whole, await ownChildIds(whole, self, 'learning'), span, 'guardian')),
  ]
  return sessions.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

/** @throws VALIDATION_ERROR */
export const ownSchedule = async (
  whole: ScopedDb,
  { caller, tenant: { timezone }, query: { from, to } }: { caller: Self; tenant: TenantInfo; query: ScheduleQuery },
): Promise<ScheduledSession[]> => {
  if (to < from) throw invalid(['to'], 'Must not be earlier than from.')
  if (to > addDays(from, LONGEST_SCHEDULE_DAYS)) {
    throw invalid(['to'], `Must be at most ${LONGEST_SCHEDULE_DAYS} days after from.`)
  }
  return sessionsOf(whole, caller, {
    start: startOfLocalDay(from, timezone),
    end: startOfLocalDay(addDays(to, 1), timezone),
  })
}
