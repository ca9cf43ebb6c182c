import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { announcedOf } from '#modules/absences/index.ts'
import { sessionsOf } from '#modules/my-day/index.ts'
import type { OwnFamily } from './own-schemas.ts'

type Day = Pick<OwnFamily['people'][number], 'today' | 'absence'>

interface Asked {
  whole: ScopedDb
  caller: Caller
  tenant: TenantInfo
  now: string
}

/** The entries of these students at these sessions. */
const entriesOf = async (whole: ScopedDb, sessionIds: readonly string[], studentIds: readonly string[]) => {
  const found = whole.selectFrom('attendance').select(['session_id', 'student_id', 'status', 'minutes_late'])
  const rows =
    sessionIds.length === 0
      ? []
      : await found.where('session_id', 'in', sessionIds).where('student_id', 'in', studentIds).execute()
  return new Map(rows.map((row) => [`${row.session_id} ${row.student_id}`, row]))
}

/** The lessons of today of each of these students, whether they were there, and whether it was said that they do not come. */
export const readToday = async (
  { whole, caller, tenant: { timezone }, now }: Asked,
  studentIds: readonly string[],
): Promise<(studentId: string) => Day> => {
  if (studentIds.length === 0) return () => ({ today: [], absence: null })
  const today = localDate(now, timezone)
  const span = { start: startOfLocalDay(today, timezone), end: startOfLocalDay(addDays(today, 1), timezone) }
  const sessions = (await sessionsOf(whole, caller, span)).filter(({ relation }) => relation !== 'teacher')
  const entries = await entriesOf(whole, [...new Set(sessions.map(({ sessionId }) => sessionId))], studentIds)
  const announced = await announcedOf(whole, studentIds)
  return (studentId) => {
    const absence = announced(studentId, today)
    return {
      today: sessions
        .filter((session) => session.studentId === studentId)
        .map(({ sessionId, groupId, groupName, room, scheduledStart, scheduledEnd, status, cancelReason }) => {
          const entry = entries.get(`${sessionId} ${studentId}`)
          return {
            sessionId,
            groupId,
            groupName,
            room,
            scheduledStart,
            scheduledEnd,
            status,
            cancelReason,
            attendance: entry?.status ?? null,
            minutesLate: entry?.minutes_late ?? 0,
          }
        }),
      absence: absence
        ? { id: absence.id, from: absence.from_date, to: absence.to_date, reason: absence.reason }
        : null,
    }
  }
}
