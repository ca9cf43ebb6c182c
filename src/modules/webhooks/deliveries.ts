import * as v from 'valibot'
import { found, NotFound } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { Queries, ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeRecord, findRow, recordOf, lockReferenced, lockRow } from '#runtime/records/records.ts'
import { Delivery, type Sending } from './schemas.ts'
import { lastingHeaders, PROOFS } from './send.ts'
import { listUnder, newestFirst } from '#runtime/records/lists.ts'

const toDelivery = shows(Delivery)

const deliveryRecord = recordOf('webhook_delivery', { show: toDelivery, withoutUpdatedAt: true })

/** One attempt at a delivery: the payload of its job. */
const Attempt = v.object({
  tenantId: v.string(),
  endpointId: v.string(),
  deliveryId: v.string(),
  /** The delivery's generation when the attempt was enqueued: after a replay, older attempts are skipped. */
  generation: v.number(),
  /** Somebody asked for it, so it is made even when the endpoint is disabled. */
  replay: v.boolean(),
})
export type Attempt = v.InferOutput<typeof Attempt>

export const deliverJob = declareJob('webhooks.deliver', Attempt)

/**
 * Enqueues an attempt, for now or later. Each endpoint has its own lane among those of its institute, so a dead one
 * delays neither the others nor those of other institutes.
 */
export const enqueueAttempt = (tx: Pick<Tx, 'enqueue'>, attempt: Attempt, runAt?: string): void =>
  tx.enqueue(deliverJob, attempt, {
    lane: laneIn(attempt.tenantId, 'webhook', attempt.endpointId),
    ...(runAt && { runAt }),
  })

/** Newest first. */
export const listDeliveries = listUnder(
  { table: 'webhook_endpoint', column: 'webhook_delivery.endpoint_id' },
  {
    filters: { status: 'webhook_delivery.status' },
    from: (db) => db.selectFrom('webhook_delivery').selectAll(),
    order: newestFirst('webhook_delivery'),
    show: toDelivery,
  },
)

/**
 * What is sent of a delivery: its event keeps the text as it is sent.
 * @param events reaches the events, which stand outside the institutes
 * @throws NotFound
 */
export const readSending = async (
  { db, events }: { db: ScopedDb; events: Queries },
  endpointId: string,
  deliveryId: string,
): Promise<v.InferOutput<typeof Sending>> => {
  const row = await findRow(db, deliveryRecord, deliveryId)
  if (row.endpoint_id !== endpointId) throw NotFound()
  const { event_id: eventId, event_type: eventType } = row
  const event = await events.selectFrom('event').select('body').where('id', '=', eventId).executeTakeFirst()
  const lasting = Object.entries(lastingHeaders({ deliveryId, eventId, eventType }))
  return {
    body: found(event).body,
    headers: [...lasting.map(([name, value]) => ({ name, value })), ...PROOFS.map((name) => ({ name, value: null }))],
  }
}

/**
 * Sends a past delivery again, at once. Results of older attempts that are still running do not count.
 * @throws NotFound
 */
export const replayDelivery = async (tx: Tx, endpointId: string, deliveryId: string): Promise<Delivery> => {
  await lockReferenced(tx, 'webhook_endpoint', endpointId)
  const row = await lockRow(tx, deliveryRecord, deliveryId)
  if (row.endpoint_id !== endpointId) throw NotFound()
  const generation = row.generation + 1
  enqueueAttempt(tx, { tenantId: tx.tenant.id, endpointId, deliveryId, generation, replay: true })
  return changeRecord(tx, deliveryRecord, row, {
    status: 'queued',
    attempts: 0,
    generation,
    nextAttemptAt: tx.now,
    deliveredAt: null,
  })
}
