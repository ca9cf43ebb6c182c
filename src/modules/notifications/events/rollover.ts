import { unlinked } from '#shared/text.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { fullName } from '#modules/people/index.ts'
import type { RolloverNotice } from '#modules/rollover/index.ts'
import { findGuardiansOf, findStudents } from '../recipients/records.ts'
import { fillIn } from '../texts/render.ts'
import { STUDENTS_AT_ONCE } from './groups.ts'
import type { NotifierResult, Writing } from './occasion.ts'

/** A place that a student has in a new group. */
interface PlaceInGroup {
  studentId: string
  student: string
  groupId: string
  group: string
  course: string
}

const placesOf = async (
  whole: ScopedDb,
  rolloverId: string,
  studentIds: readonly string[],
): Promise<PlaceInGroup[]> => {
  const rows = await whole
    .selectFrom('enrollment')
    .innerJoin('group_continuation', 'group_continuation.to_group_id', 'enrollment.group_id')
    .innerJoin('group', 'group.id', 'enrollment.group_id')
    .innerJoin('course', 'course.id', 'group.course_id')
    .innerJoin('student', 'student.id', 'enrollment.student_id')
    .select(['student.id as student_id', 'student.first_name', 'student.last_name'])
    .select(['group.id as group_id', 'group.name as group_name', 'course.name as course_name'])
    .where('group_continuation.rollover_id', '=', rolloverId)
    .where('enrollment.student_id', 'in', studentIds)
    .where('enrollment.status', '=', 'active')
    .orderBy('student.first_name')
    .orderBy('student.last_name')
    .orderBy('student.id')
    .orderBy('group.name')
    .execute()
  return rows.map((row) => ({
    studentId: row.student_id,
    student: fullName(row),
    groupId: row.group_id,
    group: row.group_name,
    course: row.course_name,
  }))
}

/** When the groups have their first lessons. */
const firstLessons = async (whole: ScopedDb, groupIds: readonly string[]): Promise<Map<string, string>> => {
  if (groupIds.length === 0) return new Map()
  const rows = await whole
    .selectFrom('session')
    .select(({ fn }) => ['group_id', fn.min('scheduled_start').as('first')])
    .where('group_id', 'in', groupIds)
    .where('status', '=', 'scheduled')
    .groupBy('group_id')
    .execute()
  return new Map(rows.map((row) => [row.group_id, row.first]))
}

/** The other children of the guardians of these students: a guardian is told of all of them at once. */
const withSiblings = async (whole: ScopedDb, studentIds: readonly string[]): Promise<string[]> => {
  const rows = await whole
    .selectFrom('guardian_link as own')
    .innerJoin('guardian_link as other', 'other.guardian_id', 'own.guardian_id')
    .select('other.student_id')
    .distinct()
    .where('own.student_id', 'in', studentIds)
    .execute()
  return [...new Set([...studentIds, ...rows.map((row) => row.student_id)])]
}

/** Of which children each person is told, by the record and by its account. */
const childrenOf = (found: readonly { id: string; userId: string | null; studentId: string }[]) => {
  const children = new Map<string, Set<string>>()
  for (const { id, userId, studentId } of found) {
    for (const key of userId === null ? [id] : [id, userId]) {
      children.set(key, (children.get(key) ?? new Set()).add(studentId))
    }
  }
  return children
}

const lineOf = ({ student, group, course }: PlaceInGroup, first: string | undefined, writing: Writing): string => {
  const { f, words, locale } = writing
  const names = { student: unlinked(student), group: unlinked(group), course: unlinked(course) }
  return first === undefined
    ? fillIn(words.place.plain, names, locale)
    : fillIn(words.place.withLesson, { ...names, date: f.dayOf(first), time: f.time(first) }, locale)
}

/** In which groups the children of a family have places in the new year, for the next families: once for a person. */
export const noticedRollover = async (
  { whole }: Pick<Tx, 'whole'>,
  { noticeId, rolloverId, after }: RolloverNotice,
): Promise<NotifierResult> => {
  let enrolled = whole
    .selectFrom('enrollment')
    .innerJoin('group_continuation', 'group_continuation.to_group_id', 'enrollment.group_id')
    .select('enrollment.student_id')
    .distinct()
    .where('group_continuation.rollover_id', '=', rolloverId)
    .where('enrollment.status', '=', 'active')
  if (after !== null) enrolled = enrolled.where('enrollment.student_id', '>', after)
  const rows = await enrolled.orderBy('enrollment.student_id').limit(STUDENTS_AT_ONCE).execute()
  const ids = rows.map((row) => row.student_id)
  if (ids.length === 0) return { occasions: [], next: null }
  const places = await placesOf(whole, rolloverId, await withSiblings(whole, ids))
  const told = [...new Set(places.map(({ studentId }) => studentId))]
  const firsts = await firstLessons(whole, [...new Set(places.map(({ groupId }) => groupId))])
  const students = (await findStudents(whole, told)).map((student) => ({ ...student, studentId: student.id }))
  const recipients = [...students, ...(await findGuardiansOf(whole, told))]
  const children = childrenOf(recipients)
  return {
    occasions: [
      {
        sourceId: noticeId,
        templateKey: 'group.continues',
        branchId: null,
        payload: {},
        recipients,
        values: (writing) => ({
          places: places
            .filter(({ studentId }) => children.get(writing.person.id)?.has(studentId) ?? false)
            .map((place) => lineOf(place, firsts.get(place.groupId), writing))
            .join('\n'),
        }),
      },
    ],
    next: ids.length === STUDENTS_AT_ONCE ? (ids.at(-1) ?? null) : null,
  }
}
