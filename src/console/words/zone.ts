import { parseAbsolute, parseDateTime, toZoned } from '@internationalized/date'

/** Times as the clocks of the institute show them, whatever those of the browser do. */

export interface WallTime {
  /** YYYY-MM-DD */
  date: string
  /** Since midnight, as the clock shows it. */
  minutes: number
}

/** What the clocks of a zone show at an instant. */
export const wallTimeOf = (instant: string, zone: string): WallTime => {
  const shown = parseAbsolute(instant, zone)
  return { date: shown.toString().slice(0, 10), minutes: shown.hour * 60 + shown.minute }
}

/**
 * The instant at which the clocks of a zone show a date and a time (HH:MM). As on the server, a time that a clock change
 * skips is later by the length of the gap, and of one that comes twice the first counts.
 */
export const instantOf = (date: string, time: string, zone: string): string =>
  toZoned(parseDateTime(`${date}T${time}`), zone, 'compatible').toAbsoluteString()

export const DAY_MINUTES = 1440

/** 16:05 → 965 */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** 965 → 16:05 */
export const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
