import { withStoredPhone } from '#kernel/phone.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { insertUnlessTaken, keepReached } from '#runtime/records.ts'
import { StudentNumberTaken, withNextNumber } from './numbers.ts'
import { studentRecord, toDetail, toStudent } from './row.ts'
import type { NewStudent, Student } from './schemas.ts'
import { indexTags } from './tags.ts'

/**
 * Adds a student of status lead, and records student.created.
 * @param tags without duplicates, in the order in which they are shown
 * @throws NotFound for the branch, StudentNumberTaken, StudentNumbersUsedUp, VALIDATION_ERROR
 */
export const createStudent = async (tx: Tx, body: NewStudent, tags: string[] = []): Promise<Student> => {
  await keepReached(tx, 'branch', body.branchId)
  const person = { ...withStoredPhone(tx, body), status: 'lead' as const, tags }
  const insert = (studentNumber: string) =>
    insertUnlessTaken(tx, studentRecord, 'student_number', { ...person, studentNumber })
  const row = body.studentNumber === undefined ? await withNextNumber(tx, insert) : await insert(body.studentNumber)
  if (!row) throw StudentNumberTaken()
  if (tags.length > 0) await indexTags(tx, row, tags)
  const { id, branchId, studentNumber, firstName, lastName, status } = toStudent(row)
  tx.record('student.created', { studentId: id, branchId, studentNumber, firstName, lastName, status })
  tx.audit({ entityType: 'student', entityId: id, after: toDetail(row) })
  return toStudent(row)
}
