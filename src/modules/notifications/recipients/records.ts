import { compiledByIds } from '#db/queries/compiled.ts'
import type { Locale } from '#shared/locale.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { fullName } from '#modules/people/index.ts'
import type { RecipientKind } from '../tables.ts'

// Finds students, guardians and staff. Each function takes the ids of at most a few hundred records.

/** A person as their record names them, before their account is known. */
export interface Found {
  kind: RecipientKind
  id: string
  userId: string | null
  name: string
  email: string | null
  phone: string | null
  /** null: the record has none. */
  locale: Locale | null
  branchId: string | null
  /** The students because of whom they get a message. */
  students: readonly string[]
}

const NAME = ['first_name', 'last_name'] as const

interface Row {
  id: string
  user_id: string | null
  first_name: string
  last_name: string
  email: string | null
  phone: string | null
}

/** What the records of students, guardians and staff tell alike. */
const contactOf = <K extends Found['kind']>(kind: K, row: Row) => ({
  kind,
  id: row.id,
  userId: row.user_id,
  name: fullName(row),
  email: row.email,
  phone: row.phone,
})

const studentsById = compiledByIds((db, ids) =>
  db
    .selectFrom('student')
    .select(['id', 'branch_id', 'user_id', 'email', 'phone', ...NAME])
    .where('id', 'in', ids),
)

export const findStudents = async (db: ScopedDb, ids: readonly string[]): Promise<Found[]> =>
  (await studentsById(db, ids)).map((row) => ({
    ...contactOf('student', row),
    locale: null,
    branchId: row.branch_id,
    students: [fullName(row)],
  }))

const guardians = (db: ScopedDb) =>
  db
    .selectFrom('guardian')
    .innerJoin('guardian_link', 'guardian_link.guardian_id', 'guardian.id')
    .innerJoin('student', 'student.id', 'guardian_link.student_id')
    .select(['guardian.id', 'guardian.user_id', 'guardian.first_name', 'guardian.last_name'])
    .select(['guardian.email', 'guardian.phone', 'guardian.preferred_locale'])
    .select(['student.id as student_id', 'student.branch_id'])
    .select(['student.first_name as student_first_name', 'student.last_name as student_last_name'])
    .orderBy('student.id')
    .orderBy('guardian.id')

type GuardianRow = Awaited<ReturnType<ReturnType<typeof guardians>['execute']>>[number]

/** A guardian, because of one of their children. */
export interface FoundGuardian extends Found {
  studentId: string
}

const toGuardian = (row: GuardianRow): FoundGuardian => ({
  ...contactOf('guardian', row),
  locale: row.preferred_locale,
  branchId: row.branch_id,
  students: [fullName({ first_name: row.student_first_name, last_name: row.student_last_name })],
  studentId: row.student_id,
})

const guardiansByStudent = compiledByIds((db, ids) =>
  guardians(db).where('guardian_link.student_id', 'in', ids).where('guardian_link.sees_learning', '=', true),
)

/** The guardians of the students who may know of their lessons, once for each of their children. */
export const findGuardiansOf = async (whole: ScopedDb, studentIds: readonly string[]): Promise<FoundGuardian[]> =>
  (await guardiansByStudent(whole, studentIds)).map(toGuardian)

/** Guardians by their own ids, with all their children whom the caller reaches, and those who have none. */
export const findGuardians = async (db: ScopedDb, ids: readonly string[]): Promise<Found[]> => {
  if (ids.length === 0) return []
  const linked = (await guardians(db).where('guardian.id', 'in', ids).execute()).map(toGuardian)
  const known = new Set(linked.map(({ id }) => id))
  const others = ids.filter((id) => !known.has(id))
  if (others.length === 0) return linked
  const alone = await db
    .selectFrom('guardian')
    .select(['id', 'user_id', 'email', 'phone', 'preferred_locale', 'unlinked_branch_id', ...NAME])
    .where('id', 'in', others)
    .execute()
  return [
    ...linked,
    ...alone.map((row): Found => ({
      ...contactOf('guardian', row),
      locale: row.preferred_locale,
      branchId: row.unlinked_branch_id,
      students: [],
    })),
  ]
}

/** Staff who are still active. */
export const findStaff = async (whole: ScopedDb, ids: readonly string[]): Promise<Found[]> => {
  if (ids.length === 0) return []
  const rows = await whole
    .selectFrom('staff')
    .select(['id', 'branch_id', 'user_id', 'email', 'phone', ...NAME])
    .where('id', 'in', ids)
    .where('is_active', '=', true)
    .execute()
  return rows.map((row) => ({ ...contactOf('staff', row), locale: null, branchId: row.branch_id, students: [] }))
}
