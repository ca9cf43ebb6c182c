import type { Caller } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { SessionRow } from './teachers.ts'

/** As what somebody may write on a session: by groups.write, or as who teaches it. */
interface Writer {
  as: 'office' | 'teacher'
  branchId: string
}

/**
 * As what the caller may write on a session; undefined: they may not. The substitute of a cancelled session and inactive
 * staff count as nobody's teacher.
 */
export const writerOf = async (
  whole: ScopedDb,
  caller: Caller,
  session: Pick<SessionRow, 'group_id' | 'status' | 'teacher_staff_id'>,
): Promise<Writer | undefined> => {
  const group = await whole
    .selectFrom('group')
    .select(['branch_id', 'teacher_staff_id'])
    .where('id', '=', session.group_id)
    .executeTakeFirstOrThrow()
  const branchId = group.branch_id
  const reach = caller.grants.reach('groups.write')
  if (reach === 'all' || reach?.branchIds.includes(branchId) || reach?.groupIds.includes(session.group_id)) {
    return { as: 'office', branchId }
  }
  const substitute = session.status === 'cancelled' ? null : session.teacher_staff_id
  const teachers = [group.teacher_staff_id, substitute].filter((id) => id !== null)
  if (caller.actor.type !== 'user' || teachers.length === 0) return undefined
  const own = await whole
    .selectFrom('staff')
    .select('id')
    .where('id', 'in', teachers)
    .where('user_id', '=', caller.actor.userId)
    .where('is_active', '=', true)
    .executeTakeFirst()
  return own && { as: 'teacher', branchId }
}

/** Whether the caller, who has the permission for it, may write on this session. */
export const mayWriteOn = async (whole: ScopedDb, caller: Caller, sessionId: string): Promise<boolean> => {
  const session = await whole
    .selectFrom('session')
    .select(['group_id', 'status', 'teacher_staff_id'])
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return session !== undefined && (await writerOf(whole, caller, session)) !== undefined
}
