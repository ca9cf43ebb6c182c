import { isInOrder, isolate } from '#shared/isolate.ts'
import { COMMAS, tagOf, type Locale } from '#shared/locale.ts'
import { BoundedCache } from '#kernel/basics/bounded-cache.ts'
import type { Currency } from '#kernel/values/money.ts'

// A phone number (+972 50-123-4567, 050-1234567) or a date (2026-03-08), which is no part of an address or a longer word.
const PARTED = String.raw`\+\d[\d ()\-]{5,}\d|0\d(?:[ \-]?\d){6,}|\d{4}-\d{2}-\d{2}`
const ORDERED = new RegExp(String.raw`(?<![\p{L}\p{N}/.=?&%#@_+\-])(?:${PARTED})(?![\p{L}\p{N}/=&%@_\-])`, 'gu')

/**
 * Isolates the phone numbers and dates of a text. Among Arabic letters their parts would change places, and a plus sign
 * would stand at the wrong end.
 */
export const inOrder = (text: string, locale: Locale): string =>
  text.replaceAll(ORDERED, (number) => (isInOrder(text, locale) ? number : isolate(number)))

// A formatter costs as much as a hundred uses of it.
const dates = new BoundedCache<string, Intl.DateTimeFormat>(200)
const times = new BoundedCache<string, Intl.DateTimeFormat>(200)
const amounts = new BoundedCache<string, Intl.NumberFormat>(20)

const dateFormat = (locale: Locale, timeZone: string): Intl.DateTimeFormat =>
  dates.get(
    `${locale} ${timeZone}`,
    () =>
      new Intl.DateTimeFormat(tagOf(locale), {
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone,
      }),
  )

/** How the texts of one language write dates, times and amounts. */
export const formats = (locale: Locale, zone: string) => ({
  comma: COMMAS[locale],
  /** The day of an instant in the institute's time zone, such as Monday, 2 March 2026. */
  dayOf: (instant: string): string => dateFormat(locale, zone).format(new Date(instant)),
  /** A date, which has no time zone. */
  date: (date: string): string => dateFormat(locale, 'UTC').format(new Date(`${date}T12:00:00.000Z`)),
  /** One day, or the first and the last of several. */
  days: (from: string, to: string): string => {
    // Each is said whole: a range of them has commas in Arabic where nobody writes one.
    const [first, last] = [from, to].map((day) => dateFormat(locale, 'UTC').format(new Date(`${day}T12:00:00.000Z`)))
    return first === last ? String(first) : `${first} – ${last}`
  },
  time: (instant: string): string =>
    times
      .get(
        `${locale} ${zone}`,
        () =>
          new Intl.DateTimeFormat(tagOf(locale), {
            hour: '2-digit',
            minute: '2-digit',
            hourCycle: 'h23',
            timeZone: zone,
          }),
      )
      .format(new Date(instant)),
  amount: (minor: number, currency: Currency): string =>
    amounts
      .get(`${locale} ${currency}`, () => new Intl.NumberFormat(tagOf(locale), { style: 'currency', currency }))
      .format(minor / 100),
})

export type Formats = ReturnType<typeof formats>
