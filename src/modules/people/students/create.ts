import { refusing } from '#db/dialect.ts'
import { NotFound } from '#kernel/errors.ts'
import { storedPhone } from '#kernel/phone.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { keepReached } from '#runtime/records.ts'
import { searchTextOf } from '../person.ts'
import { StudentNumberTaken, withNextNumber } from './numbers.ts'
import { toDetail, toStudent, type StudentRow } from './row.ts'
import type { NewStudent, Student } from './schemas.ts'
import { indexTags } from './tags.ts'

type Unnumbered = Omit<StudentRow, 'student_number' | 'search_text'>

/** @returns undefined when the number is taken */
const insertStudent = async (tx: Tx, person: Unnumbered, studentNumber: string): Promise<StudentRow | undefined> => {
  const numbered = { ...person, student_number: studentNumber }
  const row = { ...numbered, search_text: searchTextOf(numbered) }
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('student')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'student_number']).doNothing())
    .executeTakeFirstOrThrow()
    .catch(refusing({ foreignKey: NotFound }))
  return numInsertedOrUpdatedRows === 1n ? row : undefined
}

/**
 * Adds a student as a lead; records student.created.
 * @param tags without repeats, in the order in which they are shown
 * @throws NotFound for the branch, StudentNumberTaken, StudentNumbersUsedUp
 */
export const createStudent = async (tx: Tx, body: NewStudent, tags: string[] = []): Promise<Student> => {
  await keepReached(tx, 'branch', body.branchId)
  const person: Unnumbered = {
    id: tx.id(),
    branch_id: body.branchId,
    first_name: body.firstName,
    last_name: body.lastName,
    status: 'lead',
    email: body.email ?? null,
    phone: storedPhone(body.phone, tx.tenant.timezone, ['phone']) ?? null,
    national_id: null,
    birth_date: null,
    gender: null,
    address: null,
    tags,
    notes: null,
    user_id: null,
    version: 1,
    created_at: tx.now,
    updated_at: tx.now,
  }
  const row =
    body.studentNumber === undefined
      ? await withNextNumber(tx, (number) => insertStudent(tx, person, number))
      : await insertStudent(tx, person, body.studentNumber)
  if (!row) throw StudentNumberTaken()
  if (tags.length > 0) await indexTags(tx, row, tags)
  const { id, branchId, studentNumber, firstName, lastName, status } = toStudent(row)
  tx.record('student.created', { studentId: id, branchId, studentNumber, firstName, lastName, status })
  tx.audit({ entityType: 'student', entityId: id, after: toDetail(row) })
  return toStudent(row)
}
