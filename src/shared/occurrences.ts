import { addDays, weekdayOf } from './dates.ts'

/** On which dates a group meets, by its weekly times. */

/** A weekly meeting. Times are HH:MM in the institute's time zone, both dates are inclusive. */
export interface WeeklyRule {
  /** 0 to 6; 0 is Sunday. */
  weekday: number
  startTime: string
  endTime: string
  validFrom: string
  validTo: string | null
}

/** Dates from one to another, both inclusive. */
export interface Window {
  from: string
  until: string
}

/** Meetings are planned for today and so many days after it. */
export const WINDOW_DAYS = 56

const later = (one: string, other: string): string => (one > other ? one : other)
const sooner = (one: string, other: string | null): string => (other !== null && other < one ? other : one)

/** The dates for which the meetings of a group are planned, within its own first and last. */
export const windowOf = (
  today: string,
  { startsOn, endsOn }: { startsOn: string | null; endsOn: string | null },
  until = addDays(today, WINDOW_DAYS),
): Window => ({ from: later(today, startsOn ?? today), until: sooner(until, endsOn) })

/** The first meeting of a rule on a date or after it, as if the rule had no end. */
export const firstDateOf = ({ weekday, validFrom }: WeeklyRule, date: string): string => {
  const from = later(validFrom, date)
  return addDays(from, (weekday - weekdayOf(from) + 7) % 7)
}

/** The dates of a rule's meetings, in order. */
export const datesOf = (rule: WeeklyRule, { from, until }: Window): string[] => {
  const last = sooner(until, rule.validTo)
  const dates = []
  for (let date = firstDateOf(rule, from); date <= last; date = addDays(date, 7)) dates.push(date)
  return dates
}

/** Whether two weekly meetings are at the same time on some date. */
export const meetAtOnce = (one: WeeklyRule, other: WeeklyRule): boolean => {
  if (one.weekday !== other.weekday || one.startTime >= other.endTime || other.startTime >= one.endTime) return false
  const first = firstDateOf(one, other.validFrom)
  return first <= sooner(first, one.validTo) && first <= sooner(first, other.validTo)
}

/**
 * The first two rules, by index, that give a group two meetings at once on some date. A meeting that begins when another
 * ends does not overlap it; nor do rules on different weekdays.
 */
export const overlappingRules = (rules: readonly WeeklyRule[]): [number, number] | undefined => {
  for (const [index, one] of rules.entries()) {
    const at = rules.findIndex((other, after) => after > index && meetAtOnce(one, other))
    if (at !== -1) return [index, at]
  }
  return undefined
}
