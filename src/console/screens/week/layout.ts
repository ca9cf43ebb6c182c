import { addDays, weekdayOf } from '../../../shared/dates.ts'
import { DAY_MINUTES, wallTimeOf } from '../../words/zone.ts'

/** Where sessions stand in a week: by the clocks of the institute, beside each other where they overlap. */

/** What ends by this time of the night belongs to the evening before, and stands below it. */
const NIGHT_MINUTES = 300

/** What is shorter is drawn as if it were so long: a name has to be readable. */
const LEAST_MINUTES = 25

/** Weeks begin on Sunday, as those of the API do. @returns the seven dates of the week of a date */
export const weekOf = (date: string): string[] => {
  const first = addDays(date, -weekdayOf(date))
  return Array.from({ length: 7 }, (_, index) => addDays(first, index))
}

export interface Timed {
  id: string
  scheduledStart: string
  scheduledEnd: string
}

/** The part of a session that lies on one day. */
interface Part<T> {
  session: T
  date: string
  /** Minutes since midnight, as the clock shows them. Of an evening that passes midnight, `until` is more than 1440. */
  from: number
  until: number
  /** Whether it began on the day before. */
  isContinued: boolean
}

export interface Placed<T> extends Part<T> {
  /** The first of the lanes that it takes, counted from 0. */
  lane: number
  /** How many it takes: more than one where nothing stands beside it. */
  width: number
}

export interface DayLayout<T> {
  date: string
  /** How many lanes stand beside each other; at least one. */
  lanes: number
  placed: readonly Placed<T>[]
}

/** An evening that passes midnight stands on its own day; what lasts longer, such as a camp, on each of its days. */
export const partsOf = <T extends Timed>(session: T, zone: string): Part<T>[] => {
  const { scheduledStart, scheduledEnd } = session
  const start = wallTimeOf(scheduledStart, zone)
  const end = wallTimeOf(scheduledEnd, zone)
  const millis = Date.parse(scheduledEnd) - Date.parse(scheduledStart)
  const part = (date: string, from: number, until: number): Part<T> => ({
    session,
    date,
    from,
    until: Math.max(until, from + LEAST_MINUTES),
    isContinued: date !== start.date,
  })
  if (end.date === start.date) {
    // Where clocks go back meanwhile, they may show an earlier time at the end: then its length counts.
    const until = end.minutes > start.minutes ? end.minutes : start.minutes + millis / 60_000
    return [part(start.date, start.minutes, until)]
  }
  if (end.date === addDays(start.date, 1) && end.minutes <= NIGHT_MINUTES)
    return [part(start.date, start.minutes, DAY_MINUTES + end.minutes)]
  const parts = [part(start.date, start.minutes, DAY_MINUTES)]
  for (let date = addDays(start.date, 1); date < end.date; date = addDays(date, 1))
    parts.push(part(date, 0, DAY_MINUTES))
  parts.push(part(end.date, 0, end.minutes))
  return parts
}

const inOrder = <T extends Timed>(a: Part<T>, b: Part<T>): number =>
  a.from - b.from || b.until - a.until || (a.session.id < b.session.id ? -1 : 1)

const overlap = <T>(a: Part<T>, b: Part<T>): boolean => a.from < b.until && b.from < a.until

/** Each in the first lane that is free; those that have room to their end take it. */
const laidOut = <T extends Timed>(parts: readonly Part<T>[]): Omit<DayLayout<T>, 'date'> => {
  const placed: Placed<T>[] = []
  for (const part of parts.toSorted(inOrder)) {
    let lane = 0
    while (placed.some((other) => other.lane === lane && overlap(other, part))) lane += 1
    placed.push({ ...part, lane, width: 1 })
  }
  const lanes = Math.max(1, ...placed.map(({ lane }) => lane + 1))
  for (const one of placed) {
    const beside = placed.filter((other) => other !== one && overlap(other, one) && other.lane > one.lane)
    one.width = Math.min(lanes, ...beside.map(({ lane }) => lane)) - one.lane
  }
  return { lanes, placed }
}

export const layoutOf = <T extends Timed>(
  sessions: readonly T[],
  dates: readonly string[],
  zone: string,
): DayLayout<T>[] => {
  const parts = sessions.flatMap((session) => partsOf(session, zone))
  return dates.map((date) => ({ date, ...laidOut(parts.filter((part) => part.date === date)) }))
}

/** The hours that an empty week shows. */
const USUAL = { from: 14, until: 20 }

/** The hours that are drawn, so that all sessions lie within them: at least from 14:00 to 20:00. */
export const hoursOf = (days: readonly DayLayout<unknown>[]): { from: number; until: number } => {
  const placed = days.flatMap((day) => day.placed)
  return {
    from: Math.min(USUAL.from, ...placed.map(({ from }) => Math.floor(from / 60))),
    until: Math.max(USUAL.until, ...placed.map(({ until }) => Math.ceil(until / 60))),
  }
}
