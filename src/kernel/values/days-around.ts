import { addDays } from '#kernel/time/zone.ts'
import { invalid } from './errors.ts'

/** So many days before and after today something may take effect that people say at a desk. */
export const DAYS_AROUND = 366

/** @throws VALIDATION_ERROR for a day that is too far ahead or, unless old ones are taken, too long ago */
export const checkAround = (
  today: string,
  field: string,
  day: string,
  { isOldTaken = false }: { isOldTaken?: boolean } = {},
): void => {
  if (day > addDays(today, DAYS_AROUND)) throw invalid([field], `Must be at most ${DAYS_AROUND} days ahead.`)
  if (!isOldTaken && day < addDays(today, -DAYS_AROUND)) {
    throw invalid([field], `Must be at most ${DAYS_AROUND} days ago.`)
  }
}
