import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Page } from '#kernel/values/schema.ts'
import { fullName } from '#modules/people/index.ts'
import type { PageQuery } from '#runtime/records/cursors.ts'
import { listOf, type ListContext } from '#runtime/records/lists.ts'
import { checkReached } from '#runtime/records/records.ts'
import { byName, students, type StudentRow } from './list.ts'
import type { GroupContact } from './schemas.ts'

/** The guardians of students, the primary contact first. */
const guardiansOf = async (db: ScopedDb, studentIds: readonly string[]) => {
  const rows = await db
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select(['guardian_link.student_id', 'guardian_link.relationship', 'guardian_link.is_primary'])
    .select(['guardian.id', 'guardian.first_name', 'guardian.last_name', 'guardian.phone'])
    .where('guardian_link.student_id', 'in', studentIds)
    .orderBy('guardian_link.is_primary', 'desc')
    .orderBy('guardian_link.created_at')
    .orderBy('guardian_link.id')
    .execute()
  return Map.groupBy(rows, (row) => row.student_id)
}

type Listed = Pick<GroupContact, 'studentId' | 'studentName' | 'studentNumber' | 'phone'>

const withGuardians = async (db: ScopedDb, listed: readonly Listed[]): Promise<GroupContact[]> => {
  if (listed.length === 0) return []
  const guardians = await guardiansOf(
    db,
    listed.map(({ studentId }) => studentId),
  )
  return listed.map((student) => ({
    ...student,
    guardians: (guardians.get(student.studentId) ?? []).map((row) => ({
      guardianId: row.id,
      fullName: fullName(row),
      relationship: row.relationship,
      phone: row.phone,
      isPrimary: row.is_primary,
    })),
  }))
}

const toListed = (row: StudentRow): Listed => ({
  studentId: row.id,
  studentName: fullName(row),
  studentNumber: row.student_number,
  phone: row.phone,
})

const studentsOfGroup = listOf({
  filters: { groupId: students.filters.groupId },
  from: students.from,
  order: byName('student'),
  show: toListed,
})

/** Whom one calls about each student of a group, by name. @throws NotFound */
export const listContacts = async ({
  params: { id: groupId },
  query,
  ...context
}: ListContext<ScopedDb> & { params: { id: string }; query: PageQuery }): Promise<Page<GroupContact>> => {
  await checkReached(context.db, 'group', groupId)
  const { data, nextCursor } = await studentsOfGroup({ ...context, query: { ...query, groupId } })
  return { data: await withGuardians(context.db, data), nextCursor }
}

/** The same in one piece, for a paper. */
export const readContactsOf = async (db: ScopedDb, groupId: string): Promise<GroupContact[]> => {
  const rows = await students
    .from(db)
    .innerJoin('enrollment', 'enrollment.student_id', 'student.id')
    .where('enrollment.group_id', '=', groupId)
    .where('enrollment.status', '=', 'active')
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .execute()
  return withGuardians(db, rows.map(toListed))
}
