import { addDays, compareDates, localInstant, weekdayOf } from '#kernel/zone.ts'

/** A weekly meeting of a group. Times are HH:MM in the institute's time zone, both dates are inclusive. */
export interface ScheduleRule {
  /** 0 to 6; 0 is Sunday. */
  weekday: number
  startTime: string
  endTime: string
  validFrom: string
  validTo: string | null
}

/** One meeting of a rule; local date and start time identify it within its group. */
export interface Occurrence {
  date: string
  startTime: string
  start: string
  end: string
}

/** The occurrences of the rules on the dates `from` to `until`, both inclusive, in order of time. */
export function occurrencesOf(
  rules: readonly ScheduleRule[],
  { from, until }: { from: string; until: string },
  zone: string,
): Occurrence[] {
  // Many rules of a schedule have the same dates: compute them once.
  const dates = new Map<string, string[]>()
  return rules
    .flatMap((rule) => {
      const key = `${rule.weekday} ${rule.validFrom} ${rule.validTo}`
      const own = dates.get(key) ?? datesOf(rule, from, until)
      dates.set(key, own)
      return own.map((date) => occurrence(rule, date, zone))
    })
    .toSorted((a, b) => compareTexts(a.date, b.date) || compareTexts(a.startTime, b.startTime))
}

/**
 * The first two rules, by index, that give the group two meetings at once on some date. A meeting that begins when
 * another ends does not overlap it; nor do rules on different weekdays.
 */
export function overlappingRules(rules: readonly ScheduleRule[]): [number, number] | undefined {
  for (const [i, a] of rules.entries()) {
    const j = rules.findIndex((b, index) => index > i && overlap(a, b))
    if (j !== -1) return [i, j]
  }
  return undefined
}

function overlap(a: ScheduleRule, b: ScheduleRule): boolean {
  if (a.weekday !== b.weekday || a.startTime >= b.endTime || b.startTime >= a.endTime) return false
  const first = firstOn(a.weekday, later(a.validFrom, b.validFrom))
  return isWithin(first, a.validTo) && isWithin(first, b.validTo)
}

function datesOf(rule: ScheduleRule, from: string, until: string): string[] {
  const dates = []
  let date = firstOn(rule.weekday, later(from, rule.validFrom))
  for (; isWithin(date, until) && isWithin(date, rule.validTo); date = addDays(date, 7)) dates.push(date)
  return dates
}

function occurrence(rule: ScheduleRule, date: string, zone: string): Occurrence {
  const start = localInstant(date, rule.startTime, zone)
  const end = localInstant(date, rule.endTime, zone)
  return { date, startTime: rule.startTime, start, end: end > start ? end : afterItsLength(rule, start) }
}

/**
 * When a clock change skips the start of a meeting, the start moves forward and may reach the end: then the meeting
 * keeps the length of its rule.
 */
function afterItsLength(rule: ScheduleRule, start: string): string {
  const length = Date.parse(`1970-01-01T${rule.endTime}Z`) - Date.parse(`1970-01-01T${rule.startTime}Z`)
  return new Date(Date.parse(start) + length).toISOString()
}

function firstOn(weekday: number, date: string): string {
  return addDays(date, (weekday - weekdayOf(date) + 7) % 7)
}

function later(a: string, b: string): string {
  return compareDates(a, b) < 0 ? b : a
}

function isWithin(date: string, last: string | null): boolean {
  return last === null || compareDates(date, last) <= 0
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
