import { addDays } from '../../../shared/dates.ts'
import type { Schemas } from '../../api/schemas.ts'
import type { Locale } from '../../../shared/locale.ts'

type Holiday = Schemas['HolidayProposal']
type Calendar = Holiday['calendar']

/** Those that schools in the institute's language most likely keep come first. */
const CALENDARS: Readonly<Record<Locale, readonly Calendar[]>> = {
  ar: ['muslim', 'western', 'eastern', 'country', 'jewish'],
  he: ['jewish', 'country', 'muslim', 'western', 'eastern'],
  en: ['country', 'western', 'eastern', 'muslim', 'jewish'],
}

const YEAR_DAYS = 365

/**
 * The holidays on which one may still close, by their calendars: of a year to come all of it, of this one the twelve
 * months from today on, since late in a year what comes next is of the year after.
 */
export const comingHolidays = (
  holidays: readonly Holiday[],
  { today, locale, isThisYear }: { today: string; locale: Locale; isThisYear: boolean },
): { calendar: Calendar; own: Holiday[] }[] => {
  const until = addDays(today, YEAR_DAYS)
  const open = holidays
    .filter(({ closureId, from, to }) => closureId === null && to >= today && (!isThisYear || from <= until))
    .toSorted((one, other) => (one.from < other.from ? -1 : 1))
  return CALENDARS[locale]
    .map((calendar) => ({ calendar, own: open.filter((one) => one.calendar === calendar) }))
    .filter(({ own }) => own.length > 0)
}
