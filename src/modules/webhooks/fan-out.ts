import { compiledInTenant } from '#db/compiled.ts'
import { forKeyShare } from '#db/dialect.ts'
import type { EventSubscriber, RecordedEvent } from '#kernel/module.ts'
import type { SystemTx } from '#kernel/unit-of-work.ts'
import { inBatches } from '#runtime/batches.ts'
import { enqueueAttempt } from './deliveries.ts'
import './tables.ts'

// The lock keeps a concurrent delete of an endpoint from failing the transaction of the event.
const activeEndpoints = compiledInTenant((whole) =>
  forKeyShare(
    whole,
    whole.selectFrom('webhook_endpoint').select(['id', 'events']).where('is_active', '=', true).orderBy('id'),
  ),
)

const fanOutIn = async (system: SystemTx, events: readonly [RecordedEvent, ...RecordedEvent[]]): Promise<void> => {
  const tx = system.inTenant(events[0].tenant)
  const endpoints = await activeEndpoints(tx.whole, {})
  const deliveries = events.flatMap((event) =>
    endpoints
      .filter((endpoint) => endpoint.events.includes(event.type))
      .map((endpoint) => ({ id: tx.id(), endpointId: endpoint.id, event })),
  )
  await inBatches(deliveries, (batch) =>
    tx.whole
      .insertInto('webhook_delivery')
      .values(
        batch.map(({ id, endpointId, event }) => ({
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
      .execute(),
  )
  for (const { id, endpointId } of deliveries) {
    enqueueAttempt(tx, { tenantId: tx.tenant.id, deliveryId: id, endpointId, generation: 1, replay: false })
  }
}

/** Adds a delivery of each event for every active endpoint that subscribes to it, in the event's transaction. */
export const fanOut: EventSubscriber = async (system, events) => {
  for (const [first, ...rest] of Map.groupBy(events, (event) => event.tenant.id).values()) {
    if (first) await fanOutIn(system, [first, ...rest])
  }
}
