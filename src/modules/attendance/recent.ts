import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { ATTENDANCE_STATUSES, type AttendanceStatus } from './tables.ts'

export const RECENT_DAYS = 30

/** The last 30 local days, today included; `end` is exclusive. */
export const recentSpan = (now: string, timezone: string): { start: string; end: string } => {
  const today = localDate(now, timezone)
  return {
    start: startOfLocalDay(addDays(today, 1 - RECENT_DAYS), timezone),
    end: startOfLocalDay(addDays(today, 1), timezone),
  }
}

/** A query of the entries of sessions that began in the span. Its columns count the entries of each status. */
export const countRecent = (db: ScopedDb, { start, end }: { start: string; end: string }) =>
  db
    .selectFrom('session')
    .innerJoin('attendance', 'attendance.session_id', 'session.id')
    .where('session.scheduled_start', '>=', start)
    .where('session.scheduled_start', '<', end)
    .select(({ fn }) => {
      const count = (status: AttendanceStatus) =>
        fn.count<number>('attendance.status').filterWhere('attendance.status', '=', status).as(status)
      const [present, absent, late, excused] = ATTENDANCE_STATUSES
      return [count(present), count(absent), count(late), count(excused)]
    })
