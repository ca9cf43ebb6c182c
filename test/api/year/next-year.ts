import { sooner } from './days.ts'
import type { Closure, Enrollment, Group, School, Student } from './facts.ts'
import { beginOf, closureOn, meets, occurrences } from './lessons.ts'
import { hasEnded } from './people.ts'

/** What becomes of groups that go on in a new year: by the rules alone. */

/** What the office chooses. */
export interface Choice {
  startsOn: string
  endsOn: string
  keepTimes: boolean
  keepTeachers: boolean
  priceRule: 'keep' | 'group_default'
  /** null: all go on. */
  studentIds: readonly string[] | null
  except: readonly { groupId: string; studentId: string }[]
}

export interface GoesOn {
  student: string
  /** Why the student does not; null: they do. */
  leftOut: string | null
  priceMinor: number
  isAgreed: boolean
}

export interface NextGroup {
  former: Group
  times: Pick<Group['rules'][number], 'weekday' | 'startTime' | 'endTime'>[]
  lessons: number
  closedLessons: number
  /** null: nobody. */
  teacher: string | null
  students: GoesOn[]
}

/** Of several stays of a student in a group: one that lasts, else one that was completed, else the last that was dropped. */
const lastingOf = (stays: readonly Enrollment[], today: string): Enrollment => {
  const rank = (one: Enrollment): number => {
    if (!hasEnded(one, today)) return 2
    return one.ending === 'completed' ? 1 : 0
  }
  return stays.reduce((best, one) => (rank(one) >= rank(best) ? one : best))
}

/** The last day on which a group took place: of one that was completed early, that day. */
const lastDayOf = ({ endsOn, closedOn }: Group): string => sooner(endsOn, closedOn ?? endsOn)

/** Whether a stay is over that did not end with the group, or is going to be before the new year begins. */
const hasLeft = (one: Enrollment, group: Group, { today, choice }: Pick<About, 'today' | 'choice'>): boolean => {
  if (one.to === null) return false
  if (!hasEnded(one, today)) return one.to.day < choice.startsOn
  const isWithGroup = one.ending === 'completed' && group.status === 'completed'
  return isWithGroup ? one.to.day < lastDayOf(group) : true
}

interface About {
  choice: Choice
  /** All groups that go on together. */
  together: readonly Group[]
  today: string
}

const whyNot = (
  { enrollments, groups }: School,
  student: Student,
  { one, group, choice, together, today }: About & { one: Enrollment; group: Group },
): string | null => {
  if (hasLeft(one, group, { today, choice })) return 'left_before_end'
  if (student.status === 'withdrawn' || (student.leavesOn !== null && student.leavesOn < choice.startsOn)) {
    return 'withdrawn'
  }
  const others = groups.filter(
    (other) =>
      other.course === group.course && meets(other) && other.startsOn > group.endsOn && !together.includes(other),
  )
  const isPlaced = enrollments.some(
    (other) => other.student === student.id && !hasEnded(other, today) && others.some(({ id }) => id === other.group),
  )
  if (isPlaced) return 'already_enrolled'
  const isNamed = choice.studentIds?.includes(student.id)
  if (student.status === 'paused' && !isNamed) return 'paused'
  const isExcepted = choice.except.some(({ groupId, studentId }) => groupId === group.id && studentId === student.id)
  return isExcepted || isNamed === false ? 'not_chosen' : null
}

/** Who goes on of a group; those who came first get the places. */
const goOn = (school: School, group: Group, about: About): GoesOn[] => {
  const stays = school.enrollments
    .filter((one) => one.group === group.id)
    .toSorted((a, b) => {
      const [first, second] = [a, b].map(({ from, id }) => `${beginOf(from, school.zone)} ${id}`) as [string, string]
      return first < second ? -1 : 1
    })
  let places = group.capacity ?? Number.POSITIVE_INFINITY
  return [...Map.groupBy(stays, ({ student }) => student)].map(([id, own]) => {
    const one = lastingOf(own, about.today)
    const student = school.students.find((other) => other.id === id) as Student
    let leftOut = whyNot(school, student, { one, group, ...about })
    if (leftOut === null && places === 0) leftOut = 'group_full'
    if (leftOut === null) places -= 1
    const isAgreed = about.choice.priceRule === 'keep' && one.isAgreed
    return { student: id, leftOut, priceMinor: isAgreed ? one.priceMinor : group.feeMinor, isAgreed }
  })
}

const isClosed = (school: School, group: Group, day: string): Closure | undefined =>
  closureOn(school, group.branch, day)

/** What has to become of these groups. */
export const expectedNext = (
  school: School,
  groups: readonly Group[],
  { choice, activeStaff, today }: { choice: Choice; activeStaff: ReadonlySet<string>; today: string },
): NextGroup[] =>
  groups.map((former) => {
    const { keepTimes, keepTeachers, startsOn, endsOn } = choice
    const rules = keepTimes ? former.rules : []
    const days = occurrences(
      rules.map((rule) => ({ ...rule, validFrom: startsOn, validTo: null })),
      startsOn,
      endsOn,
    ).map(({ date }) => date)
    const closed = days.filter((day) => isClosed(school, former, day)).length
    return {
      former,
      times: rules.map(({ weekday, startTime, endTime }) => ({ weekday, startTime, endTime })),
      lessons: days.length - closed,
      closedLessons: closed,
      teacher: keepTeachers && former.teacher !== null && activeStaff.has(former.teacher) ? former.teacher : null,
      students: goOn(school, former, { choice, together: groups, today }),
    }
  })
