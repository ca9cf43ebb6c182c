import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import { readBounded } from '#db/queries/long-reads.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { countRosters, enrolledAtStart } from '#modules/attendance/index.ts'
import { ownStaffId } from '#modules/people/index.ts'
import { taughtSessionIds } from '#modules/sessions/index.ts'
import type { TeachingDay } from './schemas.ts'
import { shownSessions } from './sessions.ts'

/** A longer list would help nobody to catch up. */
export const LONGEST_BACKLOG = 100

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
          .select(({ fn }) => fn.count<number>('enrollment.student_id').distinct().as('count'))
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
