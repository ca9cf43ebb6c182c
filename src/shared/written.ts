import { isolate } from './isolate.ts'
import { COMMAS, tagOf, type Locale } from './locale.ts'
import { writtenPhone } from './phone.ts'

/** Money as the API has it: in the currency's smallest unit. */
interface Money {
  amountMinor: number
  currency: string
}

/** A phone number as it is kept. */
const E164 = /\+\d{7,15}/g

/**
 * How numbers, dates and money are written in one language, and in the time zone of the institute. A `date` is
 * YYYY-MM-DD, an `instant` an ISO timestamp.
 */
export class Written {
  readonly locale: Locale
  readonly zone: string
  protected readonly tag: string
  protected readonly made = new Map<string, Intl.DateTimeFormat>()
  readonly #numbers: Intl.NumberFormat

  constructor(locale: Locale, zone: string) {
    this.locale = locale
    this.zone = zone
    this.tag = tagOf(locale)
    this.#numbers = new Intl.NumberFormat(this.tag)
  }

  protected formatOf(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const made = this.made.get(name) ?? new Intl.DateTimeFormat(this.tag, options)
    this.made.set(name, made)
    return made
  }

  /** 1,234 */
  number(value: number): string {
    return this.#numbers.format(value)
  }

  money({ amountMinor, currency }: Money): string {
    const format = new Intl.NumberFormat(this.tag, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    return format.format(amountMinor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
  }

  /** The date of an instant at the institute. */
  dateOf(instant: string): string {
    // Sweden writes dates as ISO 8601 has them.
    const made = this.made.get('iso') ?? new Intl.DateTimeFormat('sv-SE', { timeZone: this.zone })
    this.made.set('iso', made)
    return made.format(new Date(instant))
  }

  /** 24/11/2026 */
  date(date: string): string {
    const [year, month, day] = date.split('-')
    return `${day}/${month}/${year}`
  }

  /** 17:04 */
  time(instant: string): string {
    return this.formatOf('time', {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: this.zone,
    }).format(new Date(instant))
  }

  /** 24/11/2026 17:04 */
  moment(instant: string): string {
    return `${this.date(this.dateOf(instant))} ${this.time(instant)}`
  }

  /** The phone numbers of a text, as people of the institute's country write them, each whole. */
  phones(text: string): string {
    return text.replaceAll(E164, (number) => isolate(writtenPhone(number, this.zone)))
  }

  /** A, B, C */
  commas(items: readonly string[]): string {
    return items.join(COMMAS[this.locale])
  }
}
