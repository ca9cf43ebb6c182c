import { forNoKeyUpdate } from '#db/dialect.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

/** The sessions of a group to which files are attached: such a session is never removed, or its files would be lost. */
export const sessionsWithFiles = async (whole: ScopedDb, groupId: string): Promise<ReadonlySet<string>> => {
  const rows = await whole
    .selectFrom('session')
    .innerJoin('file', 'file.session_id', 'session.id')
    .select('session.id')
    .where('session.group_id', '=', groupId)
    .distinct()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Locks the group of a session, as whoever removes sessions of it does first. */
export const keepSessionsBeside = async ({ db }: Pick<Tx, 'db'>, sessionId: string): Promise<void> => {
  const session = await db.selectFrom('session').select('group_id').where('id', '=', sessionId).executeTakeFirst()
  if (!session) return
  await forNoKeyUpdate(db, db.selectFrom('group').select('id').where('id', '=', session.group_id)).executeTakeFirst()
}
