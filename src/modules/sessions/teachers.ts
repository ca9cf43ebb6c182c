import { compiledInTenant } from '#db/compiled.ts'
import { forKeyShare } from '#db/dialect.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import type { Row } from '#runtime/records.ts'

export type SessionRow = Row<'session'>

const teachersOf = compiledInTenant((whole, { groupId }: { groupId: string }) =>
  whole.selectFrom('group').select('teacher_staff_id').where('id', '=', groupId),
)

const lockedStaff = compiledInTenant((whole, { id }: { id: string }) =>
  forKeyShare(whole, whole.selectFrom('staff').select('id').where('id', '=', id)),
)

const forgetTeacher = compiledInTenant((whole, { sessionId }: { sessionId: string }) =>
  whole.deleteFrom('session_teacher').where('session_id', '=', sessionId),
)

const upsertTeacher = compiledInTenant((whole, { sessionId, staffId }: { sessionId: string; staffId: string }) =>
  whole
    .insertInto('session_teacher')
    .values({ session_id: sessionId, staff_id: staffId })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'session_id']).doUpdateSet((eb) => ({ staff_id: eb.ref('excluded.staff_id') })),
    ),
)

/** The current teacher of the session's group. */
const teacherOfGroup = async ({ whole }: Tx, { group_id: groupId }: SessionRow): Promise<string | null> => {
  for (;;) {
    const [group] = await teachersOf(whole, { groupId })
    const id = group?.teacher_staff_id
    if (!id) return null
    if ((await lockedStaff(whole, { id })).length > 0) return id
    // Meanwhile the group got another teacher, and this one was deleted: read again.
  }
}

/**
 * Stores who gave a locked, held session: `staffId`, whose row the caller has locked, or, when null, the group's
 * current teacher.
 */
export const storeTeacher = async (tx: Tx, session: SessionRow, staffId: string | null): Promise<void> => {
  const { whole } = tx
  const teacher = staffId ?? (await teacherOfGroup(tx, session))
  if (teacher === null) await forgetTeacher(whole, { sessionId: session.id })
  else await upsertTeacher(whole, { sessionId: session.id, staffId: teacher })
}
