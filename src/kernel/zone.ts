import { Temporal } from 'temporal-polyfill'
import { BoundedCache } from './bounded-cache.ts'

// Three kinds of text are passed around here: a date is YYYY-MM-DD, a time is HH:MM (24 hours), an instant is ISO-8601
// in UTC with milliseconds. Functions throw a RangeError for what cannot be read as such, and for an unknown time zone.

const DATE = /^(?:19|20|21)\d\d-\d\d-\d\d$|^2200-\d\d-\d\d$/

/** Whether a text is a day of the calendar in the years 1900 to 2200. */
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
 * Whether this is the name of a time zone in IANA's database, in its own spelling: the name is handed to clients whose
 * systems tell asia/jerusalem from Asia/Jerusalem. An offset such as +02:00 is no name.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId === name
  } catch {
    return false
  }
}

/** The date on which an instant falls for people in that zone. */
export function localDate(instant: string, zone: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()
}

/** Has the engine load its time zones: their first use takes some 25 ms, for which nobody else is answered. */
export function loadTimeZones(): void {
  localDate('2026-01-01T00:00:00.000Z', 'Asia/Jerusalem')
}

/** The first instant of a date: local midnight, or later where a clock change skips midnight. */
export function startOfLocalDay(date: string, zone: string): string {
  return isoInstant(Temporal.PlainDate.from(date).toZonedDateTime(zone))
}

/**
 * The instant of a local time. A time that a clock change skips moves forward by the gap, one that occurs twice is the
 * first; Temporal calls both together "compatible".
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

/** The month that holds a date, or an instant, as half-open range: its first instant and the next month's first. */
export function monthRange(dateOrInstant: string, zone: string): { start: string; end: string } {
  const date = dateOrInstant.includes('T') ? localDate(dateOrInstant, zone) : dateOrInstant
  const first = Temporal.PlainDate.from(date).with({ day: 1 })
  return {
    start: isoInstant(first.toZonedDateTime(zone)),
    end: isoInstant(first.add({ months: 1 }).toZonedDateTime(zone)),
  }
}

/** The date `days` later, or earlier when negative. */
export function addDays(date: string, days: number): string {
  const midnight = midnightOf(date)
  if (midnight !== undefined && Math.abs(days) < 100_000) return dateOf(midnight + days * DAY)
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

/** Negative when `a` is earlier than `b`, 0 when they are the same date, positive when later. */
export function compareDates(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** 0 to 6, 0 being Sunday. */
export function weekdayOf(date: string): number {
  const midnight = midnightOf(date)
  if (midnight !== undefined) return new Date(midnight).getUTCDay()
  return Temporal.PlainDate.from(date).dayOfWeek % 7
}

export function yearOf(date: string): number {
  return Temporal.PlainDate.from(date).year
}

function isoInstant(moment: Temporal.ZonedDateTime): string {
  return new Date(moment.epochMilliseconds).toISOString()
}

// A schedule asks for thousands of days and times at once, and a library for time zones takes 30 µs for each.

const DAY = 86_400_000
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

const dateOf = (midnight: number): string => new Date(midnight).toISOString().slice(0, 10)

/** A date's midnight in UTC; undefined for what may be no date. */
const midnightOf = (date: string): number | undefined => {
  if (!DATE.test(date)) return undefined
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))]
  const midnight = Date.UTC(year, month - 1, day)
  // A month or day that there is not leads into another month.
  return new Date(midnight).getUTCMonth() === month - 1 && day > 0 ? midnight : undefined
}

/** In milliseconds since 1970: a time in which the clocks of a zone are not changed, nor for two days around it. */
interface Span {
  from: number
  until: number
  offset: number
}

const spans = new BoundedCache<string, Span[]>(100)

const LONGEST_SPAN = 400 * DAY
/** No change of the clocks moves them by more than a day: a local time so far from one is had once. */
const MARGIN = 2 * DAY

const isInSpan = (local: number, { from, until, offset }: Span): boolean =>
  local - offset >= from && local - offset < until

/** The span in which a local time lies; undefined: the clocks are changed about then. */
const spanOf = (local: number, zone: string): Span | undefined => {
  const known = spans.get(zone, () => [])
  return known.find((span) => isInSpan(local, span)) ?? newSpan(known, local, zone)
}

const newSpan = (known: Span[], local: number, zone: string): Span | undefined => {
  const near = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO(zone)
  const before = near.getTimeZoneTransition('previous')
  const after = near.getTimeZoneTransition('next')
  // At the very moment of a change the one before it says nothing of what follows.
  if (before && before.offsetNanoseconds !== near.offsetNanoseconds) return undefined
  const span = {
    from: Math.max(before?.epochMilliseconds ?? -Infinity, local - LONGEST_SPAN) + MARGIN,
    until: Math.min(after?.epochMilliseconds ?? Infinity, local + LONGEST_SPAN) - MARGIN,
    offset: near.offsetNanoseconds / 1e6,
  }
  if (!isInSpan(local, span)) return undefined
  known.push(span)
  return span
}
