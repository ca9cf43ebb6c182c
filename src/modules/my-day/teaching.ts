import type { Caller, TenantInfo } from '#kernel/actor.ts'
import { readBounded } from '#db/long-reads.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/zone.ts'
import { enrolledAtStart } from '#modules/attendance/index.ts'
import { ownStaffId } from '#modules/people/index.ts'
import type { TeachingDay } from './schemas.ts'
import { shownSessions, taughtSessionIds } from './sessions.ts'

/** A longer list would help nobody to catch up. */
export const LONGEST_BACKLOG = 100

/** The students on the rosters of these sessions, enrolled at the start or with an entry, and those who have an entry. */
const countRosters = async (whole: ScopedDb, sessionIds: readonly string[]) => {
  const enrolled = await whole
    .selectFrom('session')
    .innerJoin('enrollment', 'enrollment.group_id', 'session.group_id')
    .select(['session.id as session_id', 'enrollment.student_id'])
    .where('session.id', 'in', sessionIds)
    .where(enrolledAtStart)
    .execute()
  const marked = await whole
    .selectFrom('attendance')
    .select(['session_id', 'student_id'])
    .where('session_id', 'in', sessionIds)
    .execute()
  const studentsBySession = (rows: typeof marked) =>
    new Map(
      [...Map.groupBy(rows, (row) => row.session_id)].map(([id, of]) => [id, new Set(of.map((row) => row.student_id))]),
    )
  const rosters = studentsBySession([...enrolled, ...marked])
  const entries = studentsBySession(marked)
  return (sessionId: string) => {
    const rosterCount = rosters.get(sessionId)?.size ?? 0
    const markedCount = entries.get(sessionId)?.size ?? 0
    const isComplete = markedCount > 0 && markedCount === rosterCount
    const attendanceState = markedCount === 0 ? 'unmarked' : isComplete ? 'complete' : 'partial'
    return { rosterCount, markedCount, attendanceState } as const
  }
}

const readToday = async (whole: ScopedDb, staffId: string, today: string, timezone: string) => {
  const start = startOfLocalDay(today, timezone)
  const end = startOfLocalDay(addDays(today, 1), timezone)
  const ids = taughtSessionIds(whole, staffId, (sessions) =>
    sessions.where('session.scheduled_start', '>=', start).where('session.scheduled_start', '<', end),
  )
  const sessions = await shownSessions(whole)
    .where('session.id', 'in', ids)
    .orderBy('session.scheduled_start')
    .orderBy('session.id')
    .execute()
  if (sessions.length === 0) return []
  const countsOf = await countRosters(
    whole,
    sessions.map(({ sessionId }) => sessionId),
  )
  return sessions.map((session) => ({ ...session, ...countsOf(session.sessionId) }))
}

/** Sessions that ended, were not cancelled, have a roster and no entry; the latest first. */
const readBacklog = async (whole: ScopedDb, staffId: string, now: string) => {
  const ids = taughtSessionIds(whole, staffId, (sessions) =>
    sessions.where('session.scheduled_end', '<=', now).where('session.status', '!=', 'cancelled'),
  )
  const rows = await readBounded(
    whole
      .selectFrom('session')
      .innerJoin('group', 'group.id', 'session.group_id')
      .where('session.id', 'in', ids)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('attendance').select('student_id').whereRef('attendance.session_id', '=', 'session.id'))),
      )
      .select(['session.id as sessionId', 'session.group_id as groupId', 'group.name as groupName'])
      .select(['session.scheduled_start as scheduledStart', 'session.scheduled_end as scheduledEnd'])
      .select((eb) =>
        eb
          .selectFrom('enrollment')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('enrollment.group_id', '=', 'session.group_id')
          .where(enrolledAtStart)
          .as('rosterCount'),
      )
      .orderBy('session.scheduled_start', 'desc')
      .orderBy('session.id', 'desc'),
    'session.id',
  )
  return rows
    .map((row) => ({ ...row, rosterCount: row.rosterCount ?? 0 }))
    .filter(({ rosterCount }) => rosterCount > 0)
    .slice(0, LONGEST_BACKLOG)
}

/** What the caller teaches today, in the institute's timezone, and what is left to be marked. */
export const teachingToday = async (
  whole: ScopedDb,
  { caller, tenant: { timezone }, now }: { caller: Caller; tenant: TenantInfo; now: string },
): Promise<TeachingDay> => {
  const date = localDate(now, timezone)
  const staffId = await ownStaffId(whole, caller)
  if (staffId === null) return { date, timezone, staffId, sessions: [], unmarkedBacklog: [] }
  return {
    date,
    timezone,
    staffId,
    sessions: await readToday(whole, staffId, date, timezone),
    unmarkedBacklog: await readBacklog(whole, staffId, now),
  }
}
