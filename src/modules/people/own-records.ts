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

/** What a guardian sees of a student: the lessons and all that follows from them, or the money. */
export type Sight = 'learning' | 'money'

export interface OwnChild {
  studentId: string
  /** The caller's record as a guardian. */
  guardianId: string
  seesLearning: boolean
  seesMoney: boolean
}

/** The students whose guardian the caller is, and of whom they see anything. */
export const ownChildren = async (whole: ScopedDb, caller: Self): Promise<OwnChild[]> => {
  const userId = accountOf(caller)
  if (userId === undefined) return []
  const links = await whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select(['guardian_link.student_id as studentId', 'guardian_link.guardian_id as guardianId'])
    .select(['guardian_link.sees_learning as seesLearning', 'guardian_link.sees_money as seesMoney'])
    .where('guardian.user_id', '=', userId)
    .orderBy('guardian_link.student_id')
    .execute()
  return links.filter((link) => link.seesLearning || link.seesMoney)
}

const SEEN = { learning: 'seesLearning', money: 'seesMoney' } as const

/** The students whose guardian the caller is, and of whom they see this. */
export const ownChildIds = async (whole: ScopedDb, caller: Self, sight: Sight): Promise<string[]> =>
  (await ownChildren(whole, caller)).filter((child) => child[SEEN[sight]]).map(({ studentId }) => studentId)

/** The caller as a student, and the caller's children of whom they see this. */
export const ownStudentIds = async (whole: ScopedDb, caller: Self, sight: Sight): Promise<string[]> => {
  const self = await ownStudentId(whole, caller)
  return [...(self === null ? [] : [self]), ...(await ownChildIds(whole, caller, sight))]
}

/** Whether a student is the caller, or one of the caller's children of whom they see this. */
export const isOwnStudent = async (
  whole: ScopedDb,
  caller: Self,
  { studentId, sight }: { studentId: string; sight: Sight },
): Promise<boolean> => (await ownStudentIds(whole, caller, sight)).includes(studentId)

/** Whether the caller is a student, or the guardian of one. */
export const isOfFamily = async (whole: ScopedDb, caller: Self): Promise<boolean> =>
  (await ownStudentId(whole, caller)) !== null || (await ownChildren(whole, caller)).length > 0
