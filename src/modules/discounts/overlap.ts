import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Row } from '#runtime/records/records.ts'

interface Percentage {
  /** null: it is new. */
  id: string | null
  studentId: string | null
  guardianId: string | null
  kind: Row<'discount'>['kind']
  /** In hundredths of a percent. */
  value: number
  courseId: string | null
  groupId: string | null
  validFrom: string
  validTo: string | null
}

/** A day, and what is charged for on it. */
interface Moment {
  day: string
  courseId: string | null
  groupId: string | null
}

const ALL = 10_000

/**
 * Whether there is a day, and something to charge for, of which the holder’s percentages would take more than all. It is
 * enough to look at the first day of each, and at what each is for.
 */
export const isTooMuch = async (whole: ScopedDb, one: Percentage): Promise<boolean> => {
  const { id, studentId, guardianId, value, validFrom, validTo } = one
  const held = whole.selectFrom('discount').selectAll().where('kind', '=', 'percent')
  const rows = await (
    studentId === null ? held.where('guardian_id', '=', guardianId) : held.where('student_id', '=', studentId)
  ).execute()
  const others = rows
    .filter((row) => row.id !== id)
    .map((row) => ({
      value: row.value,
      courseId: row.course_id,
      groupId: row.group_id,
      validFrom: row.valid_from,
      validTo: row.valid_to,
    }))
  const groupIds = [...others, one].flatMap(({ groupId }) => groupId ?? [])
  const groups =
    groupIds.length === 0
      ? []
      : await whole.selectFrom('group').select(['id', 'course_id']).where('id', 'in', groupIds).execute()
  const courseOf = new Map(groups.map((group) => [group.id, group.course_id]))
  const holds = (other: Omit<(typeof others)[number], 'value'>, { day, courseId, groupId }: Moment): boolean =>
    other.validFrom <= day &&
    (other.validTo === null || day <= other.validTo) &&
    (other.groupId === null || other.groupId === groupId) &&
    (other.courseId === null || other.courseId === courseId || other.courseId === courseOf.get(groupId ?? ''))
  const days = [validFrom, ...others.map((other) => other.validFrom)]
  const moments = [...others, one].flatMap(({ courseId, groupId }) => days.map((day) => ({ day, courseId, groupId })))
  return moments
    .filter((moment) => holds({ ...one, validFrom, validTo }, moment))
    .some((moment) => others.reduce((sum, other) => sum + (holds(other, moment) ? other.value : 0), value) > ALL)
}
