import { compiledInTenant } from '#db/queries/compiled.ts'
import { ApiError } from '#kernel/values/errors.ts'
import { fold } from '#shared/text.ts'
import { localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { enroll, removePlaces } from '#modules/groups/index.ts'
import { fullName } from '#modules/people/index.ts'
import { digitsOf, writeMoney } from '#shared/typed.ts'
import { reasonNamed, RowRefused } from '../complaints.ts'
import type { Values } from '../rows.ts'
import { findStudent, studentKeys } from './find-student.ts'
import { oneByOne, type Kind, type Slice } from './kind.ts'
import { reachedStudent } from './students.ts'

const groupsOf = (slice: Slice) =>
  slice.once('groups', async () => {
    const rows = await slice
      .as('enrollments.write')
      .db.selectFrom('group')
      .innerJoin('course', 'course.id', 'group.course_id')
      .select(['group.id', 'group.name', 'group.status', 'course.name as course_name', 'course.code as course_code'])
      .execute()
    return Map.groupBy(rows, ({ name }) => fold(name))
  })

/** The group that a row names; of several, those that take students come first. */
const findGroup = async (slice: Slice, { group: name, course }: Values): Promise<string | RowRefused> => {
  if (name === undefined) return new RowRefused('missing', 'group')
  const named = (await groupsOf(slice)).get(fold(name as string)) ?? []
  const key = course === undefined ? undefined : fold(course as string)
  const ofCourse = named.filter(
    ({ course_name: title, course_code: code }) =>
      key === undefined || fold(title) === key || (code !== null && fold(code) === key),
  )
  const open = ofCourse.filter(({ status }) => status === 'planned' || status === 'active')
  const [group, another] = open.length > 0 ? open : ofCourse
  if (!group) return new RowRefused('unknown_group', 'group')
  if (another) return new RowRefused('ambiguous', 'group')
  return group.id
}

const activeIn = compiledInTenant((whole, { studentId, groupId }: { studentId: string; groupId: string }) =>
  whole
    .selectFrom('enrollment')
    .select(['id', 'enrolled_at', 'price_minor', 'currency'])
    .where('student_id', '=', studentId)
    .where('group_id', '=', groupId)
    .where('status', '=', 'active'),
)

/** What the group refuses, and not the student or the price. */
const OF_GROUP = new Set(['cannot_enroll', 'group_full', 'already_enrolled', 'not_found'])

export const enrollments: Kind = {
  needs: () => [{ permission: 'enrollments.write', field: null }],
  required: [['group'], ['studentNumber', 'nationalId', 'phone', 'birthDate']],
  keys: studentKeys,
  recall: async (slice, rows, taken) => {
    const tx = slice.as('enrollments.write')
    const groupIds = new Set<string>()
    for (const values of rows) {
      const group = await findGroup(slice, values)
      if (typeof group === 'string') groupIds.add(group)
    }
    for (const groupId of groupIds) {
      const places = taken.get(groupId) ?? 0
      if (places === 0) continue
      await removePlaces(tx, groupId, places)
    }
  },
  apply: oneByOne(async (slice, values) => {
    const tx = slice.as('enrollments.write')
    const id = await findStudent(tx.whole, values)
    if (id === undefined) throw new RowRefused('unknown_student')
    const { id: studentId } = await reachedStudent(slice, id)
    const groupId = await findGroup(slice, values)
    if (typeof groupId !== 'string') throw groupId
    const { enrolledAt: day, price } = values as { enrolledAt?: string; price?: number }
    if (day !== undefined && day > tx.today) throw new RowRefused('in_future', 'enrolledAt')
    if (price !== undefined && price < 0) throw new RowRefused('negative_amount', 'price')
    if ((await activeIn(tx.whole, { studentId, groupId })).length > 0) return 'unchanged'
    await enroll(tx, {
      studentId,
      groupId,
      ...(price !== undefined && { priceMinor: price }),
      ...(day !== undefined && { enrolledAt: startOfLocalDay(day, tx.tenant.timezone) }),
    }).catch((error: unknown) => {
      const isOfGroup = error instanceof ApiError && OF_GROUP.has(error.spec.name)
      throw isOfGroup ? new RowRefused(reasonNamed(error.spec.name), 'group') : error
    })
    // A place in the group.
    slice.take(groupId, 1)
    return 'created'
  }),
  stands: async (slice, values) => {
    const { whole, tenant } = slice.as('enrollments.write')
    const [id, groupId] = [await findStudent(whole, values), await findGroup(slice, values)]
    if (id === undefined || typeof groupId !== 'string') return {}
    const student = await reachedStudent(slice, id)
    const [enrollment] = await activeIn(whole, { studentId: student.id, groupId })
    if (!enrollment) return {}
    const { currency, price_minor: price, enrolled_at: at } = enrollment
    return {
      studentNumber: student.student_number,
      fullName: fullName(student),
      group: values['group'] as string,
      enrolledAt: localDate(at, tenant.timezone),
      price: `${writeMoney(price, digitsOf(currency))} ${currency}`,
    }
  },
}
