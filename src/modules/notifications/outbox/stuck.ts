import * as v from 'valibot'
import { plusSeconds } from '#kernel/time/clock.ts'
import { failure } from '#kernel/values/errors.ts'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { giveOriginalBack } from '#modules/billing/index.ts'
import { retryInstituteMails } from '#modules/mail/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { OUTSIDE_CHANNELS, type OutsideChannel } from '../tables.ts'
import { changeRecord, lockRow, type Row } from '#runtime/records/records.ts'
import type { LogEntry, StuckMessages } from '../schemas.ts'
import { DIGEST_KEY } from '../texts/language-texts.ts'
import { enqueueAttempt, laneOf } from './jobs.ts'
import { notificationRecord } from './log.ts'
import { REASONS } from './reasons.ts'
import { count, isCounted, roomFor, uncount } from './usage.ts'

/*
 * Messages that did not go out for a reason of the mail server or the provider: they wait for their next attempt, were
 * given up after the last one, or are kept, because there was no mailbox to send them from. What the other side refused for
 * good is not among them.
 */

const DAY_SECONDS = 24 * 3600
/** Older messages are no news to anybody. */
export const STUCK_DAYS = 14
/** How many messages one transaction puts back into the queue. */
const AT_ONCE = 100
/** An attempt that is due so soon comes by itself, and may have begun already. */
const SOON_SECONDS = 60

/** Of what was written before nothing is told or sent again. */
export const oldestOf = (now: string): string => plusSeconds(now, -STUCK_DAYS * DAY_SECONDS)

type Side = 'waiting' | 'failed' | 'kept'
const SIDES: readonly Side[] = ['waiting', 'failed', 'kept']
const STATUS = { waiting: 'queued', failed: 'failed', kept: 'queued' } as const

export type StuckCounts = Pick<StuckMessages, Side>

const rowsOf = (whole: ScopedDb, now: string, channel: OutsideChannel, side: Side) =>
  whole
    .selectFrom('notification')
    .where('channel', '=', channel)
    .where('status', '=', STATUS[side])
    .where('server_failed_at', 'is not', null)
    .$if(side !== 'failed', (query) => query.where('next_attempt_at', side === 'kept' ? 'is' : 'is not', null))
    // What is kept was never tried: somebody decides about it, however old it is.
    .$if(side !== 'kept', (query) => query.where('created_at', '>=', oldestOf(now)))

const countOf = async (whole: ScopedDb, now: string, channel: OutsideChannel, side: Side) => {
  const { messages, since } = await rowsOf(whole, now, channel, side)
    .select(({ fn }) => [fn.countAll<number>().as('messages'), fn.min('created_at').as('since')])
    .executeTakeFirstOrThrow()
  return { messages, since: since as string | null }
}

const countsOf = async (whole: ScopedDb, now: string, channel: OutsideChannel) => ({
  waiting: await countOf(whole, now, channel, 'waiting'),
  failed: await countOf(whole, now, channel, 'failed'),
  kept: await countOf(whole, now, channel, 'kept'),
})

/** What was said at the last attempt of the newest of them. */
const reasonOf = async (whole: ScopedDb, now: string, channel: OutsideChannel, side: Side): Promise<string> => {
  const row = await rowsOf(whole, now, channel, side)
    .select('reason')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.reason ?? ''
}

/** The messages of each channel that has any. */
export const readStuck = async (whole: ScopedDb, now: string): Promise<StuckMessages[]> => {
  const all: StuckMessages[] = []
  for (const channel of OUTSIDE_CHANNELS) {
    const { waiting, failed, kept } = await countsOf(whole, now, channel)
    const since = [waiting.since, failed.since, kept.since].filter((at) => at !== null).toSorted()[0]
    if (since === undefined) continue
    const side = waiting.messages > 0 ? 'waiting' : failed.messages > 0 ? 'failed' : 'kept'
    const reason = await reasonOf(whole, now, channel, side)
    all.push({ channel, waiting: waiting.messages, failed: failed.messages, kept: kept.messages, since, reason })
  }
  return all
}

export const retryStuckJob = declareJob(
  'notifications.retry-stuck',
  v.object({ tenantId: v.string(), channel: v.picklist(OUTSIDE_CHANNELS) }),
)

const enqueueRetry = (tx: Tx, channel: OutsideChannel): void => {
  const tenantId = tx.tenant.id
  tx.enqueue(retryStuckJob, { tenantId, channel }, { lane: laneIn(tenantId, 'retry') })
}

/** Sends them all again, a slice at a time. @returns how they stood when that was asked for */
export const retryStuck = async (tx: Tx, channel: OutsideChannel): Promise<StuckCounts> => {
  const { waiting, failed, kept } = await countsOf(tx.whole, tx.now, channel)
  enqueueRetry(tx, channel)
  const asked = { waiting: waiting.messages, failed: failed.messages, kept: kept.messages }
  tx.audit({ entityType: 'notification', entityId: null, metadata: { channel, ...asked } })
  return asked
}

/**
 * Puts messages back into the queue, due now, with all their attempts. A message that another request has put back is not
 * stuck any more, and what an earlier attempt brings after this does not count.
 */
const putBack = async (tx: Tx, channel: OutsideChannel, side: Side, limit: number): Promise<number> => {
  if (limit <= 0) return 0
  const { whole, now } = tx
  const stuck = rowsOf(whole, now, channel, side)
    .select('id')
    .$if(side === 'waiting', (query) => query.where('next_attempt_at', '>', plusSeconds(now, SOON_SECONDS)))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  const rows = await whole
    .updateTable('notification')
    .set((eb) => ({
      status: 'queued',
      reason: null,
      attempts: 0,
      generation: eb('generation', '+', 1),
      next_attempt_at: now,
      server_failed_at: null,
    }))
    .where('id', 'in', stuck)
    .where('status', '=', STATUS[side])
    .where('server_failed_at', 'is not', null)
    .returning(['id', 'generation', 'template_key'])
    .execute()
  const tenantId = tx.tenant.id
  const lane = laneOf(tenantId, channel, true)
  for (const { id, generation } of rows) enqueueAttempt(tx, { tenantId, notificationId: id, generation, lane })
  const digests = rows.filter((row) => row.template_key === DIGEST_KEY).map(({ id }) => id)
  if (digests.length > 0) {
    await whole
      .updateTable('notification')
      .set({ status: 'queued', reason: null })
      .where('digest_id', 'in', digests)
      .execute()
  }
  // What waited has been counted all the time.
  const counted = side === 'failed' ? rows.filter((row) => isCounted(row.template_key)).length : 0
  if (counted > 0) await count(tx, { [channel]: counted })
  return rows.length
}

/** Puts the next slice back, and for mails also the invitations. */
export const retryStuckSlice = async ({
  payload: { tenantId, channel },
  finish,
}: JobContext<v.InferOutput<typeof retryStuckJob.payload>>): Promise<void> => {
  await finish(async (system) => {
    const tenant = await findTenant(system.db, tenantId)
    if (!tenant || tenant.status === 'archived') return
    const tx = system.inTenant(tenant)
    const failed = await putBack(tx, channel, 'failed', Math.min(AT_ONCE, await roomFor(tx)))
    const kept = await putBack(tx, channel, 'kept', AT_ONCE - failed)
    const waiting = await putBack(tx, channel, 'waiting', AT_ONCE - failed - kept)
    if (channel === 'email') await retryInstituteMails(system, tenantId)
    if (failed + kept + waiting === AT_ONCE) enqueueRetry(tx, channel)
  })
}

/** Gives up the messages of one side. @returns how many */
const drop = async (tx: Tx, channel: OutsideChannel, side: Side): Promise<number> => {
  const { whole, now } = tx
  const rows = await whole
    .updateTable('notification')
    .set((eb) => ({
      status: 'skipped',
      reason: REASONS.dropped,
      // What a running attempt brings after this does not count.
      generation: eb('generation', '+', 1),
      next_attempt_at: null,
      server_failed_at: null,
    }))
    .where('id', 'in', rowsOf(whole, now, channel, side).select('id'))
    .where('status', '=', STATUS[side])
    .where('server_failed_at', 'is not', null)
    .returning(['id', 'template_key', 'payload', 'created_at'])
    .execute()
  await letGo(tx, channel, side, rows)
  return rows.length
}

/** What follows for others once messages were given up. */
const letGo = async (
  tx: Tx,
  channel: OutsideChannel,
  side: Side,
  rows: readonly Pick<Row<'notification'>, 'id' | 'template_key' | 'payload' | 'created_at'>[],
): Promise<void> => {
  for (const { id, template_key: key, payload, created_at: createdAt } of rows) {
    await giveOriginalBack(tx, id, payload)
    // What was given up after its last attempt does not count any more.
    if (side !== 'failed' && isCounted(key)) await uncount(tx, channel, createdAt)
  }
  const digests = rows.filter((row) => row.template_key === DIGEST_KEY).map(({ id }) => id)
  if (digests.length === 0) return
  await tx.whole
    .updateTable('notification')
    .set({ status: 'skipped', reason: REASONS.dropped })
    .where('digest_id', 'in', digests)
    .execute()
}

/** Gives up all that did not go out over the channel: nobody wants to hear of it any more. @returns how many of each side */
export const dropStuck = async (tx: Tx, channel: OutsideChannel): Promise<StuckCounts> => {
  const dropped = { waiting: 0, failed: 0, kept: 0 }
  for (const side of SIDES) dropped[side] = await drop(tx, channel, side)
  tx.audit({ entityType: 'notification', entityId: null, metadata: { channel, ...dropped } })
  return dropped
}

export const NotStuck = failure(
  'CONFLICT',
  'message_not_stuck',
  'This message neither waits for the mail server or a provider nor was given up because of one.',
)

/** Gives up one of them; what a running attempt brings after this does not count. @throws NotFound, NotStuck */
export const dropMessage = async (tx: Tx, id: string): Promise<LogEntry> => {
  const row = await lockRow(tx, notificationRecord, id)
  const { channel, status } = row
  if (channel === 'in_app' || row.server_failed_at === null) throw NotStuck()
  await letGo(tx, channel, status === 'failed' ? 'failed' : 'waiting', [row])
  return changeRecord(tx, notificationRecord, row, {
    status: 'skipped',
    reason: REASONS.dropped,
    generation: row.generation + 1,
    nextAttemptAt: null,
    serverFailedAt: null,
  })
}
