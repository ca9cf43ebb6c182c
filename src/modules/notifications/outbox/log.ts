import type { Caller } from '#kernel/who/actor.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import { failure, NotFound, reasons } from '#kernel/values/errors.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import { keepPace } from '#runtime/queue/pace.ts'
import { canBeCalled, NobodyReached, type UnreachedBecause } from '#runtime/queue/reached.ts'
import { changeRecord, findRow, lockRow, readRecord, recordOf, type Row } from '#runtime/records/records.ts'
import { REACHED_BY, type Channels } from '../channels/channel.ts'
import { inboxOf } from '../channels/inbox.ts'
import { findUsers } from '../recipients/accounts.ts'
import { accountsOf, peopleOf, type Person } from '../recipients/people.ts'
import { findGuardians, findStaff, findStudents } from '../recipients/records.ts'
import { channelsNow } from '../recipients/unreached.ts'
import { preferencesOf } from '../preferences/lookup.ts'
import { enqueueAttempt, laneOf } from './jobs.ts'
import { paceKey } from './pace-key.ts'
import { becauseOf } from './reasons.ts'
import type { LogEntry, LoggedMessage } from '../schemas.ts'
import { DIGEST_KEY } from '../texts/language-texts.ts'
import { countOne, isCounted } from './usage.ts'

const toLogEntry = (row: Row<'notification'>): LogEntry => ({
  id: row.id,
  sourceId: row.source_id,
  templateKey: row.template_key,
  channel: row.channel,
  locale: row.locale,
  recipient: { kind: row.recipient_kind, id: row.recipient_id, name: row.recipient_name, address: row.address },
  title: row.title,
  body: row.body,
  payload: row.payload,
  status: row.status,
  reason: row.reason,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at,
  sentAt: row.sent_at,
  readAt: row.read_at,
  because: becauseOf(row.reason),
  createdAt: row.created_at,
})

/** A message as its own page shows it. */
export const loggedMessage = recordOf('notification', {
  show: (row): LoggedMessage => ({ ...toLogEntry(row), tries: [...(row.tries ?? [])] }),
  withoutUpdatedAt: true,
})

export const notificationRecord = recordOf('notification', { show: toLogEntry, withoutUpdatedAt: true })

/** Newest first. */
const listAll = listOf({
  filters: {
    status: 'notification.status',
    channel: 'notification.channel',
    templateKey: 'notification.template_key',
    recipientId: 'notification.recipient_id',
    sourceId: 'notification.source_id',
    sentByUserId: 'notification.sent_by_user_id',
  },
  from: (db) => db.selectFrom('notification').selectAll('notification'),
  order: newestFirst('notification'),
  show: toLogEntry,
})

/** Teachers hold no permission for the addresses of families: they see to whom it went, and whether it arrived. */
const withoutAddresses = <Entry extends LogEntry>(entry: Entry): Entry => ({
  ...entry,
  recipient: { ...entry.recipient, address: null },
  // What the other side said may name an address.
  reason: null,
})

interface Reading {
  whole: ScopedDb
  caller: Caller
  reachedBy: (permission: Permission) => Promise<ScopedDb | undefined>
}

/** The log that the caller reaches; without the permission what they sent themselves. */
export const listLog = async ({
  whole,
  caller,
  reachedBy,
  ...context
}: Reading & Omit<Parameters<typeof listAll>[0], 'db'>): Promise<Page<LogEntry>> => {
  const db = await reachedBy('notifications.send')
  if (db) return listAll({ ...context, db })
  const { data, nextCursor } = await listAll({
    ...context,
    db: whole,
    query: { ...context.query, sentByUserId: inboxOf(caller) },
  })
  return { data: data.map(withoutAddresses), nextCursor }
}

/** @throws NotFound also for what somebody else sent, without the permission */
export const readLogged = async ({ whole, caller, reachedBy }: Reading, id: string): Promise<LoggedMessage> => {
  const db = await reachedBy('notifications.send')
  if (db) return readRecord(db, loggedMessage, id)
  const row = await findRow(whole, loggedMessage, id)
  if (row.sent_by_user_id !== inboxOf(caller)) throw NotFound()
  const message = withoutAddresses(await readRecord(whole, loggedMessage, id))
  return { ...message, tries: message.tries.map((one) => ({ ...one, reason: null })) }
}

export const NotRetryable = failure(
  'CONFLICT',
  'not_retryable',
  'This message cannot be sent again; details.reason says why.',
  {
    details: reasons('not_failed', 'part_of_digest', 'nothing_to_send', 'recipient_gone'),
  },
)

/** The recipient as they are now: the address may have been mended. */
const findRecipient = async (
  whole: ScopedDb,
  { recipient_kind: kind, recipient_id: id }: Row<'notification'>,
): Promise<Person | undefined> => {
  const finders = { user: findUsers, student: findStudents, guardian: findGuardians, staff: findStaff }
  const found = await finders[kind](whole, [id])
  return peopleOf(await accountsOf(whole, found), found, 'en')[0]
}

/** @throws NotRetryable, NobodyReached */
const addressNow = async (tx: Tx, row: Row<'notification'>, channels: Channels): Promise<string | null> => {
  if (row.status !== 'failed' && row.status !== 'skipped') throw NotRetryable({ reason: 'not_failed' })
  if (row.digest_id !== null) throw NotRetryable({ reason: 'part_of_digest' })
  if (row.channel === 'in_app' || row.body === '') throw NotRetryable({ reason: 'nothing_to_send' })
  const person = await findRecipient(tx.whole, row)
  if (!person) throw NotRetryable({ reason: 'recipient_gone' })
  const { kind, id, name } = person
  const nobodyReached = (because: UnreachedBecause) =>
    NobodyReached({ recipient: { kind, id, name }, because, canCall: canBeCalled(because, person.phone) })
  const works = await channelsNow(tx.whole, tx.tenant, channels)
  if (!works.has(row.channel)) throw nobodyReached('not_set_up')
  const preference = (await preferencesOf(tx.whole, [person]))(person, row.channel)
  if (!preference.enabled) throw nobodyReached('opted_out')
  const by = REACHED_BY[row.channel]
  const address = by === 'account' ? person.userId : person[by]
  if (address === null) throw nobodyReached('no_address')
  return by === 'account' ? null : address
}

/**
 * Sends a message again, to the address that the recipient has now. Results of older attempts that are still running do
 * not count. @throws NotFound, NotRetryable, NobodyReached, QuotaExceeded, RecordSentOften, PersonSentOften
 */
export const retryMessage = async (tx: Tx, id: string, channels: Channels): Promise<LogEntry> => {
  const row = await lockRow(tx, notificationRecord, id)
  const address = await addressNow(tx, row, channels)
  await keepPace(tx, { recordId: id, address: paceKey(row.channel, address ?? row.recipient_id) })
  if (row.channel !== 'in_app' && isCounted(row.template_key)) await countOne(tx, row.channel)
  const generation = row.generation + 1
  const { channel } = row
  enqueueAttempt(tx, {
    tenantId: tx.tenant.id,
    notificationId: id,
    generation,
    lane: laneOf(tx.tenant.id, channel),
  })
  if (row.template_key === DIGEST_KEY) {
    await tx.whole
      .updateTable('notification')
      .set({ status: 'queued', reason: null })
      .where('digest_id', '=', id)
      .execute()
  }
  return changeRecord(tx, notificationRecord, row, {
    status: 'queued',
    reason: null,
    address,
    attempts: 0,
    generation,
    nextAttemptAt: tx.now,
    serverFailedAt: null,
  })
}
