import { localInstant } from '#kernel/time/zone.ts'
import { datesOf, type WeeklyRule, type Window } from '#shared/occurrences.ts'

/** One meeting of a rule; local date and start time identify it within its group. */
export interface Occurrence {
  date: string
  startTime: string
  start: string
  end: string
}

/** The occurrences of the rules on the dates `from` to `until`, both inclusive, in order of time. */
export function occurrencesOf(rules: readonly WeeklyRule[], window: Window, zone: string): Occurrence[] {
  // Many rules of a schedule have the same dates: compute them once.
  const dates = new Map<string, string[]>()
  return rules
    .flatMap((rule) => {
      const key = `${rule.weekday} ${rule.validFrom} ${rule.validTo}`
      const own = dates.get(key) ?? datesOf(rule, window)
      dates.set(key, own)
      return own.map((date) => occurrence(rule, date, zone))
    })
    .toSorted((a, b) => compareTexts(a.date, b.date) || compareTexts(a.startTime, b.startTime))
}

function occurrence(rule: WeeklyRule, date: string, zone: string): Occurrence {
  const start = localInstant(date, rule.startTime, zone)
  const end = localInstant(date, rule.endTime, zone)
  return { date, startTime: rule.startTime, start, end: end > start ? end : afterItsLength(rule, start) }
}

/**
 * When a clock change skips the start of a meeting, the start moves forward and may reach the end: then the meeting
 * keeps the length of its rule.
 */
function afterItsLength(rule: WeeklyRule, start: string): string {
  const length = Date.parse(`1970-01-01T${rule.endTime}Z`) - Date.parse(`1970-01-01T${rule.startTime}Z`)
  return new Date(Date.parse(start) + length).toISOString()
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
