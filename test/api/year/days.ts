/**
 * Dates, months and the clocks of a zone for the second computation, which takes nothing from the program. A day is
 * YYYY-MM-DD, a month YYYY-MM, an instant an ISO text in UTC.
 */

const DAY_MILLIS = 86_400_000

export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MILLIS).toISOString().slice(0, 10)

export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()

export const monthOf = (day: string): string => day.slice(0, 7)

/** Every day from one to another, both included. */
export const daysFrom = (first: string, last: string): string[] => {
  const days = []
  for (let day = first; day <= last; day = plusDays(day, 1)) days.push(day)
  return days
}

export const lastDayOf = (month: string): string => {
  let day = `${month}-28`
  while (monthOf(plusDays(day, 1)) === month) day = plusDays(day, 1)
  return day
}

export const later = (one: string, other: string): string => (one > other ? one : other)
export const sooner = (one: string, other: string): string => (one < other ? one : other)

const clocks = new Map<string, Intl.DateTimeFormat>()

/** What the clocks of the zone show, in milliseconds as if they were those of UTC. */
const shownAt = (millis: number, zone: string): number => {
  let clock = clocks.get(zone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    clocks.set(zone, clock)
  }
  return Date.parse(`${clock.format(millis).replace(' ', 'T')}Z`)
}

const instants = new Map<string, string>()

/** The instant of a local time. One that the clocks skip is later by what they skip; of one that they show twice, the first. */
export const instantOf = (day: string, time: string, zone: string): string => {
  const key = `${day} ${time} ${zone}`
  const known = instants.get(key)
  if (known !== undefined) return known
  const local = Date.parse(`${day}T${time}:00Z`)
  const ahead = (at: number): number => shownAt(at, zone) - at
  const [before, after] = [local - ahead(local - DAY_MILLIS), local - ahead(local + DAY_MILLIS)]
  const found = shownAt(before, zone) !== local && shownAt(after, zone) === local ? after : before
  const instant = new Date(found).toISOString()
  instants.set(key, instant)
  return instant
}

/** The day on which an instant lies there. */
export const dayOf = (instant: string, zone: string): string =>
  new Date(shownAt(Math.floor(Date.parse(instant) / 1000) * 1000, zone)).toISOString().slice(0, 10)
