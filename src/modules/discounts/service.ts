import type { InferOutput } from 'valibot'
import { failure, found, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { money } from '#kernel/values/money.ts'
import { hundredthsOf, PERCENT_RULE } from '#kernel/values/percent.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { fullName, guardianRecord, studentRecord } from '#modules/people/index.ts'
import { listOf, type ListContext } from '#runtime/records/lists.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  lockReferenced,
  lockRow,
  lockToDelete,
  recordOf,
  type Row,
} from '#runtime/records/records.ts'
import { isTooMuch } from './overlap.ts'
import { Discount, type DiscountChanges, type DiscountQuery, type NewDiscount } from './schemas.ts'

export const DiscountsAbovePrice = failure(
  'CONFLICT',
  'discounts_above_price',
  'With those that hold on the same days, more than 100 percent would be taken off: end one of them first.',
)

type DiscountRow = Row<'discount'>

interface Names {
  student_name: string | null
  guardian_name: string | null
  course_name: string | null
  group_name: string | null
}

type Worth = Pick<DiscountRow, 'kind' | 'value' | 'currency'>

const toDiscount = shows(Discount, {
  percent: ({ kind, value }: Worth) => (kind === 'percent' ? value / 100 : null),
  amount: ({ value, currency }: Worth) => (currency === null ? null : money(value, currency)),
})

const idsIn = (rows: readonly DiscountRow[], column: `${'student' | 'guardian' | 'course' | 'group'}_id`): string[] => [
  ...new Set(rows.flatMap((row) => row[column] ?? [])),
]

/** Adds the names of what the discounts name, as far as the caller reaches it. */
const withNames = async (db: ScopedDb, rows: readonly DiscountRow[]): Promise<(DiscountRow & Names)[]> => {
  const [studentIds, guardianIds] = [idsIn(rows, 'student_id'), idsIn(rows, 'guardian_id')]
  const [courseIds, groupIds] = [idsIn(rows, 'course_id'), idsIn(rows, 'group_id')]
  const students = db.selectFrom('student').select(['id', 'first_name', 'last_name']).where('id', 'in', studentIds)
  const guardians = db.selectFrom('guardian').select(['id', 'first_name', 'last_name']).where('id', 'in', guardianIds)
  const courses = db.selectFrom('course').select(['id', 'name']).where('id', 'in', courseIds)
  const groups = db.selectFrom('group').select(['id', 'name']).where('id', 'in', groupIds)
  const names = new Map<string, string>()
  const people = [
    ...(studentIds.length > 0 ? await students.execute() : []),
    ...(guardianIds.length > 0 ? await guardians.execute() : []),
  ]
  for (const row of people) names.set(row.id, fullName(row))
  const things = [
    ...(courseIds.length > 0 ? await courses.execute() : []),
    ...(groupIds.length > 0 ? await groups.execute() : []),
  ]
  for (const { id, name } of things) names.set(id, name)
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null))
  return rows.map((row) => ({
    ...row,
    student_name: nameOf(row.student_id),
    guardian_name: nameOf(row.guardian_id),
    course_name: nameOf(row.course_id),
    group_name: nameOf(row.group_id),
  }))
}

const discounts = listOf({
  filters: {
    studentId: 'discount.student_id',
    guardianId: 'discount.guardian_id',
    courseId: 'discount.course_id',
    groupId: 'discount.group_id',
    at: (eb, day: string) =>
      eb.and([
        eb('discount.valid_from', '<=', day),
        eb.or([eb('discount.valid_to', 'is', null), eb('discount.valid_to', '>=', day)]),
      ]),
  },
  from: (db) => db.selectFrom('discount').selectAll('discount'),
  // By the day from which they hold, so that one index gives the order and those that had begun on a day.
  order: {
    columns: ['discount.valid_from', 'discount.id'],
    direction: 'desc',
    position: (row) => [row.valid_from, row.id],
  },
  show: (row) => row,
})

/** The latest first day first. */
export const listDiscounts = async (
  context: ListContext<ScopedDb> & { query: InferOutput<typeof DiscountQuery> },
): Promise<Page<Discount>> => {
  const { data, nextCursor } = await discounts(context)
  return { data: (await withNames(context.db, data)).map(toDiscount), nextCursor }
}

/** @throws NotFound */
export const readDiscount = async (db: ScopedDb, id: string): Promise<Discount> => {
  const row = found(await db.selectFrom('discount').selectAll().where('id', '=', id).executeTakeFirst())
  return (await withNames(db, [row])).map(toDiscount)[0] as Discount
}

const discountRecord = recordOf('discount', { read: readDiscount })

interface Holder {
  studentId: string | null
  guardianId: string | null
}

/** @throws VALIDATION_ERROR unless one of the two is given */
const holderOf = ({ studentId, guardianId }: NewDiscount): Holder => {
  if (studentId === undefined && guardianId === undefined)
    throw invalid(['studentId'], 'This or guardianId is required.')
  if (studentId !== undefined && guardianId !== undefined) {
    throw invalid(['guardianId'], 'Must be left out with studentId.')
  }
  return { studentId: studentId ?? null, guardianId: guardianId ?? null }
}

/** Locks whose it is, so that no two at once come to more than all of a price. @throws NotFound, PersonErased */
const lockHolder = async (tx: Tx, { studentId, guardianId }: Holder): Promise<void> => {
  if (studentId !== null) await lockRow(tx, studentRecord, studentId)
  if (guardianId !== null) await lockRow(tx, guardianRecord, guardianId)
}

/** @throws VALIDATION_ERROR */
const worthOf = ({ tenant }: Tx, { kind, value, currency }: NewDiscount): Pick<DiscountRow, 'value' | 'currency'> => {
  if (kind === 'amount') {
    if (!Number.isInteger(value) || value === 0) throw invalid(['value'], 'Must be a whole amount of at least 1.')
    return { value, currency: currency ?? tenant.currency }
  }
  if (currency !== undefined) throw invalid(['currency'], 'Must be left out of a percentage.')
  const hundredths = hundredthsOf(value)
  if (hundredths === undefined) throw invalid(['value'], PERCENT_RULE)
  return { value: hundredths, currency: null }
}

/** @throws VALIDATION_ERROR */
const checkDays = (validFrom: string, validTo: string | null): void => {
  if (validTo !== null && validTo < validFrom) throw invalid(['validTo'], 'Must not be before validFrom.')
}

/** @throws DiscountsAbovePrice */
const checkSum = async (tx: Tx, one: Parameters<typeof isTooMuch>[1]): Promise<void> => {
  if (one.kind === 'percent' && (await isTooMuch(tx.whole, one))) throw DiscountsAbovePrice()
}

/** @throws NotFound for the student, the guardian, the course or the group, DiscountsAbovePrice, VALIDATION_ERROR */
export const createDiscount = async (tx: Tx, body: NewDiscount): Promise<Discount> => {
  const { kind, label, validFrom, validTo = null, courseId = null, groupId = null } = body
  const holder = holderOf(body)
  const worth = worthOf(tx, body)
  checkDays(validFrom, validTo)
  if (courseId !== null && groupId !== null) throw invalid(['groupId'], 'Must be left out with courseId.')
  await lockHolder(tx, holder)
  if (courseId !== null) await lockReferenced(tx, 'course', courseId)
  if (groupId !== null) await lockReferenced(tx, 'group', groupId)
  const fields = { ...holder, ...worth, kind, label, courseId, groupId, validFrom, validTo }
  await checkSum(tx, { id: null, ...fields })
  return createRecord(tx, discountRecord, fields)
}

/** @throws NotFound, DiscountsAbovePrice, VALIDATION_ERROR */
export const changeDiscount = async (tx: Tx, id: string, body: DiscountChanges): Promise<Discount> => {
  const { student_id: studentId, guardian_id: guardianId } = found(
    await tx.db.selectFrom('discount').select(['student_id', 'guardian_id']).where('id', '=', id).executeTakeFirst(),
  )
  await lockHolder(tx, { studentId, guardianId })
  const row = await lockRow(tx, discountRecord, id)
  const { validTo = row.valid_to } = body
  checkDays(row.valid_from, validTo)
  const { kind, value, course_id: courseId, group_id: groupId, valid_from: validFrom } = row
  await checkSum(tx, { id, studentId, guardianId, kind, value, courseId, groupId, validFrom, validTo })
  return changeRecord(tx, discountRecord, row, body)
}

/** @throws NotFound */
export const deleteDiscount = async (tx: Tx, id: string) =>
  deleteRecord(tx, discountRecord, await lockToDelete(tx, discountRecord, id))
