import { compiled } from '#db/queries/compiled.ts'
import { forKeyShare } from '#db/dialect.ts'
import type { EventSubscriber, EmittedEvent } from '#kernel/contract/module.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { inBatches } from '#runtime/change/batches.ts'
import { enqueueAttempt } from './deliveries.ts'

// The lock keeps a concurrent delete of an endpoint from failing the transaction of the event.
const activeEndpoints = (db: SystemDb) =>
  forKeyShare(
    db,
    db.selectFrom('webhook_endpoint').select(['tenant_id', 'id', 'events']).where('is_active', '=', true).orderBy('id'),
  )

type ActiveEndpoint = Awaited<ReturnType<ReturnType<typeof activeEndpoints>['execute']>>[number]

const endpointsOfOne = compiled((db, { tenantId }: { tenantId: string }) =>
  activeEndpoints(db).where('tenant_id', '=', tenantId),
)

/** The active endpoints of these institutes: a sweep records events of many at once, and asks for all of them once. */
const endpointsOf = ({ everywhere: db }: SystemTx, tenantIds: readonly string[]): Promise<ActiveEndpoint[]> => {
  const [tenantId] = tenantIds
  return tenantIds.length === 1 && tenantId !== undefined
    ? endpointsOfOne(db, { tenantId })
    : activeEndpoints(db).where('tenant_id', 'in', tenantIds).execute()
}

const fanOutIn = async (
  system: SystemTx,
  endpoints: readonly ActiveEndpoint[],
  events: readonly [EmittedEvent, ...EmittedEvent[]],
): Promise<void> => {
  const tx = system.inTenant(events[0].tenant)
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
  const byTenant = Map.groupBy(events, (event) => event.tenant.id)
  const endpoints = Map.groupBy(await endpointsOf(system, [...byTenant.keys()]), (endpoint) => endpoint.tenant_id)
  for (const [tenantId, [first, ...rest]] of byTenant) {
    const own = endpoints.get(tenantId)
    if (first && own) await fanOutIn(system, own, [first, ...rest])
  }
}
