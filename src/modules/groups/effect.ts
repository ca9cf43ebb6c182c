import { checkAround } from '#kernel/values/days-around.ts'
import { invalid } from '#kernel/values/errors.ts'
import { isDate, addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

/** When an enrollment begins: of a day, its beginning. @throws VALIDATION_ERROR */
export const beginOf = (tx: Tx, since: string, options: { isOldTaken: boolean }): string => {
  const { timezone } = tx.tenant
  const begin = isDate(since) ? startOfLocalDay(since, timezone) : since
  checkAround(tx.today, 'enrolledAt', localDate(begin, timezone), options)
  return begin
}

/** The last instant of the day on which an enrollment ends. @throws VALIDATION_ERROR */
export const endOf = (tx: Tx, day: string, { enrolledAt }: { enrolledAt: string }): string => {
  const { timezone } = tx.tenant
  checkAround(tx.today, 'endedAt', day)
  if (day < localDate(enrolledAt, timezone)) throw invalid(['endedAt'], 'Must not be before the student was enrolled.')
  return new Date(Date.parse(startOfLocalDay(addDays(day, 1), timezone)) - 1).toISOString()
}

/** Whether the day of an end has come, so that it takes effect. */
export const isDue = ({ today, tenant }: Tx, end: string): boolean => localDate(end, tenant.timezone) <= today
