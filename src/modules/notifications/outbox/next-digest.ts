import { addDays, localDate, localInstant, weekdayOf } from '#kernel/time/zone.ts'
import type { DigestMode } from '../tables.ts'

const AT = '07:00'
const DAYS_A_WEEK = 7

/**
 * When the next digest is due after `now`: at 07:00 in the institute's time zone, tomorrow at the latest, or on the next
 * Sunday. Clock changes do not move it: it is 07:00 on the clock of that day.
 */
export const nextDigest = (mode: Exclude<DigestMode, 'immediate'>, now: string, zone: string): string => {
  const today = localDate(now, zone)
  for (let days = 0; days <= DAYS_A_WEEK + 1; days += 1) {
    const day = addDays(today, days)
    const due = localInstant(day, AT, zone)
    if (due > now && (mode === 'daily' || weekdayOf(day) === 0)) return due
  }
  throw new Error(`no digest is due within a week of ${now} in ${zone}`)
}
