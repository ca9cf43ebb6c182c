import { plusSeconds } from '#kernel/clock.ts'
import type { JobContext } from '#kernel/module.ts'
import type { SystemDb } from '#kernel/tables.ts'
import type { SystemTx } from '#kernel/unit-of-work.ts'
import type { Outbound, OutboundResult } from '#ports/outbound/port.ts'
import type { Vault } from '#runtime/vault.ts'
import { enqueueAttempt } from './deliveries.ts'
import { liveSecrets } from './secrets.ts'
import { sendSigned } from './send.ts'
import './tables.ts'

export interface DeliverDeps {
  vault: Vault
  outbound: Outbound
  /** Waits between the attempts, in seconds; one attempt more than waits. */
  backoffSeconds: readonly number[]
}

/** An endpoint is switched off after so many deliveries in a row that failed at their last attempt. */
const FAILURES_TO_DISABLE = 20

interface Attempt {
  deliveryId: string
  generation: number
  replay: boolean
}

const findDelivery = (db: SystemDb, { deliveryId, generation }: Attempt) =>
  db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_endpoint', (join) =>
      join
        .onRef('webhook_endpoint.tenant_id', '=', 'webhook_delivery.tenant_id')
        .onRef('webhook_endpoint.id', '=', 'webhook_delivery.endpoint_id'),
    )
    .innerJoin('event', 'event.id', 'webhook_delivery.event_id')
    .select([
      'webhook_delivery.id',
      'webhook_delivery.tenant_id',
      'webhook_delivery.endpoint_id',
      'webhook_delivery.attempts',
      'webhook_delivery.event_type',
      'webhook_endpoint.url',
      'webhook_endpoint.is_active',
      'webhook_endpoint.secret',
      'webhook_endpoint.previous_secret',
      'webhook_endpoint.previous_secret_expires_at',
      'event.body',
    ])
    .where('webhook_delivery.id', '=', deliveryId)
    .where('webhook_delivery.generation', '=', generation)
    .where('webhook_delivery.status', '=', 'queued')
    .executeTakeFirst()

type Found = NonNullable<Awaited<ReturnType<typeof findDelivery>>>

/** Makes one attempt and keeps what came of it together with the job's end. */
export const deliver =
  ({ vault, outbound, backoffSeconds }: DeliverDeps) =>
  async (context: JobContext): Promise<void> => {
    const attempt = context.payload as unknown as Attempt
    const found = await findDelivery(context.db, attempt)
    // Delivered, replayed, disabled or deleted meanwhile.
    if (!found || (!found.is_active && !attempt.replay)) return
    const result = await sendSigned(outbound, {
      url: found.url,
      secrets: liveSecrets(vault, found, context.now),
      deliveryId: found.id,
      eventType: found.event_type,
      body: found.body,
      now: context.now,
    })
    await context.finish((tx) => keepResult(tx, found, attempt, { result, backoffSeconds }))
  }

const keepResult = async (
  tx: SystemTx,
  found: Found,
  attempt: Attempt,
  { result, backoffSeconds }: { result: OutboundResult; backoffSeconds: readonly number[] },
): Promise<void> => {
  const attempts = found.attempts + 1
  const wait = found.is_active ? backoffSeconds[attempts - 1] : undefined
  const retryAt = !result.ok && wait !== undefined ? plusSeconds(tx.now, wait) : null
  const status = result.ok ? 'delivered' : retryAt ? 'queued' : found.is_active ? 'failed' : 'disabled'
  const { numUpdatedRows } = await tx.db
    .updateTable('webhook_delivery')
    .set({
      status,
      attempts,
      last_status_code: result.status,
      response_excerpt: result.status === null ? result.error : result.excerpt,
      next_attempt_at: retryAt,
      delivered_at: result.ok ? tx.now : null,
    })
    .where('tenant_id', '=', found.tenant_id)
    .where('id', '=', found.id)
    .where('generation', '=', attempt.generation)
    .where('status', '=', 'queued')
    .executeTakeFirst()
  // Replayed or disabled while the try was under way.
  if (numUpdatedRows === 0n) return
  if (retryAt) {
    const { deliveryId: id, generation } = attempt
    enqueueAttempt(tx, { id, endpointId: found.endpoint_id, generation, replay: false }, retryAt)
  }
  if (status === 'delivered') await forgetFailures(tx, found)
  if (status === 'failed') await countFailure(tx, found)
}

const forgetFailures = async ({ db }: SystemTx, { tenant_id: tenantId, endpoint_id: id }: Found): Promise<void> => {
  await db
    .updateTable('webhook_endpoint')
    .set({ failure_count: 0 })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('failure_count', '>', 0)
    .execute()
}

/** Of many that fail at once, the one that counts to the limit disables the endpoint. */
const countFailure = async (tx: SystemTx, { tenant_id: tenantId, endpoint_id: id }: Found): Promise<void> => {
  const counted = await tx.db
    .updateTable('webhook_endpoint')
    .set((eb) => ({ failure_count: eb('failure_count', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .returning('failure_count')
    .executeTakeFirst()
  if (!counted || counted.failure_count < FAILURES_TO_DISABLE) return
  await tx.db
    .updateTable('webhook_endpoint')
    .set({ is_active: false, disabled_at: tx.now, updated_at: tx.now })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  await tx.db
    .updateTable('webhook_delivery')
    .set({ status: 'disabled', next_attempt_at: null })
    .where('tenant_id', '=', tenantId)
    .where('endpoint_id', '=', id)
    .where('status', '=', 'queued')
    .execute()
}
