import type { Caller } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

/** The records of the institute that belong to the account of a caller. An API key has no account, and so none of them. */

/** Whose records are asked for. */
export type Self = Pick<Caller, 'actor'>

const accountOf = ({ actor }: Self): string | undefined => (actor.type === 'user' ? actor.userId : undefined)

/** The caller's record on the staff; null: none, or one that is not active any more. */
export const ownStaffId = async (whole: ScopedDb, caller: Self): Promise<string | null> => {
  const userId = accountOf(caller)
  if (userId === undefined) return null
  const staff = await whole
    .selectFrom('staff')
    .select('id')
    .where('user_id', '=', userId)
    .where('is_active', '=', true)
    .executeTakeFirst()
  return staff?.id ?? null
}

/** The caller's record as a student; null: the caller is no student. */
export const ownStudentId = async (whole: ScopedDb, caller: Self): Promise<string | null> => {
  const userId = accountOf(caller)
  if (userId === undefined) return null
  const student = await whole.selectFrom('student').select('id').where('user_id', '=', userId).executeTakeFirst()
  return student?.id ?? null
}

/** The students whose guardian the caller is. */
export const ownChildIds = async (whole: ScopedDb, caller: Self): Promise<string[]> => {
  const userId = accountOf(caller)
  if (userId === undefined) return []
  const links = await whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select('guardian_link.student_id')
    .where('guardian.user_id', '=', userId)
    .orderBy('guardian_link.student_id')
    .execute()
  return links.map((link) => link.student_id)
}

/** Whether a student is the caller, or one of the caller's children. */
export const isOwnStudent = async (whole: ScopedDb, caller: Self, studentId: string): Promise<boolean> =>
  (await ownStudentId(whole, caller)) === studentId || (await ownChildIds(whole, caller)).includes(studentId)
