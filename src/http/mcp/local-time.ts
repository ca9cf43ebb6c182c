import { BoundedCache } from '#kernel/basics/bounded-cache.ts'

/** A day of UTC, in a zone. */
interface Day {
  /** Such as `GMT+02:00`; undefined: it changes during the day. */
  offset: string | undefined
  minutes: number
  /** The local dates of its first minute and of its last. */
  first: string
  last: string
}

const DAY_MINUTES = 24 * 60
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))

const minutesOf = (offset: string): number => {
  const [, sign, hours, minutes] = /([+\-\u2212])(\d\d):(\d\d)/.exec(offset) ?? []
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return sign === '+' ? size : -size
}

/**
 * Says what the clocks of a zone show. To ask Intl for each instant of a list would take longer than to read the list, so
 * it is asked once for each day.
 */
class ZoneClock {
  readonly #format: Intl.DateTimeFormat
  readonly #days = new BoundedCache<string, Day>(2000)

  constructor(zone: string) {
    const digits = '2-digit'
    const date = { year: 'numeric', month: digits, day: digits } as const
    const time = { hour: digits, minute: digits, timeZoneName: 'longOffset' } as const
    this.#format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...date, ...time })
  }

  at(instant: string): string {
    if (!INSTANT.test(instant)) return instant
    const date = instant.slice(0, 10)
    const { offset, minutes, first, last } = this.#days.get(date, () => this.#day(date))
    if (offset === undefined) {
      const millis = Date.parse(instant)
      return Number.isNaN(millis) ? instant : this.#format.format(millis)
    }
    const local = Number(instant.slice(11, 13)) * 60 + Number(instant.slice(14, 16)) + minutes
    const ofDay = (local + DAY_MINUTES) % DAY_MINUTES
    const isOfFirst = local < (minutes < 0 ? 0 : DAY_MINUTES)
    return `${isOfFirst ? first : last} ${TWO_DIGITS[Math.floor(ofDay / 60)]}:${TWO_DIGITS[ofDay % 60]} ${offset}`
  }

  #day(date: string): Day {
    const start = Date.parse(`${date}T00:00:00.000Z`)
    if (Number.isNaN(start)) return { offset: undefined, minutes: 0, first: '', last: '' }
    const [[first = '', , offset = ''], [last = '', , offsetThen]] = [start, start + DAY_MINUTES * 60_000 - 1].map(
      (millis) => this.#format.format(millis).split(' '),
    ) as [string[], string[]]
    return { offset: offset === offsetThen ? offset : undefined, minutes: minutesOf(offset), first, last }
  }
}

const clocks = new BoundedCache<string, ZoneClock>(200)

/** @param instant ISO-8601 in UTC @returns such as `2026-03-02 10:00 GMT+02:00` */
export const localTime = (instant: string, zone: string): string =>
  clocks.get(zone, () => new ZoneClock(zone)).at(instant)
