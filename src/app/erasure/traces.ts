import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import { declareJob } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { SystemDb, Tables } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { inBatches, ROWS_AT_ONCE } from '#runtime/change/batches.ts'
import { emailKey, eraseAccount } from '#modules/identity/index.ts'
import { emptied, scrubbed } from './scrub.ts'

/**
 * Goes through what was written beside the records, in which a person is found by reading alone, after the transaction
 * that erased them: nobody waits for it. Each page is a transaction of its own, and a run that is cut off begins again.
 */

export const eraseTracesJob = declareJob(
  'people.erase-traces',
  v.object({
    tenantId: v.string(),
    /** The record, and those that were merged into it. */
    ids: v.array(v.string()),
    /** Records that were of the person alone: entries of the log about them are emptied whole. */
    ownIds: v.array(v.string()),
    /** The account, which nobody else uses; null: there is none. */
    userId: v.nullable(v.string()),
    /** What stands in place of the name. */
    name: v.string(),
    /** Hashes of their addresses, by which mails that wait are known. */
    mails: v.array(v.string()),
  }),
)
type Traces = v.InferOutput<typeof eraseTracesJob.payload>

/** As many rows are looked through at once as nobody waits for. */
const PAGE = 1000

type Logged = 'audit_entry' | 'event' | 'notification'
const AT = { audit_entry: 'created_at', event: 'occurred_at', notification: 'created_at' } as const

/** Calls `work` with the first and the last instant of each page of a table. */
const eachPage = async (
  db: SystemDb,
  { table, tenantId }: { table: Logged; tenantId: string },
  work: (from: string, to: string) => Promise<unknown>,
): Promise<void> => {
  const at = AT[table] as 'created_at'
  let after: string | undefined
  for (;;) {
    let page = db
      .selectFrom(table as 'audit_entry')
      .select(`${at} as at`)
      .where('tenant_id', '=', tenantId)
      .orderBy(at)
      .limit(PAGE)
    if (after !== undefined) page = page.where(at, '>', after)
    const rows = await page.execute()
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last) return
    // All rows of the last instant belong to this page.
    await work(first.at, last.at)
    if (rows.length < PAGE) return
    after = last.at
  }
}

const hasAny = <T extends keyof Tables>(
  eb: ExpressionBuilder<Tables, T>,
  columns: readonly string[],
  ids: readonly string[],
) =>
  columns.flatMap((column) => ids.map((id) => eb(eb.cast(column as never, 'text') as never, 'like', `%${id}%` as never)))

/** By which others name the person. */
const namesOf = ({ ids, userId }: Traces): string[] => [...ids, ...(userId === null ? [] : [userId])]

type Entries = SelectQueryBuilder<Tables, 'audit_entry', object>

/** Empties entries of the log that tell of the person: whole, where their record was the person's alone. */
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

const eraseEntries = async (context: JobContext, traces: Traces): Promise<void> => {
  const { tenantId, ownIds } = traces
  const namedIds = namesOf(traces)
  const own = new Set([...ownIds, ...namedIds])
  const all = [...own]
  for (let from = 0; from < all.length; from += ROWS_AT_ONCE) {
    const ids = all.slice(from, from + ROWS_AT_ONCE)
    await context.change(({ everywhere: db }) =>
      emptyEntries(db, entriesOf(db, tenantId).where('entity_id', 'in', ids), own),
    )
  }
  await eachPage(context.everywhere, { table: 'audit_entry', tenantId }, (from, to) =>
    context.change(({ everywhere: db }) =>
      emptyEntries(
        db,
        entriesOf(db, tenantId)
          .where('created_at', '>=', from)
          .where('created_at', '<=', to)
          .where((eb) => eb.or(hasAny(eb, ['before', 'after', 'metadata'], namedIds))),
        own,
      ),
    ),
  )
}

const entriesOf = (db: SystemDb, tenantId: string) => db.selectFrom('audit_entry').where('tenant_id', '=', tenantId)

const eraseEvents = (context: JobContext, { tenantId, ids }: Traces): Promise<void> =>
  eachPage(context.everywhere, { table: 'event', tenantId }, (from, to) =>
    context.change(async ({ everywhere: db }) => {
      const events = await db
        .selectFrom('event')
        .select(['id', 'body'])
        .where('tenant_id', '=', tenantId)
        .where('occurred_at', '>=', from)
        .where('occurred_at', '<=', to)
        .where((eb) => eb.or(hasAny(eb, ['body'], ids)))
        .execute()
      for (const event of events) {
        const body = JSON.stringify(scrubbed(JSON.parse(event.body), new Set(ids)))
        if (body === event.body) continue
        await db
          .updateTable('event')
          .set({ body } as object)
          .where('id', '=', event.id)
          .execute()
        await db
          .updateTable('webhook_delivery')
          .set({ response_excerpt: null })
          .where('tenant_id', '=', tenantId)
          .where('event_id', '=', event.id)
          .execute()
      }
    }),
  )

type Message = 'notification' | 'notification_call'

/** Deletes messages, among those that a query finds, that name a record of the person or come from one. */
const deleteTelling = async (
  db: SystemDb,
  table: Message,
  messages: SelectQueryBuilder<Tables, Message, object>,
  about: ReadonlySet<string>,
): Promise<void> => {
  const rows = await messages.select(['id', 'source_id', 'payload']).execute()
  const telling = rows.filter((row) => [row.source_id, ...Object.values(row.payload)].some((id) => about.has(id)))
  await inBatches(telling, (batch) =>
    db
      .deleteFrom(table)
      .where(
        'id',
        'in',
        batch.map(({ id }) => id),
      )
      .execute(),
  )
}

/** What others were told of the person. */
const eraseMessages = async (context: JobContext, traces: Traces): Promise<void> => {
  const { tenantId } = traces
  const about = new Set([...namesOf(traces), ...traces.ownIds])
  await eachPage(context.everywhere, { table: 'notification', tenantId }, (from, to) =>
    context.change(({ everywhere: db }) => {
      const page = db
        .selectFrom('notification')
        .where('tenant_id', '=', tenantId)
        .where('created_at', '>=', from)
        .where('created_at', '<=', to)
      return deleteTelling(db, 'notification', page as never, about)
    }),
  )
  await context.change(({ everywhere: db }) => {
    const calls = db.selectFrom('notification_call').where('tenant_id', '=', tenantId)
    return deleteTelling(db, 'notification_call', calls as never, about)
  })
}

/** Replies that are kept for a day, for who sends a request again. Those with secrets cannot be read, and end by themselves. */
const eraseReplies = async ({ everywhere: db }: SystemTx, { ids }: Traces): Promise<void> => {
  const replies = await db
    .selectFrom('idempotency_record')
    .select(['caller', 'key', 'body'])
    .where('state', '=', 'done')
    .where('sealed', '=', false)
    .where((eb) => eb.or(hasAny(eb, ['body'], ids)))
    .execute()
  for (const { caller, key, body } of replies) {
    await db
      .updateTable('idempotency_record')
      .set({ body: JSON.stringify(scrubbed(JSON.parse(body ?? 'null'), new Set(ids))) })
      .where('caller', '=', caller)
      .where('key', '=', key)
      .execute()
  }
}

const hashOf = (email: string): string => createHash('sha256').update(emailKey(email)).digest('hex')

/** Jobs that have ended are kept for a day or until somebody tries them again, and mails until they could be sent. */
const eraseJobs = async ({ everywhere: db }: SystemTx, traces: Traces): Promise<void> => {
  const { tenantId, userId, mails } = traces
  const names = namesOf(traces)
  const ended = await db
    .selectFrom('job')
    .select(['id', 'state', 'payload'])
    .where('tenant_id', '=', tenantId)
    .where('state', 'in', ['done', 'dead'])
    .where((eb) => eb.or(hasAny(eb, ['payload'], names)))
    .execute()
  for (const job of ended) {
    // One that is done never runs again, and needs no words.
    const clean = job.state === 'done' ? emptied(job.payload) : scrubbed(job.payload, new Set(names))
    const payload = clean as Record<string, unknown>
    await db.updateTable('job').set({ payload, last_error: null }).where('id', '=', job.id).execute()
  }
  const waiting = await db
    .selectFrom('job')
    .select(['id', 'payload'])
    .where('kind', '=', 'mail.send')
    .where('state', '!=', 'running')
    .execute()
  const theirs = waiting.filter(({ payload: { to, tenantId: of } }) => {
    const isOurs = of === tenantId || (of === undefined && userId !== null)
    return isOurs && typeof to === 'string' && mails.includes(hashOf(to))
  })
  for (const { id: jobId } of theirs) await db.deleteFrom('job').where('id', '=', jobId).execute()
}

/** Empties the account, unless another institute knows it too. */
const endAccount = async (tx: SystemTx, { tenantId, userId, name }: Traces): Promise<void> => {
  if (userId === null) return
  const { everywhere: db } = tx
  await db.deleteFrom('push_device').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()
  const elsewhere = db.selectFrom('membership').select('id').where('user_id', '=', userId).limit(1)
  if (!(await elsewhere.executeTakeFirst())) await eraseAccount(tx, userId, name)
}

export const eraseTraces = async (context: JobContext<Traces>): Promise<void> => {
  const { payload: traces, change } = context
  await change((tx) => endAccount(tx, traces))
  await eraseMessages(context, traces)
  await eraseEvents(context, traces)
  await change((tx) => eraseReplies(tx, traces))
  await change((tx) => eraseJobs(tx, traces))
  // Last, so that what the steps before said of the account is in it.
  await eraseEntries(context, traces)
}
