import { addDays } from '#kernel/time/zone.ts'
import { meetAtOnce, overlappingRules, type WeeklyRule } from '#shared/occurrences.ts'

const WEEK = 7

/**
 * The weekly times that a group had last: those of its last week with any. Where two of them meet at once, as one
 * followed the other within that week, the later one counts.
 */
export const lastTimes = (rules: readonly WeeklyRule[], lastDay: string): WeeklyRule[] => {
  const ended = rules.map((rule) => ({
    rule,
    end: rule.validTo !== null && rule.validTo < lastDay ? rule.validTo : lastDay,
  }))
  const latest = ended.reduce((most, { rule, end }) => (rule.validFrom <= end && end > most ? end : most), '')
  return ended.filter(({ rule, end }) => rule.validFrom <= end && end > addDays(latest, -WEEK)).map(({ rule }) => rule)
}

/** The same times from another day on, without an end of their own: the group has one. */
export const timesFrom = (rules: readonly WeeklyRule[], startsOn: string): WeeklyRule[] => {
  const moved: WeeklyRule[] = []
  for (const rule of rules.toSorted((one, other) => (one.validFrom < other.validFrom ? 1 : -1))) {
    const next = { ...rule, validFrom: startsOn, validTo: null }
    if (!overlappingRules([...moved, next])) moved.push(next)
  }
  return moved.toSorted((one, other) => one.weekday - other.weekday || (one.startTime < other.startTime ? -1 : 1))
}

/** What meets when, and what it takes. */
export interface Meeting {
  /** The group, as the plan names it. */
  of: { groupId: string | null; name: string }
  rule: WeeklyRule
  teacherStaffId: string | null
  /** Branch and room as one key; null: without a room. */
  room: string | null
}

export interface Clash {
  kind: 'teacher' | 'room'
  weekday: number
  startTime: string
  endTime: string
  groupId: string | null
  groupName: string
}

/** Which of the others take the teacher or the room of a meeting at its time. */
export const clashesOf = (meeting: Meeting, others: readonly Meeting[]): Clash[] =>
  others.flatMap((other): Clash[] => {
    if (!meetAtOnce(meeting.rule, other.rule)) return []
    const kinds: Clash['kind'][] = []
    if (meeting.teacherStaffId !== null && meeting.teacherStaffId === other.teacherStaffId) kinds.push('teacher')
    if (meeting.room !== null && meeting.room === other.room) kinds.push('room')
    const { weekday, startTime, endTime } = meeting.rule
    return kinds.map((kind) => ({
      kind,
      weekday,
      startTime,
      endTime,
      groupId: other.of.groupId,
      groupName: other.of.name,
    }))
  })
