import * as v from 'valibot'
import type { Address } from '#kernel/values/schema.ts'
import { ApiError } from '#kernel/values/errors.ts'
import {
  addFamily,
  changeStatus,
  changeStudent,
  countStudent,
  isInPlan,
  lockNewStudents,
  NewStudent,
  StudentChanges,
  studentRecord,
  type FamilyStudent,
} from '#modules/people/index.ts'
import { changesOf, findRow, isEmpty, type Row } from '#runtime/records/records.ts'
import { RowRefused } from '../complaints.ts'
import { GUARDIANS } from '../guardian-fields.ts'
import type { Values } from '../rows.ts'
import { branchNamed, usualBranch } from './branches.ts'
import { findStudent, studentKeys } from './find-student.ts'
import { familyOf, guardiansIn, type RowGuardian } from './guardians.ts'
import type { Kind, Outcome, Slice } from './kind.ts'
import { namesIn, taken as valid, wholeName } from './names.ts'

type Student = Row<'student'>

/** The fields of a student that a row fills as they are. */
const PLAIN = ['nationalId', 'phone', 'email', 'birthDate', 'gender', 'tags', 'notes'] as const

/** The students who count against the plan. */
const IN_PLAN = 'students in plan'

const countedOf = (status: Student['status'], isRegistered = false): number =>
  isInPlan({ status, from_registration: isRegistered }) ? 1 : 0

const fieldOf = (name: string): string => (name === 'address' ? 'line1' : name)

/** What a row says of a student; cells that are empty say nothing. */
const givenFields = async (slice: Slice, values: Values, before: Address | null) => {
  const branchId = await branchNamed(slice, 'students.write', values)
  const { line1, city } = values as Record<string, string | undefined>
  const place = { ...(line1 !== undefined && { line1 }), ...(city !== undefined && { city }) }
  return {
    ...Object.fromEntries(PLAIN.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]))),
    ...(Object.keys(place).length > 0 && { address: { ...before, ...place } }),
    ...(branchId !== undefined && { branchId }),
  }
}

/** @returns how many guardians are linked who were not before */
const add = async (slice: Slice, student: FamilyStudent, guardians: readonly RowGuardian[]): Promise<number> => {
  const students = slice.as('students.write')
  const tx = {
    students,
    get guardians() {
      return slice.as('guardians.write')
    },
  }
  const family = { guardians: familyOf(guardians, students.tenant.defaultLocale), students: [student] }
  return (await addFamily(tx, family, { caller: slice.caller })).linked
}

const create = async (slice: Slice, values: Values, guardians: readonly RowGuardian[]): Promise<Outcome> => {
  const body = valid(
    v.safeParse(NewStudent, {
      branchId: await usualBranch(slice, 'students.write'),
      ...wholeName(namesIn(values)),
      ...(values['studentNumber'] !== undefined && { studentNumber: values['studentNumber'] }),
      ...(await givenFields(slice, values, null)),
    }),
    fieldOf,
  )
  const status = (values['status'] as Student['status'] | undefined) ?? 'active'
  await add(slice, { added: body, origin: { status } }, guardians)
  slice.take(IN_PLAN, countedOf(status))
  return 'created'
}

const update = async (
  slice: Slice,
  row: Student,
  values: Values,
  guardians: readonly RowGuardian[],
): Promise<Outcome> => {
  const body = valid(
    v.safeParse(StudentChanges, { ...namesIn(values), ...(await givenFields(slice, values, row.address)) }),
    fieldOf,
  )
  const tx = slice.as('students.write')
  let isChanged = false
  if (!isEmpty(changesOf(row, body))) {
    await changeStudent(tx, slice.caller, { ...body, id: row.id })
    isChanged = true
  }
  const status = values['status'] as Student['status'] | undefined
  if (status !== undefined && status !== row.status) {
    await changeStatus(tx, row.id, { status })
    slice.take(IN_PLAN, countedOf(status) - countedOf(row.status, row.from_registration))
    isChanged = true
  }
  const linked = guardians.length === 0 ? 0 : await add(slice, { id: row.id }, guardians)
  return isChanged || linked > 0 ? 'updated' : 'unchanged'
}

/** @throws RowRefused for a student whom the caller does not reach */
export const reachedStudent = async (slice: Slice, id: string): Promise<Student> => {
  try {
    return await findRow(slice.as('students.write').db, studentRecord, id)
  } catch (error) {
    throw error instanceof ApiError ? new RowRefused('out_of_reach') : error
  }
}

export const students: Kind = {
  needs: (reader) => [
    { permission: 'students.write', field: null },
    ...GUARDIANS.flatMap((slot) => {
      const field = `${slot}Phone`
      return reader.has(field) ? [{ permission: 'guardians.write' as const, field }] : []
    }),
  ],
  required: [['firstName', 'fullName', 'studentNumber', 'nationalId']],
  keys: studentKeys,
  begin: (slice) => lockNewStudents(slice.as('students.write')),
  recall: async (slice, _rows, taken) => {
    const added = taken.get(IN_PLAN) ?? 0
    if (added !== 0) await countStudent(slice.as('students.write'), added)
  },
  apply: async (slice, values) => {
    const id = await findStudent(slice.as('students.write').whole, values)
    if (id === undefined) return create(slice, values, guardiansIn(values, namesIn(values) ?? {}))
    const row = await reachedStudent(slice, id)
    const guardians = guardiansIn(values, { lastName: row.last_name, ...namesIn(values) })
    return update(slice, row, values, guardians)
  },
}
