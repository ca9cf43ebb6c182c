import type { Row } from '#runtime/records/records.ts'

/** What charges a fee schedule: billing runs, the first invoice of whoever is registered, or an invoice made by hand. */
export const CHARGED_BY = ['run', 'registration', 'hand'] as const
type ChargedBy = (typeof CHARGED_BY)[number]

type Rules = Pick<Row<'fee_schedule'>, 'kind' | 'recurrence' | 'group_id' | 'course_id'>

export const chargedBy = ({ kind, recurrence, group_id: groupId, course_id: courseId }: Rules): ChargedBy => {
  if (kind === 'registration') return 'registration'
  // Without one of both it is of no group.
  const isOfGroups = kind === 'per_group' && (groupId !== null || courseId !== null)
  if (recurrence === 'once') return isOfGroups ? 'registration' : 'hand'
  // A group gives nobody access to its course: without the course, it is nobody’s.
  return isOfGroups || (kind === 'per_course' && courseId !== null) ? 'run' : 'hand'
}
