import { expressionBuilder } from 'kysely'
import { refusing } from '#db/dialect.ts'
import { containsWords } from '#db/search.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { failure, invalid, NotFound } from '#kernel/errors.ts'
import { storedPhone } from '#kernel/phone.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import { foldQuery } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { compiledInTenant } from '#db/compiled.ts'
import { compiledPages, newestFirst, pageBy } from '#runtime/pages.ts'
import { checkVersion } from '#runtime/versions.ts'
import { leaveGuardians } from '../links/service.ts'
import { changesBetween, checkBranch, isEmpty, searchTextOf } from '../person.ts'
import type { StudentStatus } from '../tables.ts'
import { LISTED, lockDeletedStudent, lockStudent, toDetail, toStudent } from './row.ts'
import type { StatusChange, Student, StudentChanges, StudentDetail, StudentQuery } from './schemas.ts'
import { indexTags } from './tags.ts'

export const StudentInUse = failure(
  'CONFLICT',
  'student_in_use',
  'There are enrollments, attendance, invoices or other records of this student: withdraw the student instead.',
)
export const StatusMoveRefused = failure(
  'CONFLICT',
  'status_move_refused',
  'The student cannot move from the present status to this one; details.allowed names those that are possible.',
)

const enrolledIn = (groupId: string) =>
  expressionBuilder<Tables>()
    .selectFrom('enrollment')
    .select('enrollment.student_id')
    .where('enrollment.group_id', '=', groupId)
    .where('enrollment.status', '=', 'active')

const allStudents = compiledPages((db) => db.selectFrom('student').select(LISTED), newestFirst('student'), toStudent)

/** Newest first. */
export const listStudents = async (db: ScopedDb, cursors: Cursors, query: StudentQuery): Promise<Page<Student>> => {
  const { q, status, branchId, groupId, tag, cursor, limit } = query
  const page = { cursor, limit, cursors }
  const eb = expressionBuilder<Tables, 'student'>()
  const filters = [
    ...(q === undefined ? [] : await containsWords(db, 'student', foldQuery(q))),
    ...(status === undefined ? [] : [eb('student.status', '=', status)]),
    ...(branchId === undefined ? [] : [eb('student.branch_id', '=', branchId)]),
    ...(groupId === undefined ? [] : [eb('student.id', 'in', enrolledIn(groupId))]),
  ]
  if (tag === undefined && filters.length === 0) return allStudents(db, page)
  if (tag === undefined) {
    return pageBy(
      db.selectFrom('student').select(LISTED).where(eb.and(filters)),
      page,
      newestFirst('student'),
      toStudent,
    )
  }
  // The same order, read from the index of tags, unless a search or a group leaves fewer: a cross join, because SQLite
  // never turns one around.
  const tags = db.selectFrom('student_tag')
  const tagged = (
    q === undefined && groupId === undefined
      ? tags.crossJoin('student')
      : tags.innerJoin('student', (join) => join.onTrue())
  )
    .select(LISTED)
    .whereRef('student.id', '=', 'student_tag.student_id')
    .where('student_tag.tag', '=', tag)
    .where(eb.and(filters))
  const order = { ...newestFirst('student'), columns: ['student_tag.created_at', 'student_tag.student_id'] }
  return pageBy(tagged, page, order, toStudent)
}

const studentById = compiledInTenant((db, { id }: { id: string }) =>
  db.selectFrom('student').selectAll().where('id', '=', id),
)

/** @throws NotFound */
export const readStudent = async (db: ScopedDb, id: string): Promise<StudentDetail> => {
  const [row] = await studentById(db, { id })
  if (!row) throw NotFound()
  return toDetail(row)
}

/**
 * Records student.updated with what really changed. When nothing does, the record stays as it is.
 * @throws NotFound for the student or a new branch, VERSION_CONFLICT, VALIDATION_ERROR
 */
export const changeStudent = async (
  tx: Tx,
  id: string,
  { version, ...given }: StudentChanges,
): Promise<StudentDetail> => {
  const row = await lockStudent(tx, id)
  checkVersion(version, row.version)
  const { birthDate } = given
  if (birthDate && birthDate > tx.today) throw invalid(['birthDate'], 'Must not be in the future.')
  const before = toDetail(row)
  const wanted = { ...given, phone: storedPhone(given.phone, tx.tenant.timezone, ['phone']) }
  const changes = changesBetween(before, wanted)
  let after = before
  if (!isEmpty(changes)) {
    if (changes.branchId && wanted.branchId !== undefined) await checkBranch(tx, wanted.branchId)
    if (changes.tags && wanted.tags) await indexTags(tx, row, wanted.tags)
    const person = {
      first_name: wanted.firstName ?? row.first_name,
      last_name: wanted.lastName ?? row.last_name,
      email: wanted.email === undefined ? row.email : wanted.email,
      phone: wanted.phone === undefined ? row.phone : wanted.phone,
    }
    const changed = await tx.db
      .updateTable('student')
      .set({
        ...person,
        branch_id: wanted.branchId,
        national_id: wanted.nationalId,
        birth_date: birthDate,
        gender: wanted.gender,
        address: wanted.address,
        tags: wanted.tags,
        notes: wanted.notes,
        version: row.version + 1,
        updated_at: tx.now,
        search_text: searchTextOf({ ...person, student_number: row.student_number }),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refusing({ foreignKey: NotFound }))
    after = toDetail(changed)
    tx.record('student.updated', { studentId: id, changes })
  }
  tx.audit({ entityType: 'student', entityId: id, before, after })
  return after
}

const MOVES: Readonly<Record<StudentStatus, readonly StudentStatus[]>> = {
  lead: ['active', 'withdrawn'],
  active: ['paused', 'graduated', 'withdrawn'],
  paused: ['active', 'withdrawn'],
  withdrawn: ['active'],
  graduated: ['active'],
}

/** Records student.status_changed. @throws NotFound, StatusMoveRefused */
export const changeStatus = async (tx: Tx, id: string, { status, reason }: StatusChange): Promise<StudentDetail> => {
  const row = await lockStudent(tx, id)
  const allowed = MOVES[row.status]
  if (!allowed.includes(status)) throw StatusMoveRefused({ status: row.status, allowed })
  const changed = await tx.db
    .updateTable('student')
    .set({ status, version: row.version + 1, updated_at: tx.now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const after = toDetail(changed)
  tx.record('student.status_changed', { studentId: id, previousStatus: row.status, status })
  tx.audit({
    entityType: 'student',
    entityId: id,
    before: toDetail(row),
    after,
    ...(reason && { metadata: { reason } }),
  })
  return after
}

/** Takes the student's links to guardians along. @throws NotFound, StudentInUse */
export const deleteStudent = async (tx: Tx, id: string): Promise<void> => {
  const row = await lockDeletedStudent(tx, id)
  await leaveGuardians(tx, row)
  await tx.db
    .deleteFrom('student')
    .where('id', '=', id)
    .execute()
    .catch(refusing({ foreignKey: StudentInUse }))
  tx.audit({ entityType: 'student', entityId: id, before: toDetail(row) })
}
