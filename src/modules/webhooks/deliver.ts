import type { Logger } from 'pino'
import type { JobContext } from '#kernel/contract/module.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import { compiled } from '#db/queries/compiled.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import type { Attempt } from './deliveries.ts'
import { saveResult, disableDelivery, type Backoff } from './results.ts'
import { liveSecrets } from './secrets.ts'
import { sendSigned } from './send.ts'

export interface DeliverDeps extends Backoff {
  vault: Vault
  outbound: Outbound
  log: Logger
}

/** What to send, and where; no row when the delivery was delivered, replayed, disabled or deleted meanwhile. */
const findQueued = compiled((db, { tenantId, deliveryId, generation }: Omit<Attempt, 'endpointId' | 'replay'>) =>
  db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_endpoint', (join) =>
      join
        .onRef('webhook_endpoint.tenant_id', '=', 'webhook_delivery.tenant_id')
        .onRef('webhook_endpoint.id', '=', 'webhook_delivery.endpoint_id'),
    )
    .innerJoin('event', 'event.id', 'webhook_delivery.event_id')
    .select([
      'webhook_delivery.attempts',
      'webhook_delivery.event_id',
      'webhook_delivery.event_type',
      'webhook_endpoint.url',
      'webhook_endpoint.is_active',
      'webhook_endpoint.secret',
      'webhook_endpoint.previous_secret',
      'webhook_endpoint.previous_secret_expires_at',
      'event.body',
    ])
    .where('webhook_delivery.tenant_id', '=', tenantId)
    .where('webhook_delivery.id', '=', deliveryId)
    .where('webhook_delivery.generation', '=', generation)
    .where('webhook_delivery.status', '=', 'queued'),
)

type Queued = Awaited<ReturnType<typeof findQueued>>[number]

export const loadQueued = async (db: SystemDb, attempt: Attempt): Promise<Queued | undefined> =>
  (await findQueued(db, attempt))[0]

/**
 * Makes one attempt and saves its result in the transaction that ends the job: the receiver may get a delivery more
 * than once, but each result counts once.
 */
export const deliver =
  ({ vault, outbound, backoffSeconds, log }: DeliverDeps) =>
  async ({ payload: attempt, loaded: found, now, finish }: JobContext<Attempt, Queued | undefined>): Promise<void> => {
    if (!found) return
    if (!found.is_active && !attempt.replay) {
      await finish((tx) => disableDelivery(tx, attempt))
      return
    }
    const result = await sendSigned(outbound, {
      url: found.url,
      secrets: liveSecrets(vault, found, now),
      deliveryId: attempt.deliveryId,
      eventId: found.event_id,
      eventType: found.event_type,
      body: found.body,
      now,
    })
    const attempts = found.attempts + 1
    let failed = false
    await finish(async (tx) => {
      failed = await saveResult(tx, attempt, { result, attempts, backoffSeconds })
    })
    if (!failed) return
    const { tenantId, endpointId, deliveryId } = attempt
    const why = result.status === null ? { error: result.error } : { status: result.status }
    // The address may hold a credential, and is in the list of endpoints.
    log.warn({ tenantId, endpointId, deliveryId, attempts, ...why }, 'a webhook delivery failed for good')
  }
