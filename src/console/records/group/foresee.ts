import type { Schemas } from '../../api/schemas.ts'
import { addDays } from '../../../shared/dates.ts'
import { datesOf, firstDateOf, overlappingRules, windowOf } from '../../../shared/occurrences.ts'

/** The weekly times of a group, and the lessons that they ask for, before anything is saved. */

type Rule = Omit<Schemas['ScheduleRule'], 'id' | 'groupId'>

/** One of the weekly times as it is typed. */
export interface WeeklyTime {
  /** Tells the lines apart while they are typed. */
  key: string
  /** 0 to 6, 0 being Sunday. */
  weekday: number
  /** HH:MM; null: none is typed yet. */
  startTime: string | null
  endTime: string | null
}

export type WholeTime = WeeklyTime & { startTime: string; endTime: string }

export interface Lesson {
  date: string
  startTime: string
  endTime: string
}

const slotOf = ({ weekday, startTime, endTime }: Pick<WholeTime, 'weekday' | 'startTime' | 'endTime'>): string =>
  `${weekday} ${startTime.slice(0, 5)} ${endTime.slice(0, 5)}`

/** Whether it has a lesson on this day or later. */
const isCurrent = (rule: Rule, day: string): boolean => rule.validTo === null || firstDateOf(rule, day) <= rule.validTo

/** The weekly times that hold now or later, each once, in the order of the week. */
export const timesOf = (rules: readonly Rule[], today: string): WholeTime[] => {
  const current = rules.filter((rule) => isCurrent(rule, today))
  const bySlot = new Map(
    current.map((rule) => {
      const { weekday, startTime, endTime } = rule
      return [
        slotOf(rule),
        { key: slotOf(rule), weekday, startTime: startTime.slice(0, 5), endTime: endTime.slice(0, 5) },
      ]
    }),
  )
  return [...bySlot.values()].toSorted((a, b) => a.weekday - b.weekday || (a.startTime < b.startTime ? -1 : 1))
}

/**
 * The rules by which these times hold from a day on: what stays is left as it is, what is gone ends on the day before, and
 * what is past is kept.
 */
export const rulesFrom = (
  before: readonly Rule[],
  times: readonly WholeTime[],
  { from, today }: { from: string; today: string },
): Rule[] => {
  const wanted = new Map(times.map((time) => [slotOf(time), time]))
  const dayBefore = addDays(from, -1)
  const kept = before.flatMap(({ weekday, startTime, endTime, validFrom, validTo }): Rule[] => {
    const rule = { weekday, startTime: startTime.slice(0, 5), endTime: endTime.slice(0, 5), validFrom, validTo }
    if (!isCurrent(rule, today)) return [rule]
    if (wanted.delete(slotOf(rule)) || times.some((time) => slotOf(time) === slotOf(rule))) return [rule]
    const ended = { ...rule, validTo: validTo !== null && validTo < dayBefore ? validTo : dayBefore }
    return isCurrent(ended, validFrom) ? [ended] : []
  })
  const added = [...wanted.values()].map(({ weekday, startTime, endTime }) => ({
    weekday,
    startTime,
    endTime,
    validFrom: from,
    validTo: null,
  }))
  return [...kept, ...added]
}

interface Bounds {
  today: string
  startsOn: string | null
  endsOn: string | null
}

/** The lessons that are planned, in order of time. */
export const lessonsOf = (rules: readonly Rule[], { today, ...group }: Bounds): Lesson[] =>
  rules
    .flatMap((rule) => {
      const { startTime, endTime } = rule
      const times = { startTime: startTime.slice(0, 5), endTime: endTime.slice(0, 5) }
      return datesOf(rule, windowOf(today, group)).map((date) => ({ date, ...times }))
    })
    .toSorted((a, b) => (`${a.date} ${a.startTime}` < `${b.date} ${b.startTime}` ? -1 : 1))

const momentOf = ({ date, startTime }: Lesson): string => `${date} ${startTime}`

/** Which lessons come to those that there were, and which are gone. */
export const difference = (
  before: readonly Lesson[],
  after: readonly Lesson[],
): { added: Lesson[]; gone: Lesson[] } => {
  const [had, has] = [new Set(before.map(momentOf)), new Set(after.map(momentOf))]
  return {
    added: after.filter((lesson) => !had.has(momentOf(lesson))),
    gone: before.filter((lesson) => !has.has(momentOf(lesson))),
  }
}

/** Of the first two times that overlap, the place of the second. */
export const overlapping = (times: readonly WholeTime[]): number | undefined =>
  overlappingRules(times.map((time) => ({ ...time, validFrom: '0000-01-01', validTo: null })))?.[1]
