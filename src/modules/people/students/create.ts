import { withStoredIdentity } from '#kernel/values/identity-number.ts'
import { withStoredPhone } from '#kernel/values/phone.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { insertUnlessTaken, lockReferenced } from '#runtime/records/records.ts'
import type { AllowedAccount, StudentStatus } from '../tables.ts'
import { isInPlan } from './count.ts'
import { StudentNumberTaken, withNextNumber, withOwnNumber } from './numbers.ts'
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

/**
 * Adds a student, a lead unless they come from elsewhere, and records student.created.
 * @throws NotFound for the branch, QuotaExceeded, StudentNumberTaken, StudentNumbersUsedUp, UserTaken, VALIDATION_ERROR
 */
export const createStudent = async (
  tx: Tx,
  body: Omit<NewStudent, 'userId'>,
  { fromRegistration = false, account, status: standing = 'lead' }: Origin = {},
): Promise<Student> => {
  checkBirthDate(tx, body)
  await lockReferenced(tx, 'branch', body.branchId)
  const { tags = [] } = body
  const numbers = withStoredIdentity(tx, withStoredPhone(tx, body))
  const person = { ...numbers, status: standing, tags, fromRegistration, userId: account }
  const isCounted = isInPlan({ status: standing, from_registration: fromRegistration })
  const insert = (studentNumber: string) =>
    insertUnlessTaken(tx, studentRecord, 'student_number', { ...person, studentNumber })
  if (body.studentNumber !== undefined) await withOwnNumber(tx, isCounted)
  const row =
    body.studentNumber === undefined ? await withNextNumber(tx, isCounted, insert) : await insert(body.studentNumber)
  if (!row) throw StudentNumberTaken()
  await indexTags(tx, row, tags)
  const { id, branchId, studentNumber, firstName, lastName, status } = toStudent(row)
  tx.emit('student.created', { studentId: id, branchId, studentNumber, firstName, lastName, status })
  tx.audit({ entityType: 'student', entityId: id, after: toDetail(row) })
  return toStudent(row)
}
