import { compiledInTenant } from '#db/queries/compiled.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { found } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import { InboxEntry } from '../schemas.ts'

const toEntry = shows(InboxEntry)

/** Nobody has this account: an API key has no inbox. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Whose inbox a caller reads. */
export const inboxOf = ({ actor }: Caller): string => (actor.type === 'user' ? actor.userId : NOBODY)

export const listInbox = listOf({
  filters: {
    userId: 'notification.inbox_user_id',
    unread: (eb, unread: boolean) => (unread ? eb('notification.read_at', 'is', null) : undefined),
  },
  from: (whole) => whole.selectFrom('notification').selectAll('notification'),
  order: newestFirst('notification'),
  show: toEntry,
})

const unreadOf = compiledInTenant((whole, { userId }: { userId: string }) =>
  whole
    .selectFrom('notification')
    .select(({ fn }) => fn.countAll<number>().as('unread'))
    .where('inbox_user_id', '=', userId)
    .where('read_at', 'is', null),
)

export const countUnread = async (whole: ScopedDb, userId: string): Promise<{ unread: number }> => ({
  unread: (await unreadOf(whole, { userId }))[0]?.unread ?? 0,
})

const unread = ({ whole, now }: Tx, userId: string) =>
  whole
    .updateTable('notification')
    .set({ read_at: now })
    .where('inbox_user_id', '=', userId)
    .where('read_at', 'is', null)

interface Updated {
  ok: true
  updated: number
}

/** Marks an entry as read. @throws NotFound for an entry of somebody else */
export const readEntry = async (tx: Tx, userId: string, id: string): Promise<Updated> => {
  found(
    await tx.whole
      .selectFrom('notification')
      .select('id')
      .where('inbox_user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst(),
  )
  const { numUpdatedRows } = await unread(tx, userId).where('id', '=', id).executeTakeFirst()
  tx.audit({ entityType: 'notification', entityId: id })
  return { ok: true, updated: Number(numUpdatedRows) }
}

export const readAllEntries = async (tx: Tx, userId: string): Promise<Updated> => {
  const { numUpdatedRows } = await unread(tx, userId).executeTakeFirst()
  tx.audit({ entityType: 'notification', entityId: null, metadata: { updated: Number(numUpdatedRows) } })
  return { ok: true, updated: Number(numUpdatedRows) }
}
