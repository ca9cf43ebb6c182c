import { addDays } from '../../shared/dates.ts'
import { isolate } from '../../shared/isolate.ts'
import { tagOf, type Locale } from '../../shared/locale.ts'
import { Written } from '../../shared/written.ts'

const ROOMS: Readonly<Record<Locale, string>> = { ar: 'غرفة', he: 'חדר', en: 'Room' }

/** The Hebrew of Intl has the letters of English, and writes those of a single one before the number: kB1. */
const SIZES: Readonly<Record<Locale, string>> = { ar: tagOf('ar'), he: tagOf('en'), en: tagOf('en') }

/** Where a day has little room. In English one letter could be two days. */
const BRIEF_DAYS: Readonly<Record<Locale, 'narrow' | 'short'>> = { en: 'short', he: 'narrow', ar: 'narrow' }

/** Midnight UTC of a date such as 2026-11-24: formats of plain dates use it with the zone UTC. */
const midnight = (date: string): Date => new Date(`${date}T00:00:00Z`)

/** How the console writes what it shows, in one language, and in the time zone of the institute. */
export class Format extends Written {
  /** 0.917 → 91.7 % */
  percent(share: number): string {
    return new Intl.NumberFormat(this.tag, { style: 'percent', maximumFractionDigits: 1 }).format(share)
  }

  /** 1.2 MB; what is smaller than a tenth of one, in kB */
  bytes(count: number): string {
    const isSmall = count < 100_000
    return new Intl.NumberFormat(SIZES[this.locale], {
      style: 'unit',
      unit: isSmall ? 'kilobyte' : 'megabyte',
      maximumFractionDigits: isSmall ? 0 : 1,
    }).format(isSmall ? Math.ceil(count / 1000) : count / 1_000_000)
  }

  /** Today at the institute. */
  today(): string {
    return this.dateOf(new Date().toISOString())
  }

  yesterday(): string {
    return addDays(this.today(), -1)
  }

  tomorrow(): string {
    return addDays(this.today(), 1)
  }

  /** 24/11 */
  dayAndMonth(date: string): string {
    return this.date(date).slice(0, 5)
  }

  /** Tuesday, 24 November; with the year where it is another than this one. */
  longDate(date: string): string {
    const isThisYear = date.slice(0, 4) === this.today().slice(0, 4)
    return this.formatOf(isThisYear ? 'long' : 'longest', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      ...(!isThisYear && { year: 'numeric' }),
      timeZone: 'UTC',
    }).format(midnight(date))
  }

  /** 22–28 November 2026 */
  range(from: string, to: string): string {
    // Over the end of a month, a range in Hebrew would drop the ב of the months.
    if (from.slice(0, 7) !== to.slice(0, 7)) {
      const day = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const
      const isOneYear = from.slice(0, 4) === to.slice(0, 4)
      const ends = this.formatOf('rangeEnd', { ...day, year: 'numeric' })
      const begins = isOneYear ? this.formatOf('rangeBegin', day) : ends
      return `${begins.format(midnight(from))} – ${ends.format(midnight(to))}`
    }
    return this.formatOf('range', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).formatRange(
      midnight(from),
      midnight(to),
    )
  }

  /** November 2026. @param month YYYY-MM */
  month(month: string): string {
    return this.formatOf('month', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(midnight(`${month}-01`))
  }

  weekday(date: string): string {
    return this.formatOf('weekday', { weekday: 'long', timeZone: 'UTC' }).format(midnight(date))
  }

  /** Sun. @param day 0 to 6, 0 being Sunday */
  shortWeekday(day: number): string {
    // 1 November 2026 was a Sunday.
    return this.formatOf('short', { weekday: 'short', timeZone: 'UTC' }).format(midnight(addDays('2026-11-01', day)))
  }

  /** Sunday. @param day 0 to 6, 0 being Sunday */
  longWeekday(day: number): string {
    return this.weekday(addDays('2026-11-01', day))
  }

  /** S. @param day 0 to 6, 0 being Sunday */
  narrowWeekday(day: number): string {
    return this.formatOf('narrow', { weekday: 'narrow', timeZone: 'UTC' }).format(midnight(addDays('2026-11-01', day)))
  }

  /** S, or Sun. @param day 0 to 6, 0 being Sunday */
  briefWeekday(day: number): string {
    return BRIEF_DAYS[this.locale] === 'narrow' ? this.narrowWeekday(day) : this.shortWeekday(day)
  }

  /** 16:00–17:30 */
  times(start: string, end: string): string {
    return `${this.time(start)}–${this.time(end)}`
  }

  /** Sorts names as the reader expects. */
  compare(a: string, b: string): number {
    return a.localeCompare(b, this.tag)
  }

  /** A room by its name; one whose name is a number says what it is. */
  room(name: string): string {
    return /^\d+$/.test(name) ? `${ROOMS[this.locale]}\u00a0${name}` : name
  }

  /** A, B and C, each whole within the sentence. */
  list(items: readonly string[]): string {
    // Hebrew writes "and" by the letter that follows it, which must not be a mark of direction.
    const parts = new Intl.ListFormat(this.tag, { type: 'conjunction' }).formatToParts(items)
    const rest = items.map(isolate)
    return parts.map(({ type, value }) => (type === 'element' ? rest.shift() : value)).join('')
  }
}
