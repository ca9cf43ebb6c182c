import { addDays, weekdayOf } from '#kernel/time/zone.ts'
import { countryOfZone } from '#kernel/values/phone.ts'
import { HOLIDAYS, type Feast, type HolidayCalendar, type HolidayName } from './holiday-names.ts'

/*
 * Which holidays of a year a school here may close on. Jewish and Muslim dates are those of ICU (hebrew and
 * islamic-umalqura), which the runtime carries; both Easters are computed by the rules of their churches.
 */

export interface Holiday {
  key: string
  calendar: HolidayCalendar
  name: HolidayName
  from: string
  to: string
  /** The day is as computed; it begins when the new moon has been seen. */
  isUpToTheMoon: boolean
}

/** The first and last years for which both calendars have tables. */
export const FIRST_YEAR = 2000
export const LAST_YEAR = 2076

const formats = {
  jewish: new Intl.DateTimeFormat('en-u-ca-hebrew', { day: 'numeric', month: 'long', timeZone: 'UTC' }),
  muslim: new Intl.DateTimeFormat('en-u-ca-islamic-umalqura', { day: 'numeric', month: 'numeric', timeZone: 'UTC' }),
}

/** Month and day of a date in another calendar, as HOLIDAYS names them: `Tishri 1`, `10 1`. */
const inCalendar = (calendar: keyof typeof formats, date: string): string => {
  const parts = formats[calendar].formatToParts(new Date(`${date}T12:00:00.000Z`))
  const valueOf = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  // A leap year has two Adars, and Purim is in the second.
  return `${valueOf('month').replace('Adar II', 'Adar')} ${valueOf('day')}`
}

/** So long before the year, a feast may begin that reaches into it. */
const LONGEST_DAYS = 10

const daysAround = (year: number): string[] => {
  const days: string[] = []
  for (let date = addDays(`${year}-01-01`, -LONGEST_DAYS); date < `${year + 1}-01-01`; date = addDays(date, 1)) {
    days.push(date)
  }
  return days
}

const isoOf = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** The Sunday of Easter by the Gregorian computation (Meeus, Jones and Butcher). */
const westernEaster = (year: number): string => {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const sum = epact + weekday - 7 * late + 114
  return isoOf(year, Math.floor(sum / 31), (sum % 31) + 1)
}

/** From the Julian to the Gregorian calendar, from 1900 to 2099. */
const JULIAN_DAYS = 13

/** The Sunday of Easter by the Julian computation (Meeus). */
const easternEaster = (year: number): string => {
  const moon = (19 * (year % 19) + 15) % 30
  const weekday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
  const sum = moon + weekday + 114
  return addDays(isoOf(year, Math.floor(sum / 31), (sum % 31) + 1), JULIAN_DAYS)
}

/** Days by which a feast moves that may not fall on its weekday. */
const shiftOf = ({ shifts = {} }: Feast, date: string): number => shifts[weekdayOf(date)] ?? 0

/** The first days of a feast in a year, and at its beginning. */
const datesOf = (feast: Feast, year: number, { days, jewish, muslim }: Walked): string[] => {
  switch (feast.by) {
    case 'jewish':
    case 'muslim': {
      const own = feast.by === 'jewish' ? jewish : muslim
      return days.filter((_, index) => own[index] === feast.on).map((date) => addDays(date, shiftOf(feast, date)))
    }
    case 'western_easter':
      return [addDays(westernEaster(year), feast.after)]
    case 'eastern_easter':
      return [addDays(easternEaster(year), feast.after)]
    default:
      return [`${year - 1}-${feast.on}`, `${year}-${feast.on}`]
  }
}

interface Walked {
  days: readonly string[]
  /** What each of the days is called in these calendars. */
  jewish: readonly string[]
  muslim: readonly string[]
}

/** The holidays of which a day lies in the year, first begun first: of all calendars, and those of the zone's country. */
export const holidaysOf = (year: number, timezone: string): Holiday[] => {
  const days = daysAround(year)
  const walked = {
    days,
    jewish: days.map((date) => inCalendar('jewish', date)),
    muslim: days.map((date) => inCalendar('muslim', date)),
  }
  const country = countryOfZone(timezone)
  return HOLIDAYS.filter((feast) => feast.country === undefined || feast.country === country)
    .flatMap((feast) =>
      datesOf(feast, year, walked).map((from) => ({
        key: feast.key,
        calendar: feast.calendar,
        name: feast.name,
        from,
        to: addDays(from, feast.length - 1),
        isUpToTheMoon: feast.calendar === 'muslim',
      })),
    )
    .filter(({ from, to }) => from < `${year + 1}` && to >= `${year}`)
    .toSorted((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0))
}
