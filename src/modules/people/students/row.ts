import type { Selectable } from 'kysely'
import { locked, lockedForChange } from '#db/dialect.ts'
import { NotFound } from '#kernel/errors.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import type { Student, StudentDetail } from './schemas.ts'

export type StudentRow = Selectable<Omit<Tables['student'], 'tenant_id'>>

/** The columns of which a listed student is made. */
export const LISTED = [
  'student.id',
  'student.branch_id',
  'student.student_number',
  'student.first_name',
  'student.last_name',
  'student.status',
  'student.created_at',
] as const

type ListedRow = Pick<
  StudentRow,
  'id' | 'branch_id' | 'student_number' | 'first_name' | 'last_name' | 'status' | 'created_at'
>

export const toStudent = (row: ListedRow): Student => ({
  id: row.id,
  branchId: row.branch_id,
  studentNumber: row.student_number,
  firstName: row.first_name,
  lastName: row.last_name,
  fullName: `${row.first_name} ${row.last_name}`,
  status: row.status,
  createdAt: row.created_at,
})

export const toDetail = (row: StudentRow): StudentDetail => ({
  ...toStudent(row),
  email: row.email,
  phone: row.phone,
  nationalId: row.national_id,
  birthDate: row.birth_date,
  gender: row.gender,
  address: row.address,
  tags: row.tags,
  notes: row.notes,
  userId: row.user_id,
  version: row.version,
  updatedAt: row.updated_at,
})

const studentById = (db: ScopedDb, id: string) => db.selectFrom('student').selectAll().where('id', '=', id)

const found = (row: StudentRow | undefined): StudentRow => {
  if (!row) throw NotFound()
  return row
}

/** The row as it stays until the change ends. @throws NotFound */
export const lockStudent = async ({ db }: Tx, id: string): Promise<StudentRow> =>
  found(await lockedForChange(db, studentById(db, id)).executeTakeFirst())

/** The row, which nobody comes to name any more: it is about to be deleted. @throws NotFound */
export const lockDeletedStudent = async ({ db }: Tx, id: string): Promise<StudentRow> =>
  found(await locked(db, studentById(db, id)).executeTakeFirst())
