import { invalid } from '#kernel/values/errors.ts'
import { isDate, addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

/** So many days before and after today an enrollment may begin or end. */
export const DAYS_AROUND = 366

/** @throws VALIDATION_ERROR for a day that is too far ahead or, of those that people choose at a desk, too long ago */
const checkAround = ({ today }: Tx, field: string, day: string, { isOldTaken }: { isOldTaken: boolean }): void => {
  if (day > addDays(today, DAYS_AROUND)) throw invalid([field], `Must be at most ${DAYS_AROUND} days ahead.`)
  if (!isOldTaken && day < addDays(today, -DAYS_AROUND)) {
    throw invalid([field], `Must be at most ${DAYS_AROUND} days ago.`)
  }
}

/** When an enrollment begins: of a day, its beginning. @throws VALIDATION_ERROR */
export const beginOf = (tx: Tx, since: string, options: { isOldTaken: boolean }): string => {
  const { timezone } = tx.tenant
  const begin = isDate(since) ? startOfLocalDay(since, timezone) : since
  checkAround(tx, 'enrolledAt', localDate(begin, timezone), options)
  return begin
}

/** The last instant of the day on which an enrollment ends. @throws VALIDATION_ERROR */
export const endOf = (tx: Tx, day: string, { enrolledAt }: { enrolledAt: string }): string => {
  const { timezone } = tx.tenant
  checkAround(tx, 'endedAt', day, { isOldTaken: false })
  if (day < localDate(enrolledAt, timezone)) throw invalid(['endedAt'], 'Must not be before the student was enrolled.')
  return new Date(Date.parse(startOfLocalDay(addDays(day, 1), timezone)) - 1).toISOString()
}

/** Whether the day of an end has come, so that it takes effect. */
export const isDue = ({ today, tenant }: Tx, end: string): boolean => localDate(end, tenant.timezone) <= today
