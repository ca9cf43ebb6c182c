import { expressionBuilder } from 'kysely'
import { containsWords } from '#db/search.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { failure, invalid } from '#kernel/errors.ts'
import { withStoredPhone } from '#kernel/phone.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import { foldQuery } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { changeRecord, changesOf, deleteRecord, isEmpty, keepReached, lockRow, lockToDelete } from '#runtime/records.ts'
import { compiledPages, newestFirst, pageBy } from '#runtime/pages.ts'
import { leaveGuardians } from '../links/service.ts'
import type { StudentStatus } from '../tables.ts'
import { LISTED, studentRecord, toStudent } from './row.ts'
import type { StatusChange, Student, StudentChanges, StudentDetail, StudentQuery } from './schemas.ts'
import { indexTags } from './tags.ts'

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

/**
 * Records student.updated with what really changed.
 * @throws NotFound for the student or a new branch, VERSION_CONFLICT, VALIDATION_ERROR
 */
export const changeStudent = async (
  tx: Tx,
  id: string,
  { version, ...body }: StudentChanges,
): Promise<StudentDetail> => {
  const row = await lockRow(tx, studentRecord, id, version)
  if (body.birthDate && body.birthDate > tx.today) throw invalid(['birthDate'], 'Must not be in the future.')
  const wanted = withStoredPhone(tx, body)
  const changes = changesOf(row, wanted)
  if (changes.branchId) await keepReached(tx, 'branch', changes.branchId[1])
  if (changes.tags) await indexTags(tx, row, changes.tags[1])
  if (!isEmpty(changes)) tx.record('student.updated', { studentId: id, changes })
  return changeRecord(tx, studentRecord, row, wanted)
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
  const row = await lockRow(tx, studentRecord, id)
  const allowed = MOVES[row.status]
  if (!allowed.includes(status)) throw StatusMoveRefused({ status: row.status, allowed })
  tx.record('student.status_changed', { studentId: id, previousStatus: row.status, status })
  return changeRecord(tx, studentRecord, row, { status }, reason === undefined ? {} : { metadata: { reason } })
}

/** Takes the student's links to guardians along. @throws NotFound, StudentInUse */
export const deleteStudent = async (tx: Tx, id: string) => {
  const row = await lockToDelete(tx, studentRecord, id)
  await leaveGuardians(tx, row)
  return deleteRecord(tx, studentRecord, row)
}
