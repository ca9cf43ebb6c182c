import { dayOf, daysFrom, instantOf, later, sooner, weekdayOf } from './days.ts'
import type { Closure, Enrollment, Group, Lesson, Moment, Rule, School } from './facts.ts'

/** Which lessons take place, and who belongs in them: by the rules alone. */

export const startOf = ({ date, startTime, moved }: Lesson, zone: string): string =>
  moved?.start ?? instantOf(date, startTime, zone)

/** A lesson whose beginning the clocks skip keeps its length where its end would come first. */
export const endOf = (lesson: Lesson, zone: string): string => {
  if (lesson.moved) return lesson.moved.end
  const [start, end] = [startOf(lesson, zone), instantOf(lesson.date, lesson.endTime, zone)]
  if (end > start) return end
  const millis = Date.parse(`1970-01-01T${lesson.endTime}Z`) - Date.parse(`1970-01-01T${lesson.startTime}Z`)
  return new Date(Date.parse(start) + millis).toISOString()
}

export const dayOfLesson = (lesson: Lesson, zone: string): string => dayOf(startOf(lesson, zone), zone)

export const takesPlace = ({ state }: Lesson): boolean => state === 'scheduled' || state === 'held'

/** Whether a group has lessons still to come. */
export const meets = ({ status }: Group): boolean => status === 'planned' || status === 'active'

/** By what a branch is closed on a day: of several closures the first that began. */
export const closureOn = ({ closures }: School, branch: string, day: string): Closure | undefined =>
  closures
    .filter((one) => one.from <= day && day <= one.to && (one.branch === null || one.branch === branch))
    .toSorted((one, other) => (`${one.from} ${one.id}` < `${other.from} ${other.id}` ? -1 : 1))[0]

const isOutside = ({ startsOn, endsOn }: Group, day: string): boolean => day < startsOn || day > endsOn

const obstacleOf = (school: School, group: Group, lesson: Lesson, now: string): 'group' | 'closure' | null => {
  // What was still to come when the group ended does not come back when its day is over.
  if (!meets(group) && (startOf(lesson, school.zone) > now || lesson.by === 'group')) return 'group'
  if (isOutside(group, lesson.date)) return 'group'
  return closureOn(school, group.branch, dayOfLesson(lesson, school.zone)) ? 'closure' : null
}

/** Brings the lessons of a group in line with its dates, its status and the closed days. */
const settleGroup = (school: School, group: Group, now: string): void => {
  const { zone } = school
  for (const lesson of group.lessons) {
    if (lesson.state === 'held' || lesson.by === 'hand') continue
    const obstacle = obstacleOf(school, group, lesson, now)
    if (lesson.state === 'unmade') {
      // What is missing is made while it is not over.
      if (obstacle === null && endOf(lesson, zone) > now) Object.assign(lesson, { state: 'scheduled', by: null })
      else lesson.by = obstacle
      continue
    }
    if (obstacle === null) Object.assign(lesson, { state: 'scheduled', by: null })
    else {
      const isRemoved = obstacle === 'group' && !lesson.isTouched && startOf(lesson, zone) > now
      Object.assign(lesson, { state: isRemoved ? 'unmade' : 'cancelled', by: obstacle })
    }
  }
}

export const settle = (school: School, now: string): void => {
  for (const group of school.groups) settleGroup(school, group, now)
}

export const occurrences = (rules: readonly Rule[], first: string, last: string): Lesson[] =>
  rules.flatMap(({ weekday, startTime, endTime, validFrom, validTo }) =>
    daysFrom(later(first, validFrom), sooner(last, validTo ?? last))
      .filter((date) => weekdayOf(date) === weekday)
      .map((date) => ({
        date,
        startTime,
        endTime,
        moved: null,
        isTouched: false,
        state: 'unmade' as const,
        by: null,
      })),
  )

const slotOf = ({ date, startTime }: Lesson): string => `${date} ${startTime}`

/** The lessons that the weekly times ask for from today to the end of the group. */
export const plan = (school: School, group: Group, now: string): void => {
  const known = new Set(group.lessons.map(slotOf))
  const first = later(dayOf(now, school.zone), group.startsOn)
  const missing = occurrences(group.rules, first, group.endsOn).filter((lesson) => !known.has(slotOf(lesson)))
  // One that began and ended today before the times were said is none.
  group.lessons.push(...missing.filter((lesson) => endOf(lesson, school.zone) > now))
  settleGroup(school, group, now)
}

/** Whether a lesson is paid for; undefined: it is none of the lessons of its month. */
const isPaidFor = (school: School, group: Group, lesson: Lesson): boolean | undefined => {
  if (takesPlace(lesson)) return true
  const day = dayOfLesson(lesson, school.zone)
  const isSinceEnd = group.closedOn !== null && day >= group.closedOn
  if (group.status === 'cancelled' && (lesson.by === 'group' || (lesson.state === 'unmade' && isSinceEnd))) {
    return isOutside(group, lesson.date) ? undefined : false
  }
  if (lesson.by !== 'closure' || (lesson.state === 'unmade' && isSinceEnd)) return undefined
  return closureOn(school, group.branch, day)?.isBilled === true
}

/** On which days of a month a group has lessons that count for what a part of the month costs, and which are paid for. */
export const lessonDays = (school: School, group: Group, month: string): { day: string; isPaid: boolean }[] =>
  group.lessons
    .map((lesson) => ({
      day: dayOfLesson(lesson, school.zone),
      isPaid: isPaidFor(school, group, lesson),
    }))
    .flatMap(({ day, isPaid }) => (isPaid !== undefined && day.startsWith(month) ? [{ day, isPaid }] : []))

export const beginOf = ({ day, instant }: Moment, zone: string): string => instant ?? instantOf(day, '00:00', zone)
/** Nothing begins in the last moment of a day. */
const finishOf = ({ day, instant }: Moment, zone: string): string => instant ?? instantOf(day, '23:59', zone)

export const isPaused = ({ pauses }: School, student: string, day: string): boolean =>
  pauses.some((pause) => pause.student === student && pause.from <= day && (pause.to === null || day <= pause.to))

const isIn = ({ from, to }: Enrollment, instant: string, zone: string): boolean =>
  beginOf(from, zone) <= instant && (to === null || finishOf(to, zone) > instant)

/** Who belongs in a lesson: who was enrolled when it began and did not pause on its day, and who has an entry. */
export const rosterOf = (school: School, group: Group, lesson: Lesson): string[] => {
  const start = startOf(lesson, school.zone)
  const enrolled = school.enrollments
    .filter((one) => one.group === group.id && isIn(one, start, school.zone))
    .map(({ student }) => student)
    .filter((student) => !isPaused(school, student, dayOf(start, school.zone)))
  const marked = school.marks.filter((mark) => mark.lesson === lesson).map(({ student }) => student)
  return [...new Set([...enrolled, ...marked])]
}
