import type { Schemas } from '../../api/schemas.ts'
import { addDays } from '../../words/format.ts'
import { weekdayOf } from '../../words/zone.ts'

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

/** The server makes the lessons of so many days ahead. */
const DAYS_AHEAD = 56

export interface Lesson {
  date: string
  startTime: string
  endTime: string
}

const slotOf = ({ weekday, startTime, endTime }: Pick<WholeTime, 'weekday' | 'startTime' | 'endTime'>): string =>
  `${weekday} ${startTime.slice(0, 5)} ${endTime.slice(0, 5)}`

/** Its first lesson from a day on, as if it had no end. */
const firstFrom = ({ weekday, validFrom }: Rule, day: string): string => {
  const from = validFrom > day ? validFrom : day
  return addDays(from, (weekday - weekdayOf(from) + 7) % 7)
}

/** Whether it has a lesson on this day or later. */
const isCurrent = (rule: Rule, day: string): boolean => rule.validTo === null || firstFrom(rule, day) <= rule.validTo

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

/** The lessons of the next eight weeks, within the first and the last day of the group, in order of time. */
export const lessonsOf = (rules: readonly Rule[], { today, startsOn, endsOn }: Bounds): Lesson[] => {
  const first = startsOn !== null && startsOn > today ? startsOn : today
  const window = addDays(today, DAYS_AHEAD)
  const last = endsOn !== null && endsOn < window ? endsOn : window
  const lessons: Lesson[] = []
  for (const rule of rules) {
    const { startTime, endTime, validTo } = rule
    const until = validTo !== null && validTo < last ? validTo : last
    for (let date = firstFrom(rule, first); date <= until; date = addDays(date, 7))
      lessons.push({ date, startTime: startTime.slice(0, 5), endTime: endTime.slice(0, 5) })
  }
  return lessons.toSorted((a, b) => (`${a.date} ${a.startTime}` < `${b.date} ${b.startTime}` ? -1 : 1))
}

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

/** The first two times, by their places, that overlap. */
export const overlapping = (times: readonly WholeTime[]): number | undefined => {
  const at = times.findIndex((one, index) =>
    times.some(
      (other, before) =>
        before < index &&
        other.weekday === one.weekday &&
        other.startTime < one.endTime &&
        one.startTime < other.endTime,
    ),
  )
  return at === -1 ? undefined : at
}
