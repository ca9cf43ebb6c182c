import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { lockedForChange } from '#db/dialect.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { NotFound } from '#kernel/errors.ts'
import { declareJob } from '#kernel/job.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { newestFirst, pageBy } from '#runtime/pages.ts'
import { findEndpoint, keepEndpoint } from './endpoints-service.ts'
import type { Delivery, DeliveryQuery } from './schemas.ts'
import './tables.ts'

type DeliveryRow = Selectable<Tables['webhook_delivery']>

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  eventType: row.event_type,
  status: row.status,
  attempts: row.attempts,
  lastStatusCode: row.last_status_code,
  responseExcerpt: row.response_excerpt,
  nextAttemptAt: row.next_attempt_at,
  deliveredAt: row.delivered_at,
  createdAt: row.created_at,
})

/** One attempt at a delivery, as its job carries it. */
const Attempt = v.object({
  tenantId: v.string(),
  endpointId: v.string(),
  deliveryId: v.string(),
  /** Of the delivery when it was asked for: an attempt from before a replay is left out. */
  generation: v.number(),
  /** Asked for by somebody: made even where the endpoint is disabled. */
  replay: v.boolean(),
})
export type Attempt = v.InferOutput<typeof Attempt>

export const deliverJob = declareJob('webhooks.deliver', Attempt)

/** An attempt, now or later. Endpoints take turns: one that is dead holds up no other. */
export const enqueueAttempt = (tx: Pick<Tx, 'enqueue'>, attempt: Attempt, runAt?: string): void =>
  tx.enqueue(deliverJob, attempt, { lane: attempt.endpointId, ...(runAt && { runAt }) })

/** Newest first. @throws NotFound for the endpoint */
export const listDeliveries = async (
  db: ScopedDb,
  cursors: Cursors,
  { endpointId, ...query }: { endpointId: string } & v.InferOutput<typeof DeliveryQuery>,
): Promise<Page<Delivery>> => {
  await findEndpoint(db, endpointId)
  let deliveries = db.selectFrom('webhook_delivery').selectAll().where('endpoint_id', '=', endpointId)
  if (query.status) deliveries = deliveries.where('status', '=', query.status)
  return pageBy(deliveries, { ...query, cursors }, newestFirst('webhook_delivery'), toDelivery)
}

/**
 * Sends a past delivery again, at once. What a try that is still under way brings back counts for nothing.
 * @throws NotFound
 */
export const replayDelivery = async (tx: Tx, endpointId: string, deliveryId: string): Promise<Delivery> => {
  await keepEndpoint(tx.db, endpointId)
  const before = await lockedForChange(
    tx.db,
    tx.db.selectFrom('webhook_delivery').selectAll().where('id', '=', deliveryId).where('endpoint_id', '=', endpointId),
  ).executeTakeFirst()
  if (!before) throw NotFound()
  const generation = before.generation + 1
  const row = await tx.db
    .updateTable('webhook_delivery')
    .set({ status: 'queued', attempts: 0, generation, next_attempt_at: tx.now, delivered_at: null })
    .where('id', '=', deliveryId)
    .returningAll()
    .executeTakeFirstOrThrow()
  enqueueAttempt(tx, { tenantId: tx.tenant.id, endpointId, deliveryId, generation, replay: true })
  const after = toDelivery(row)
  tx.audit({ entityType: 'webhook_delivery', entityId: row.id, before: toDelivery(before), after })
  return after
}
