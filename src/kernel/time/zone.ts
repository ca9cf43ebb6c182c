import { Temporal } from 'temporal-polyfill'
import { BoundedCache } from '#kernel/basics/bounded-cache.ts'

// This file uses three kinds of text: a date is YYYY-MM-DD, a time is HH:MM (24 hours), an instant is ISO-8601 in UTC
// with milliseconds. Functions throw a RangeError for a text of another form and for an unknown time zone.

const DATE = /^(?:19|20|21)\d\d-\d\d-\d\d$|^2200-\d\d-\d\d$/

/** Whether the text is an existing date in the years 1900 to 2200. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false
  try {
    Temporal.PlainDate.from(text)
    return true
  } catch {
    return false
  }
}

/**
 * Whether the text is the name of a time zone in the IANA database, in the database's own spelling: clients get this
 * name, and some systems distinguish asia/jerusalem from Asia/Jerusalem. An offset such as +02:00 is not a name.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId === name
  } catch {
    return false
  }
}

/** The date of an instant in the given time zone. */
export function localDate(instant: string, zone: string): string {
  const at = millisOf(instant)
  const span = at === undefined ? undefined : spanAt(at, zone)
  if (at !== undefined && span) return dateOf(at + span.offset)
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()
}

/** The local time of an instant in the given time zone, as YYYY-MM-DDTHH:MM:SS.sssZ of a clock that knows no zones. */
export function localTime(instant: string, zone: string): string {
  const at = millisOf(instant)
  const span = at === undefined ? undefined : spanAt(at, zone)
  if (at !== undefined && span) return new Date(at + span.offset).toISOString()
  const local = Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime()
  return `${local.toString({ fractionalSecondDigits: 3 })}Z`
}

/**
 * Loads the time zone data. Its first use takes about 25 ms and blocks the event loop, so the program calls this soon
 * after its start, before a request needs it.
 */
export function loadTimeZones(): void {
  localDate('2026-01-01T00:00:00.000Z', 'Asia/Jerusalem')
}

/** The first instant of a date in the given time zone: midnight, or later where a clock change skips midnight. */
export function startOfLocalDay(date: string, zone: string): string {
  const midnight = midnightOf(date)
  const span = midnight === undefined ? undefined : spanOf(midnight, zone)
  if (midnight !== undefined && span) return new Date(midnight - span.offset).toISOString()
  return isoInstant(Temporal.PlainDate.from(date).toZonedDateTime(zone))
}

/**
 * The instant of a local time. A time that a clock change skips moves forward by the length of the gap; of a time that
 * occurs twice, the first one counts. Temporal calls this "compatible".
 */
export function localInstant(date: string, time: string, zone: string): string {
  const midnight = midnightOf(date)
  if (midnight !== undefined && TIME.test(time)) {
    const local = midnight + (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * 60_000
    const span = spanOf(local, zone)
    if (span) return new Date(local - span.offset).toISOString()
  }
  return isoInstant(
    Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone, { disambiguation: 'compatible' }),
  )
}

/**
 * The month of a date or an instant, as a half-open range: its first instant, and the first instant of the next month.
 */
export function monthRange(dateOrInstant: string, zone: string): { start: string; end: string } {
  const date = dateOrInstant.includes('T') ? localDate(dateOrInstant, zone) : dateOrInstant
  const first = Temporal.PlainDate.from(date).with({ day: 1 })
  return {
    start: isoInstant(first.toZonedDateTime(zone)),
    end: isoInstant(first.add({ months: 1 }).toZonedDateTime(zone)),
  }
}

/** The date `days` after `date`, or before it when `days` is negative. */
export function addDays(date: string, days: number): string {
  const midnight = midnightOf(date)
  if (midnight !== undefined && Math.abs(days) < 100_000) return dateOf(midnight + days * DAY)
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

/** The instant so many months later, in UTC; where that month has no such day, on its last. */
export function addMonths(instant: string, months: number): string {
  return isoInstant(Temporal.Instant.from(instant).toZonedDateTimeISO('UTC').add({ months }))
}

/** Negative when `a` is before `b`, 0 when they are equal, positive when `a` is after `b`. */
export function compareDates(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The day of the week, from 0 (Sunday) to 6. */
export function weekdayOf(date: string): number {
  const midnight = midnightOf(date)
  if (midnight !== undefined) return new Date(midnight).getUTCDay()
  return Temporal.PlainDate.from(date).dayOfWeek % 7
}

/** The year of a date. */
export function yearOf(date: string): number {
  return Temporal.PlainDate.from(date).year
}

function isoInstant(moment: Temporal.ZonedDateTime): string {
  return new Date(moment.epochMilliseconds).toISOString()
}

// Fast paths: a schedule computes thousands of dates and times at once, every change asks for the date of today, and
// Temporal takes 30 µs for each.

const DAY = 86_400_000
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

const dateOf = (midnight: number): string => new Date(midnight).toISOString().slice(0, 10)

/** Midnight of a date in UTC, in milliseconds; undefined: the text may not be a date. */
const midnightOf = (date: string): number | undefined => {
  if (!DATE.test(date)) return undefined
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))]
  const midnight = Date.UTC(year, month - 1, day)
  // An invalid month or day overflows into another month.
  return new Date(midnight).getUTCMonth() === month - 1 && day > 0 ? midnight : undefined
}

/** An instant in milliseconds since 1970; undefined: the text may not be one of the years 1900 to 2200. */
const millisOf = (instant: string): number | undefined => {
  if (!DATE.test(instant.slice(0, 10))) return undefined
  const at = Date.parse(instant)
  return Number.isNaN(at) || new Date(at).toISOString() !== instant ? undefined : at
}

/** A period in which the UTC offset of a zone does not change, with a margin on both sides. Milliseconds since 1970. */
interface Span {
  from: number
  until: number
  offset: number
}

const spans = new BoundedCache<string, Span[]>(100)

const LONGEST_SPAN = 400 * DAY
/** A clock change moves clocks by at most a day. Local times that are further away from it occur exactly once. */
const MARGIN = 2 * DAY

/** A moment in the time of the offset of a span. */
type Moment = (span: Span) => number

const contains = (span: Span, moment: Moment): boolean => moment(span) >= span.from && moment(span) < span.until

/** @param nearby within a day of the moment @returns undefined: the moment is close to a clock change */
const findSpan = (zone: string, nearby: number, moment: Moment): Span | undefined => {
  const known = spans.get(zone, () => [])
  const found = known.find((span) => contains(span, moment))
  if (found) return found
  const made = newSpan(nearby, zone)
  if (!made || !contains(made, moment)) return undefined
  known.push(made)
  return made
}

/** The span that contains a local time. */
const spanOf = (local: number, zone: string): Span | undefined => findSpan(zone, local, ({ offset }) => local - offset)

/** The span that contains an instant. */
const spanAt = (instant: number, zone: string): Span | undefined => findSpan(zone, instant, () => instant)

const newSpan = (nearby: number, zone: string): Span | undefined => {
  const near = Temporal.Instant.fromEpochMilliseconds(nearby).toZonedDateTimeISO(zone)
  const before = near.getTimeZoneTransition('previous')
  const after = near.getTimeZoneTransition('next')
  // At the exact moment of a change, the previous transition does not tell the offset that follows.
  if (before && before.offsetNanoseconds !== near.offsetNanoseconds) return undefined
  return {
    from: Math.max(before?.epochMilliseconds ?? -Infinity, nearby - LONGEST_SPAN) + MARGIN,
    until: Math.min(after?.epochMilliseconds ?? Infinity, nearby + LONGEST_SPAN) - MARGIN,
    offset: near.offsetNanoseconds / 1e6,
  }
}
