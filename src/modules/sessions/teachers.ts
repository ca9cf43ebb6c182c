import { forKeyShare } from '#db/dialect.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import type { SessionRow } from './service.ts'
import './tables.ts'

/** The current teacher of the session's group. */
const teacherOfGroup = async ({ whole }: Tx, { group_id: groupId }: SessionRow): Promise<string | null> => {
  for (;;) {
    const { teacher_staff_id: id } = await whole
      .selectFrom('group')
      .select('teacher_staff_id')
      .where('id', '=', groupId)
      .executeTakeFirstOrThrow()
    if (id === null) return null
    const staff = whole.selectFrom('staff').select('id').where('id', '=', id)
    if (await forKeyShare(whole, staff).executeTakeFirst()) return id
    // Meanwhile the group got another teacher, and this one was deleted: read again.
  }
}

/**
 * Stores who gave a locked, held session: `staffId`, whose row the caller has locked, or, when null, the group's
 * current teacher.
 */
export const keepTeacher = async (tx: Tx, session: SessionRow, staffId: string | null): Promise<void> => {
  const { whole } = tx
  const teacher = staffId ?? (await teacherOfGroup(tx, session))
  if (teacher === null) {
    await whole.deleteFrom('session_teacher').where('session_id', '=', session.id).execute()
    return
  }
  await whole
    .insertInto('session_teacher')
    .values({ session_id: session.id, staff_id: teacher })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'session_id']).doUpdateSet({ staff_id: teacher }))
    .execute()
}
