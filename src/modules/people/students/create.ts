import { withStoredIdentity } from '#kernel/values/identity-number.ts'
import { withStoredPhone } from '#kernel/values/phone.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { NewFields } from '#runtime/records/record-types.ts'
import { insertUnlessTaken, lockReferenced, type Row } from '#runtime/records/records.ts'
import type { AllowedAccount, StudentStatus } from '../tables.ts'
import { checkCount, isInPlan } from './count.ts'
import { countUp, StudentNumberTaken, withFreeNumbers } from './numbers.ts'
import { studentRecord, toDetail, toStudent } from './row.ts'
import type { NewStudent, Student } from './schemas.ts'
import { indexTags } from './tags.ts'
import { checkBirthDate } from './birth-date.ts'

interface Origin {
  /** They registered on the website, and count against the plan from their conversion on. */
  fromRegistration?: boolean
  /** Whose record it is. */
  account?: AllowedAccount | undefined
  /** How they stand where they come from. Default: lead. */
  status?: StudentStatus
}

export interface AddedStudent {
  body: Omit<NewStudent, 'userId'>
  origin?: Origin | undefined
}

type InPart = <T>(at: number, work: () => Promise<T>) => Promise<T>

interface Person {
  at: number
  fields: Omit<NewFields<'student', 'search_text' | 'sort_name'>, 'studentNumber'>
  /** undefined: the next one. */
  ownNumber: string | undefined
  isCounted: boolean
}

/** All students are added with the same columns: so one statement adds several. */
const NOTHING_SAID = {
  email: null,
  phone: null,
  nationalId: null,
  birthDate: null,
  gender: null,
  address: null,
  notes: null,
}

const personOf = (tx: Tx, { body, origin = {} }: AddedStudent, at: number): Person => {
  checkBirthDate(tx, body)
  const { fromRegistration = false, account, status = 'lead' } = origin
  const { studentNumber, tags = [], ...said } = withStoredIdentity(tx, withStoredPhone(tx, body))
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as typeof said
  const fields = { ...NOTHING_SAID, ...given, status, tags, fromRegistration, userId: account ?? null }
  const isCounted = isInPlan({ status, from_registration: fromRegistration })
  return { at, fields, ownNumber: studentNumber, isCounted }
}

/** Adds those who all have numbers of their own, or none. @throws QuotaExceeded, StudentNumberTaken, StudentNumbersUsedUp */
const insertAlike = async (tx: Tx, people: readonly Person[], inPart: InPart): Promise<Row<'student'>[]> => {
  const [first] = people as [Person]
  const insert = (numbers: readonly (string | undefined)[]) => {
    const fields = people.map((one, nth) => ({ ...one.fields, studentNumber: numbers[nth] as string }))
    return inPart(first.at, () => insertUnlessTaken(tx, studentRecord, 'student_number', fields))
  }
  const refuse = (nth: number, error: Error): Promise<never> =>
    inPart((people[nth] as Person).at, () => Promise.reject(error))
  const isNumbered = first.ownNumber !== undefined
  const inPlan = people.filter(({ isCounted }) => isCounted)
  const { last, counted } = await countUp(tx, { numbers: isNumbered ? 0 : people.length, inPlan: inPlan.length })
  for (const [nth, { at }] of inPlan.entries()) {
    await inPart(at, async () => checkCount(tx, counted - inPlan.length + nth + 1))
  }
  if (!isNumbered) return withFreeNumbers(tx, { last, count: people.length, refuse }, insert)
  const rows = await insert(people.map(({ ownNumber }) => ownNumber))
  const taken = rows.indexOf(undefined)
  if (taken >= 0) await refuse(taken, StudentNumberTaken())
  return rows as Row<'student'>[]
}

/** Those after each other who all have numbers of their own, or none: numbers are taken in the order in which students come. */
const alike = (people: readonly Person[]): Person[][] => {
  const parts: Person[][] = []
  for (const person of people) {
    const part = parts.at(-1)
    if (part && (part[0]?.ownNumber === undefined) === (person.ownNumber === undefined)) part.push(person)
    else parts.push([person])
  }
  return parts
}

/**
 * Adds students, leads unless they come from elsewhere, and records student.created of each.
 * @param inPart does the work of one of them, and may say of a refusal whose it is
 * @throws NotFound for a branch, QuotaExceeded, StudentNumberTaken, StudentNumbersUsedUp, UserTaken, VALIDATION_ERROR
 */
export const createStudents = async (
  tx: Tx,
  added: readonly AddedStudent[],
  inPart: InPart = (_, work) => work(),
): Promise<Student[]> => {
  const people: Person[] = []
  const branches = new Set<string>()
  for (const [at, one] of added.entries()) {
    const { branchId } = one.body
    const person = await inPart(at, async () => {
      const made = personOf(tx, one, at)
      if (!branches.has(branchId)) await lockReferenced(tx, 'branch', branchId)
      return made
    })
    branches.add(branchId)
    people.push(person)
  }
  const rows: Row<'student'>[] = []
  for (const part of alike(people)) rows.push(...(await insertAlike(tx, part, inPart)))
  await indexTags(tx, rows)
  return rows.map((row) => {
    const student = toStudent(row)
    const { id, branchId, studentNumber, firstName, lastName, status } = student
    tx.emit('student.created', { studentId: id, branchId, studentNumber, firstName, lastName, status })
    tx.audit({ entityType: 'student', entityId: id, after: toDetail(row) })
    return student
  })
}

/** Adds a student. @throws as createStudents */
export const createStudent = async (tx: Tx, body: AddedStudent['body'], origin?: Origin): Promise<Student> =>
  (await createStudents(tx, [{ body, origin }]))[0] as Student
