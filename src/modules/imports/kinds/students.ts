import * as v from 'valibot'
import type { Address } from '#kernel/values/schema.ts'
import { ApiError } from '#kernel/values/errors.ts'
import {
  addFamilies,
  changeStatus,
  changeStudent,
  countStudent,
  fullName,
  isInPlan,
  lockNewStudents,
  NewStudent,
  StudentChanges,
  studentRecord,
  type FamilyPart,
  type FamilyStudent,
} from '#modules/people/index.ts'
import { changesOf, findRow, isEmpty, type Row } from '#runtime/records/records.ts'
import { RowRefused } from '../complaints.ts'
import { GUARDIANS } from '../guardian-fields.ts'
import type { Values } from '../rows.ts'
import { branchName, branchNamed, usualBranch } from './branches.ts'
import { findStudent, NobodyHas, RowsToAdd, studentKeys } from './find-student.ts'
import { familyOf, guardiansIn, holdersOf, linkedTo, ofGuardian, type InRow, type RowGuardian } from './guardians.ts'
import type { Outcome } from '../preview.ts'
import type { Kind, Slice } from './kind.ts'
import { namesIn, taken as valid, wholeName, type Names } from './names.ts'

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

interface Guardians {
  guardians: readonly RowGuardian[]
  /** Whether whoever has a phone is linked, whatever their name. */
  isAnyName: boolean
}

/** What a row adds. */
interface NewFamily {
  values: Values
  guardians: readonly InRow[]
  student: FamilyStudent
}

const addAll = (slice: Slice, families: readonly NewFamily[]) => {
  const tx = {
    students: slice.as('students.write'),
    get guardians() {
      return slice.as('guardians.write')
    },
  }
  const inPart = <T>(family: number, [kind, at]: FamilyPart, work: () => Promise<T>): Promise<T> =>
    kind === 'guardian' ? ofGuardian(families[family]?.guardians[at] as InRow, work) : work()
  const asked = families.map(({ guardians, student }) => ({ guardians, students: [student] }))
  return addFamilies(tx, asked, { caller: slice.caller, inPart })
}

/** A new student whom a row names. @throws RowRefused */
const planned = async (
  slice: Slice,
  values: Values,
  { guardians, isAnyName }: Guardians,
): Promise<NewFamily & { status: Student['status'] }> => {
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
  const family = await familyOf(slice, guardians, { row: values, studentId: null, isAnyName })
  return { values, guardians: family, student: { added: body, origin: { status } }, status }
}

/** @returns the new students */
const create = async (slice: Slice, families: readonly Awaited<ReturnType<typeof planned>>[]): Promise<string[]> => {
  const added = await addAll(slice, families)
  for (const { status } of families) slice.take(IN_PLAN, countedOf(status))
  return added.map(({ studentIds }) => studentIds[0] as string)
}

/** @returns how many guardians are linked whom the student did not have */
const addGuardians = async (
  slice: Slice,
  values: Values,
  { studentId, guardians, isAnyName }: Guardians & { studentId: string },
): Promise<number> => {
  if (guardians.length === 0) return 0
  const family = await familyOf(slice, guardians, { row: values, studentId, isAnyName })
  const [added] = await addAll(slice, [{ values, guardians: family, student: { id: studentId } }])
  return added?.linked ?? 0
}

const update = async (slice: Slice, row: Student, values: Values, given: Guardians): Promise<Outcome> => {
  const body = valid(
    v.safeParse(StudentChanges, { ...namesIn(values), ...(await givenFields(slice, values, row.address)) }),
    fieldOf,
  )
  const tx = slice.as('students.write')
  let isChanged = false
  let counted = 0
  if (!isEmpty(changesOf(row, body))) {
    await changeStudent(tx, slice.caller, { ...body, id: row.id })
    isChanged = true
  }
  const status = values['status'] as Student['status'] | undefined
  if (status !== undefined && status !== row.status) {
    await changeStatus(tx, row.id, { status })
    counted = countedOf(status) - countedOf(row.status, row.from_registration)
    isChanged = true
  }
  const linked = await addGuardians(slice, values, { ...given, studentId: row.id })
  // Nothing is taken by a row that is refused, also for its guardians.
  slice.take(IN_PLAN, counted)
  return isChanged || linked > 0 ? 'updated' : 'unchanged'
}

const inList = (guardian: Parameters<typeof fullName>[0] & { phone: string | null }): string =>
  [fullName(guardian), guardian.phone].filter(Boolean).join(' ')

/** @throws RowRefused for a student whom the caller does not reach */
export const reachedStudent = async (slice: Slice, id: string): Promise<Student> => {
  try {
    return await findRow(slice.as('students.write').db, studentRecord, id)
  } catch (error) {
    throw error instanceof ApiError ? new RowRefused('out_of_reach') : error
  }
}

const guardiansOf = (slice: Slice, values: Values, named: Partial<Names>): Guardians => ({
  guardians: guardiansIn(values, named, slice.as('students.write').tenant.defaultLocale),
  isAnyName: (values['knownPhone'] ?? slice.knownPhone) === 'link',
})

/** Adds somebody new whom a row names, with their guardians. @throws RowRefused, and what adding a family throws */
export const addStudent = async (slice: Slice, values: Values): Promise<string> => {
  const family = await planned(slice, values, guardiansOf(slice, values, namesIn(values) ?? {}))
  return (await create(slice, [family]))[0] as string
}

/** How a student stands whom a row has added. */
export const standingOf = async (slice: Slice, id: string) => {
  const { whole } = slice.as('students.write')
  const row = await reachedStudent(slice, id)
  return {
    firstName: row.first_name,
    lastName: row.last_name,
    nationalId: row.national_id,
    phone: row.phone,
    birthDate: row.birth_date,
    guardians: (await linkedTo(whole, { studentId: id })).map(inList),
  }
}

const nobodyHas = (slice: Slice, rows: readonly Values[]): Promise<NobodyHas> =>
  slice.once('what nobody has', () => NobodyHas.among(slice.as('students.write').whole, rows))

/** Those who are new are added together; whoever is there already is changed after those before, and before those after. */
const apply = async (slice: Slice, rows: readonly Values[]): Promise<Outcome[]> => {
  const { whole } = slice.as('students.write')
  const nobody = await nobodyHas(slice, rows)
  const outcomes: Outcome[] = []
  let families: Awaited<ReturnType<typeof planned>>[] = []
  let toAdd = new RowsToAdd()
  const addThem = async (): Promise<void> => {
    if (families.length === 0) return
    await create(slice, families)
    for (const { values } of families) nobody.take(values)
    families = []
    toAdd = new RowsToAdd()
  }
  for (const values of rows) {
    if (toAdd.concern(values)) await addThem()
    const id = await findStudent(whole, values, nobody)
    if (id === undefined) {
      families.push(await planned(slice, values, guardiansOf(slice, values, namesIn(values) ?? {})))
      toAdd.add(values)
      outcomes.push('created')
      continue
    }
    await addThem()
    const row = await reachedStudent(slice, id)
    const names = { firstName: row.first_name, lastName: row.last_name }
    nobody.take(values, { names, birthDate: row.birth_date })
    outcomes.push(await update(slice, row, values, guardiansOf(slice, values, { ...names, ...namesIn(values) })))
  }
  await addThem()
  return outcomes
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
  begin: async (slice, rows) => {
    await lockNewStudents(slice.as('students.write'))
    await nobodyHas(slice, rows)
  },
  recall: async (slice, rows, taken) => {
    await nobodyHas(slice, rows)
    const added = taken.get(IN_PLAN) ?? 0
    if (added !== 0) await countStudent(slice.as('students.write'), added)
  },
  apply,
  stands: async (slice, values) => {
    const { whole } = slice.as('students.write')
    const id = await findStudent(whole, values)
    if (id === undefined) return {}
    const row = await reachedStudent(slice, id)
    const links = await linkedTo(whole, { studentId: row.id })
    return {
      // Of one who is added it is only tried, and may be that of another by then.
      ...(values['studentNumber'] !== undefined && { studentNumber: row.student_number }),
      firstName: row.first_name,
      lastName: row.last_name,
      nationalId: row.national_id,
      phone: row.phone,
      email: row.email,
      birthDate: row.birth_date,
      gender: row.gender,
      status: row.status,
      branch: await branchName(slice, 'students.write', row.branch_id),
      line1: row.address?.line1,
      city: row.address?.city,
      tags: row.tags,
      notes: row.notes,
      guardians: links.map(inList),
    }
  },
  holders: async (slice, values) => (await holdersOf(slice.as('students.write').whole, values)).map(inList),
}
