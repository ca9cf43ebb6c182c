import type { Selectable } from 'kysely'
import type { InferOutput } from 'valibot'
import type { Cursors } from '#kernel/endpoint.ts'
import { NotFound } from '#kernel/errors.ts'
import type { EventSink } from '#kernel/module.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { newestFirst, pageBy } from '#runtime/pages.ts'
import { findEndpoint } from './endpoints-service.ts'
import type { Delivery, DeliveryQuery } from './schemas.ts'
import './tables.ts'

export const DELIVER_JOB = 'webhooks.deliver'

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

/** An attempt, now or later. Endpoints take turns: one that is dead holds up no other. */
export const enqueueAttempt = (
  tx: Pick<Tx, 'enqueue'>,
  delivery: { id: string; endpointId: string; generation: number; replay: boolean },
  runAt?: string,
): void => {
  const { id, endpointId, generation, replay } = delivery
  tx.enqueue(DELIVER_JOB, { deliveryId: id, generation, replay }, { lane: endpointId, ...(runAt && { runAt }) })
}

/** Makes a delivery of each event for every active endpoint that asked for it, in the event's own transaction. */
export const fanOut: EventSink = async (system, events) => {
  for (const [tenant, ofTenant] of Map.groupBy(events, (event) => event.tenant)) {
    const tx = system.inTenant(tenant)
    const endpoints = await tx.whole
      .selectFrom('webhook_endpoint')
      .select(['id', 'events'])
      .where('is_active', '=', true)
      .execute()
    const deliveries = ofTenant.flatMap((event) =>
      endpoints
        .filter((endpoint) => endpoint.events.includes(event.type))
        .map((endpoint) => ({ id: tx.id(), endpointId: endpoint.id, event })),
    )
    if (deliveries.length === 0) continue
    await tx.whole
      .insertInto('webhook_delivery')
      .values(
        deliveries.map(({ id, endpointId, event }) => ({
          id,
          endpoint_id: endpointId,
          event_id: event.id,
          event_type: event.type,
          status: 'queued' as const,
          attempts: 0,
          generation: 1,
          last_status_code: null,
          response_excerpt: null,
          next_attempt_at: tx.now,
          delivered_at: null,
          created_at: tx.now,
        })),
      )
      .execute()
    for (const { id, endpointId } of deliveries) enqueueAttempt(tx, { id, endpointId, generation: 1, replay: false })
  }
}

/** Newest first. @throws NotFound for the endpoint */
export const listDeliveries = async (
  db: ScopedDb,
  cursors: Cursors,
  { endpointId, ...query }: { endpointId: string } & InferOutput<typeof DeliveryQuery>,
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
  const row = await tx.db
    .updateTable('webhook_delivery')
    .set((eb) => ({
      status: 'queued' as const,
      attempts: 0,
      generation: eb('generation', '+', 1),
      next_attempt_at: tx.now,
      delivered_at: null,
    }))
    .where('id', '=', deliveryId)
    .where('endpoint_id', '=', endpointId)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw NotFound()
  enqueueAttempt(tx, { id: row.id, endpointId, generation: row.generation, replay: true })
  const delivery = toDelivery(row)
  tx.audit({ entityType: 'webhook_delivery', entityId: row.id, after: delivery })
  return delivery
}
