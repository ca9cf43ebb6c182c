import { addDays } from '#kernel/time/zone.ts'

/** Days, both included; null: without an end on that side. */
export interface Days {
  from: string | null
  to: string | null
}

/** Days that begin and end. */
export interface Span {
  from: string
  to: string
}

/** A student in a group, as far as it says who is charged. */
export interface Stay extends Days {
  from: string
  group: Days & {
    /** It is completed, and nobody said when. */
    isOver: boolean
    /** The day from which it does not take place; null: it does. */
    cancelledFrom: string | null
  }
  pauses: readonly Days[]
}

/** Why somebody is not charged for days on which they are not in force. */
export type Absence = 'paused' | 'group_cancelled' | 'group_over' | 'group_not_begun' | 'enrolled_later' | 'left_before'

const later = (one: string, other: string | null): string => (other !== null && other > one ? other : one)
const earlier = (one: string, other: string | null): string => (other !== null && other < one ? other : one)

/** For a group that was cancelled, and nobody knows when. */
export const EVER = '0000-01-01'

/** The days that a span has in common with others; undefined: none. */
export const within = ({ from, to }: Span, ...others: readonly Days[]): Span | undefined => {
  const span = { from, to }
  for (const other of others) {
    span.from = later(span.from, other.from)
    span.to = earlier(span.to, other.to)
  }
  return span.from <= span.to ? span : undefined
}

/** The span without the days of a pause. */
const without = (span: Span, pause: Days): Span[] => {
  const paused = within(span, pause)
  if (!paused) return [span]
  return [
    ...(paused.from > span.from ? [{ from: span.from, to: addDays(paused.from, -1) }] : []),
    ...(paused.to < span.to ? [{ from: addDays(paused.to, 1), to: span.to }] : []),
  ]
}

const isBefore = (day: string | null, other: string): boolean => day !== null && day < other

/** The days of a period on which a stay is in force, or why it is on none. */
export const daysInForce = (period: Span, { group, pauses, ...stay }: Stay): readonly Span[] | Absence => {
  const { cancelledFrom } = group
  if (cancelledFrom !== null && cancelledFrom <= period.from) return 'group_cancelled'
  if (group.isOver || isBefore(group.to, period.from)) return 'group_over'
  if (group.from !== null && group.from > period.to) return 'group_not_begun'
  // Also who changed their mind before their first day.
  if (isBefore(stay.to, period.from) || isBefore(stay.to, stay.from)) return 'left_before'
  if (stay.from > period.to) return 'enrolled_later'
  const both = within(period, stay, group)
  if (!both) return isBefore(group.to, stay.from) ? 'group_over' : 'group_not_begun'
  const held = cancelledFrom === null ? both : within(both, { from: null, to: addDays(cancelledFrom, -1) })
  if (!held) return 'group_cancelled'
  const spans = pauses.reduce<Span[]>((left, pause) => left.flatMap((span) => without(span, pause)), [held])
  return spans.length > 0 ? spans : 'paused'
}
