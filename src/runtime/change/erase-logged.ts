import { isDeepStrictEqual } from 'node:util'
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import type { JobContext } from '#kernel/contract/module.ts'
import type { SystemDb, Tables } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { ROWS_AT_ONCE } from './batches.ts'
import { eachPage } from './each-page.ts'
import { emptied, scrubbed } from './scrub.ts'

/** Takes a person who is erased out of what changes wrote down: the audit log, events, and replies that are kept. */

export interface Named {
  tenantId: string
  /** By which others name the person: their records, and their account. */
  ids: readonly string[]
}

/** Columns as text hold one of these ids. */
export const hasAny = <T extends keyof Tables>(
  eb: ExpressionBuilder<Tables, T>,
  columns: readonly string[],
  ids: readonly string[],
) =>
  eb.or(
    columns.flatMap((column) =>
      ids.map((id) => eb(eb.cast(column as never, 'text') as never, 'like', `%${id}%` as never)),
    ),
  )

type Walk = Pick<JobContext, 'everywhere' | 'change'>
type Entries = SelectQueryBuilder<Tables, 'audit_entry', object>

const entriesOf = (db: SystemDb, tenantId: string) => db.selectFrom('audit_entry').where('tenant_id', '=', tenantId)

/** Empties entries that tell of the person: whole, where their record was the person's alone. */
const emptyEntries = async (db: SystemDb, entries: Entries, own: ReadonlySet<string>): Promise<void> => {
  for (const { id, entity_id: entityId, ...values } of await entries
    .select(['id', 'entity_id', 'before', 'after', 'metadata'])
    .execute()) {
    const isOwn = entityId !== null && own.has(entityId)
    const clean = (value: unknown) => (isOwn ? emptied(value) : scrubbed(value, own))
    const [before, after, metadata] = [clean(values.before), clean(values.after), clean(values.metadata)]
    if (isDeepStrictEqual({ before, after, metadata }, values)) continue
    await db
      .updateTable('audit_entry')
      .set({ before, after, metadata: { ...(metadata as object | null), erased: true } } as object)
      .where('id', '=', id)
      .execute()
  }
}

/** @param ownIds records that were of the person alone: entries about them are emptied whole */
export const eraseEntries = async (
  { everywhere, change }: Walk,
  { tenantId, ids, ownIds }: Named & { ownIds: readonly string[] },
): Promise<void> => {
  const own = new Set([...ownIds, ...ids])
  const all = [...own]
  for (let from = 0; from < all.length; from += ROWS_AT_ONCE) {
    const some = all.slice(from, from + ROWS_AT_ONCE)
    await change(({ everywhere: db }) => emptyEntries(db, entriesOf(db, tenantId).where('entity_id', 'in', some), own))
  }
  const empty = (from: string, to: string) =>
    change(({ everywhere: db }) => {
      const page = entriesOf(db, tenantId).where('created_at', '>=', from).where('created_at', '<=', to)
      const naming = page.where((eb) => hasAny(eb, ['before', 'after', 'metadata'], ids))
      return emptyEntries(db, naming, own)
    })
  await eachPage(everywhere, 'audit_entry', empty, tenantId)
}

/** Empties entries of the log of the server, which belong to no institute, about an account or by it. */
export const eraseEntriesOfAccount = (db: SystemDb, userId: string): Promise<void> =>
  emptyEntries(
    db,
    db
      .selectFrom('audit_entry')
      .where('tenant_id', 'is', null)
      .where((eb) => eb.or([eb('entity_id', '=', userId), eb('actor_user_id', '=', userId)])),
    new Set([userId]),
  )

/** @param also what else is kept of events, by their ids */
export const eraseEvents = (
  { everywhere, change }: Walk,
  { tenantId, ids }: Named,
  also: (tx: SystemTx, eventId: string) => Promise<unknown>,
): Promise<void> => {
  const empty = (from: string, to: string) =>
    change(async (tx) => {
      const db = tx.everywhere
      const events = await db
        .selectFrom('event')
        .select(['id', 'body'])
        .where('tenant_id', '=', tenantId)
        .where('occurred_at', '>=', from)
        .where('occurred_at', '<=', to)
        .where((eb) => hasAny(eb, ['body'], ids))
        // That of the erasure, which other programs are still to be told.
        .where('body', 'not like', '%"erasedAt"%')
        .execute()
      for (const event of events) {
        const body = JSON.stringify(scrubbed(JSON.parse(event.body), new Set(ids)))
        if (body === event.body) continue
        await db
          .updateTable('event')
          .set({ body } as object)
          .where('id', '=', event.id)
          .execute()
        await also(tx, event.id)
      }
    })
  return eachPage(everywhere, 'event', empty, tenantId)
}

/** Replies that are kept for a day, for who sends a request again. Those with secrets cannot be read, and end by themselves. */
export const eraseReplies = async ({ everywhere, change }: Walk, ids: readonly string[]): Promise<void> => {
  const replies = await everywhere
    .selectFrom('idempotency_record')
    .select(['caller', 'key', 'body'])
    .where('state', '=', 'done')
    .where('sealed', '=', false)
    .where((eb) => hasAny(eb, ['body'], ids))
    .execute()
  for (const { caller, key, body } of replies) {
    const clean = JSON.stringify(scrubbed(JSON.parse(body ?? 'null'), new Set(ids)))
    await change(({ everywhere: db }) =>
      db
        .updateTable('idempotency_record')
        .set({ body: clean })
        .where('caller', '=', caller)
        .where('key', '=', key)
        .where('body', '=', body)
        .execute(),
    )
  }
}
