import type { SelectQueryBuilder } from 'kysely'
import { compiledInTenant } from '#db/queries/compiled.ts'
import { forKeyShare } from '#db/dialect.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Row } from '#runtime/records/records.ts'

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

/** For a session that counts as held no more. */
export const forgetTeacherOf = async ({ whole }: Tx, sessionId: string): Promise<void> => {
  await forgetTeacher(whole, { sessionId })
}

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

type Narrow = <O>(query: SelectQueryBuilder<Tables, 'session', O>) => SelectQueryBuilder<Tables, 'session', O>

/**
 * The ids of the sessions that a member of the staff gives: as a substitute, in their own groups where there is no
 * substitute, and the held ones that they really gave.
 * @param narrow limits the sessions; it is part of each of the three queries, so that each can use an index of its own
 */
export const taughtSessionIds = (db: ScopedDb, staffId: string, narrow: Narrow) => {
  const sessions = () => narrow(db.selectFrom('session'))
  return sessions()
    .innerJoin('group', 'group.id', 'session.group_id')
    .select('session.id')
    .where('group.teacher_staff_id', '=', staffId)
    .where('session.teacher_staff_id', 'is', null)
    .where('session.status', '!=', 'held')
    .unionAll(
      sessions()
        .select('session.id')
        .where('session.teacher_staff_id', '=', staffId)
        .where('session.status', '!=', 'held'),
    )
    .unionAll(
      sessions()
        .innerJoin('session_teacher', 'session_teacher.session_id', 'session.id')
        .select('session.id')
        .where('session_teacher.staff_id', '=', staffId)
        .where('session.status', '=', 'held'),
    )
}
