import { localDate } from '#kernel/time/zone.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { fullName } from '#modules/people/index.ts'
import { endOfFormer, lastDayOf, type FormerGroup } from './former.ts'
import type { LEFT_OUT } from './schemas.ts'

/** Somebody who is in a group, or was, and may go on in the new one. */
export interface Candidate {
  studentId: string
  name: string
  /** What speaks against it; null: nothing. */
  obstacle: (typeof LEFT_OUT)[number] | null
  priceMinor: number
  currency: Currency
  /** Whether the price was agreed upon, and is not the fee of the group. */
  isAgreed: boolean
}

const readEnrolled = ({ whole }: Tx, groupIds: readonly string[]) =>
  whole
    .selectFrom('enrollment')
    .innerJoin('student', 'student.id', 'enrollment.student_id')
    .select(['enrollment.group_id', 'enrollment.student_id', 'enrollment.status', 'enrollment.ended_at'])
    .select('enrollment.completed_at')
    .select(['enrollment.price_minor', 'enrollment.currency', 'enrollment.price_overridden'])
    .select(['student.first_name', 'student.last_name', 'student.status as student_status'])
    .select(['student.left_on', 'student.leaving_as'])
    .where('enrollment.group_id', 'in', groupIds)
    .orderBy('enrollment.enrolled_at')
    .orderBy('enrollment.id')
    .execute()

type Enrolled = Awaited<ReturnType<typeof readEnrolled>>[number]

/** Who has a place already in a group of these courses that begins later, as `<course> <student>`, and since when. */
const readLater = async ({ whole }: Tx, groups: readonly FormerGroup[]): Promise<Map<string, string>> => {
  const courses = [...new Set(groups.map(({ course_id: id }) => id))]
  const rows = await whole
    .selectFrom('enrollment')
    .innerJoin('group', 'group.id', 'enrollment.group_id')
    .select(['enrollment.student_id', 'group.course_id', 'group.starts_on'])
    .where('group.course_id', 'in', courses)
    .where('group.status', 'in', ['planned', 'active'])
    .where('group.starts_on', 'is not', null)
    .where('enrollment.status', '=', 'active')
    .where(
      'group.id',
      'not in',
      groups.map(({ id }) => id),
    )
    .execute()
  const latest = new Map<string, string>()
  for (const { course_id: courseId, student_id: studentId, starts_on: startsOn } of rows) {
    const key = `${courseId} ${studentId}`
    if (startsOn !== null && startsOn > (latest.get(key) ?? '')) latest.set(key, startsOn)
  }
  return latest
}

const RANK = { active: 2, completed: 1, dropped: 0 } as const

/** Of several enrollments of one student in a group the one that lasts counts, and of those the latest. */
const lasting = (rows: readonly Enrolled[]): Enrolled[] => {
  const kept = new Map<string, Enrolled>()
  for (const row of rows) {
    const known = kept.get(row.student_id)
    if (!known || RANK[row.status] >= RANK[known.status]) kept.set(row.student_id, row)
  }
  return [...kept.values()]
}

/** Who is or was in the groups, in the order in which they came. */
export const readCandidates = async (
  tx: Tx,
  groups: readonly FormerGroup[],
  startsOn: string,
): Promise<Map<string, Candidate[]>> => {
  const rows = await readEnrolled(
    tx,
    groups.map(({ id }) => id),
  )
  const byGroup = Map.groupBy(rows, (row) => row.group_id)
  const later = await readLater(tx, groups)
  const { timezone } = tx.tenant
  /** Whether a place ended without its group, or is going to: whoever was completed with it, or after, has not left. */
  const hasLeft = (group: FormerGroup, row: Enrolled): boolean => {
    if (row.status === 'active') return row.ended_at !== null && localDate(row.ended_at, timezone) < startsOn
    if (row.completed_at === null || group.status !== 'completed') return true
    return localDate(row.completed_at, timezone) < endOfFormer(group, { startsOn, timezone })
  }
  const obstacleOf = (group: FormerGroup, row: Enrolled): Candidate['obstacle'] => {
    const lastDay = lastDayOf(group, startsOn)
    if (hasLeft(group, row)) return 'left_before_end'
    if (row.leaving_as !== null && row.left_on !== null && row.left_on < startsOn) return row.leaving_as
    if (row.student_status === 'withdrawn' || row.student_status === 'graduated') return row.student_status
    if ((later.get(`${group.course_id} ${row.student_id}`) ?? '') > lastDay) return 'already_enrolled'
    return row.student_status === 'paused' ? 'paused' : null
  }
  return new Map(
    groups.map((group) => [
      group.id,
      lasting(byGroup.get(group.id) ?? []).map((row) => ({
        studentId: row.student_id,
        name: fullName(row),
        obstacle: obstacleOf(group, row),
        priceMinor: row.price_minor,
        currency: row.currency,
        isAgreed: row.price_overridden,
      })),
    ]),
  )
}
