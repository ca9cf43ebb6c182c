import { Temporal } from 'temporal-polyfill'

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

/** The first instant of a date: local midnight, or later where a clock change skips midnight. */
export function startOfLocalDay(date: string, zone: string): string {
  return printed(Temporal.PlainDate.from(date).toZonedDateTime(zone))
}

/**
 * The instant of a local time. A time that a clock change skips moves forward by the gap, one that occurs twice is the
 * first (decisions, Academics); Temporal calls both together "compatible".
 */
export function localInstant(date: string, time: string, zone: string): string {
  return printed(Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone, { disambiguation: 'compatible' }))
}

/** The month that holds a date, or an instant, as half-open range: its first instant and the next month's first. */
export function monthRange(dateOrInstant: string, zone: string): { start: string; end: string } {
  const date = dateOrInstant.includes('T') ? localDate(dateOrInstant, zone) : dateOrInstant
  const first = Temporal.PlainDate.from(date).with({ day: 1 })
  return { start: printed(first.toZonedDateTime(zone)), end: printed(first.add({ months: 1 }).toZonedDateTime(zone)) }
}

/** The date `days` later, or earlier when negative. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

/** Negative when `a` is earlier than `b`, 0 when they are the same date, positive when later. */
export function compareDates(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** 0 to 6, 0 being Sunday. */
export function weekdayOf(date: string): number {
  return Temporal.PlainDate.from(date).dayOfWeek % 7
}

export function yearOf(date: string): number {
  return Temporal.PlainDate.from(date).year
}

function printed(moment: Temporal.ZonedDateTime): string {
  return new Date(moment.epochMilliseconds).toISOString()
}
