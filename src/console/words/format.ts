import { addDays } from '../../shared/dates.ts'
import { isolate } from '../../shared/isolate.ts'
import { COMMAS, tagOf, type Locale } from '../../shared/locale.ts'
import { writtenPhone } from '../../shared/phone.ts'

const ROOMS: Readonly<Record<Locale, string>> = { ar: 'غرفة', he: 'חדר', en: 'Room' }

/** The Hebrew of Intl has the letters of English, and writes those of a single one before the number: kB1. */
const SIZES: Readonly<Record<Locale, string>> = { ar: tagOf('ar'), he: tagOf('en'), en: tagOf('en') }

/** Money as the API has it: in the currency's smallest unit. */
export interface Money {
  amountMinor: number
  currency: string
}

/** Where a day has little room. In English one letter could be two days. */
const BRIEF_DAYS: Readonly<Record<Locale, 'narrow' | 'short'>> = { en: 'short', he: 'narrow', ar: 'narrow' }

/** A phone number as it is kept. */
const E164 = /\+\d{7,15}/g

/** Midnight UTC of a date such as 2026-11-24: formats of plain dates use it with the zone UTC. */
const midnight = (date: string): Date => new Date(`${date}T00:00:00Z`)

/**
 * How numbers, dates and money are written in one language, and in the time zone of the institute. A `date` is
 * YYYY-MM-DD, an `instant` an ISO timestamp.
 */
export class Format {
  readonly locale: Locale
  readonly zone: string
  readonly #tag: string
  readonly #made = new Map<string, Intl.DateTimeFormat>()
  readonly #numbers: Intl.NumberFormat

  constructor(locale: Locale, zone: string) {
    this.locale = locale
    this.zone = zone
    this.#tag = tagOf(locale)
    this.#numbers = new Intl.NumberFormat(this.#tag)
  }

  #format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const made = this.#made.get(name) ?? new Intl.DateTimeFormat(this.#tag, options)
    this.#made.set(name, made)
    return made
  }

  /** 1,234 */
  number(value: number): string {
    return this.#numbers.format(value)
  }

  /** 0.917 → 91.7 % */
  percent(share: number): string {
    return new Intl.NumberFormat(this.#tag, { style: 'percent', maximumFractionDigits: 1 }).format(share)
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

  money({ amountMinor, currency }: Money): string {
    const format = new Intl.NumberFormat(this.#tag, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    return format.format(amountMinor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
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

  /** The date of an instant at the institute. */
  dateOf(instant: string): string {
    // Sweden writes dates as ISO 8601 has them.
    const made = this.#made.get('iso') ?? new Intl.DateTimeFormat('sv-SE', { timeZone: this.zone })
    this.#made.set('iso', made)
    return made.format(new Date(instant))
  }

  /** 24/11/2026 */
  date(date: string): string {
    const [year, month, day] = date.split('-')
    return `${day}/${month}/${year}`
  }

  /** 24/11 */
  dayAndMonth(date: string): string {
    return this.date(date).slice(0, 5)
  }

  /** Tuesday, 24 November; with the year where it is another than this one. */
  longDate(date: string): string {
    const isThisYear = date.slice(0, 4) === this.today().slice(0, 4)
    return this.#format(isThisYear ? 'long' : 'longest', {
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
      const ends = this.#format('rangeEnd', { ...day, year: 'numeric' })
      const begins = isOneYear ? this.#format('rangeBegin', day) : ends
      return `${begins.format(midnight(from))} – ${ends.format(midnight(to))}`
    }
    return this.#format('range', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).formatRange(
      midnight(from),
      midnight(to),
    )
  }

  /** November 2026. @param month YYYY-MM */
  month(month: string): string {
    return this.#format('month', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(midnight(`${month}-01`))
  }

  weekday(date: string): string {
    return this.#format('weekday', { weekday: 'long', timeZone: 'UTC' }).format(midnight(date))
  }

  /** Sun. @param day 0 to 6, 0 being Sunday */
  shortWeekday(day: number): string {
    // 1 November 2026 was a Sunday.
    return this.#format('short', { weekday: 'short', timeZone: 'UTC' }).format(midnight(addDays('2026-11-01', day)))
  }

  /** Sunday. @param day 0 to 6, 0 being Sunday */
  longWeekday(day: number): string {
    return this.weekday(addDays('2026-11-01', day))
  }

  /** S. @param day 0 to 6, 0 being Sunday */
  narrowWeekday(day: number): string {
    return this.#format('narrow', { weekday: 'narrow', timeZone: 'UTC' }).format(midnight(addDays('2026-11-01', day)))
  }

  /** S, or Sun. @param day 0 to 6, 0 being Sunday */
  briefWeekday(day: number): string {
    return BRIEF_DAYS[this.locale] === 'narrow' ? this.narrowWeekday(day) : this.shortWeekday(day)
  }

  /** 17:04 */
  time(instant: string): string {
    return this.#format('time', {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: this.zone,
    }).format(new Date(instant))
  }

  /** 16:00–17:30 */
  times(start: string, end: string): string {
    return `${this.time(start)}–${this.time(end)}`
  }

  /** 24/11/2026 17:04 */
  moment(instant: string): string {
    return `${this.date(this.dateOf(instant))} ${this.time(instant)}`
  }

  /** Sorts names as the reader expects. */
  compare(a: string, b: string): number {
    return a.localeCompare(b, this.#tag)
  }

  /** The phone numbers of a text, as people of the institute's country write them, each whole. */
  phones(text: string): string {
    return text.replaceAll(E164, (number) => isolate(writtenPhone(number, this.zone)))
  }

  /** A room by its name; one whose name is a number says what it is. */
  room(name: string): string {
    return /^\d+$/.test(name) ? `${ROOMS[this.locale]}\u00a0${name}` : name
  }

  /** A, B, C */
  commas(items: readonly string[]): string {
    return items.join(COMMAS[this.locale])
  }

  /** A, B and C, each whole within the sentence. */
  list(items: readonly string[]): string {
    // Hebrew writes "and" by the letter that follows it, which must not be a mark of direction.
    const parts = new Intl.ListFormat(this.#tag, { type: 'conjunction' }).formatToParts(items)
    const rest = items.map(isolate)
    return parts.map(({ type, value }) => (type === 'element' ? rest.shift() : value)).join('')
  }
}
