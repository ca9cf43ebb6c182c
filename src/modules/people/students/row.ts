import { failure, NotFound } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { recordOf } from '#runtime/records/records.ts'
import { UserTaken } from '../account.ts'
import { refuseErased } from '../erased.ts'
import { fullName, searchTextOf, sortNameOf } from '../person.ts'
import { Student, StudentDetail } from './schemas.ts'

export const StudentInUse = failure(
  'CONFLICT',
  'student_in_use',
  'There are enrollments, attendance, invoices or other records of this student: withdraw the student instead.',
)

/** The columns of a student in a list. */
export const LISTED = [
  'student.id',
  'student.branch_id',
  'student.student_number',
  'student.first_name',
  'student.last_name',
  'student.status',
  'student.created_at',
] as const

export const toStudent = shows(Student, { fullName })

export const toDetail = shows(StudentDetail, { fullName })

export const studentRecord = recordOf('student', {
  show: toDetail,
  derived: (row) => ({ search_text: searchTextOf(row), sort_name: sortNameOf(row) }),
  refusals: { unique: { 'student(user_id)': UserTaken }, foreignKey: NotFound },
  inUse: StudentInUse,
  refuseEnded: refuseErased,
})
