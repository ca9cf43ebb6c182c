import { addDays, localDate } from '#kernel/time/zone.ts'
import type { Row } from '#runtime/records/records.ts'

/** A group that goes on as another one, with the name of its course. */
export interface FormerGroup extends Row<'group'> {
  course_name: string
}

/** The last day of a group before another one goes on from `startsOn`: its own, else the day before. */
export const lastDayOf = ({ ends_on: endsOn }: Pick<Row<'group'>, 'ends_on'>, startsOn: string): string =>
  endsOn ?? addDays(startsOn, -1)

/** The last day on which a group took place: of one that was completed early, that day. */
export const endOfFormer = (
  group: Pick<Row<'group'>, 'ends_on' | 'status' | 'status_since'>,
  { startsOn, timezone }: { startsOn: string; timezone: string },
): string => {
  const [last, since] = [lastDayOf(group, startsOn), group.status_since]
  const completedOn = group.status === 'completed' && since !== null ? localDate(since, timezone) : last
  return completedOn < last ? completedOn : last
}
