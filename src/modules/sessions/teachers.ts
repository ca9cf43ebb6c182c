import { forKeyShare } from '#db/dialect.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import type { SessionRow } from './service.ts'
import './tables.ts'

/** Who teaches the session's group now. */
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
    // The group was given to somebody else, and this one deleted, at this moment.
  }
}

/**
 * Writes down who gave a locked session that was held: `staffId`, whom the caller keeps in place, or, where it is null,
 * who teaches the group now.
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
