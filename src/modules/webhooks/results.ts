import { forNoKeyUpdate } from '#db/dialect.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { compiled } from '#db/queries/compiled.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { OutboundResult } from '#ports/outbound/port.ts'
import { enqueueAttempt, type Attempt } from './deliveries.ts'
import { disableEndpoint } from './endpoints-service.ts'

/** After this many deliveries in a row that failed with all their attempts, the endpoint is disabled. */
const FAILURES_TO_DISABLE = 20

export interface Backoff {
  /** Seconds between the attempts; there is one more attempt than entries. */
  backoffSeconds: readonly number[]
}

interface Outcome extends Backoff {
  result: OutboundResult
  /** Including this one. */
  attempts: number
}

// Every transaction locks the endpoint before its deliveries, so that no two deadlock.
const lockEndpoint = ({ everywhere: db }: SystemTx, { tenantId, endpointId }: Attempt) =>
  forNoKeyUpdate(
    db,
    db
      .selectFrom('webhook_endpoint')
      .select(['is_active', 'failure_count'])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', endpointId),
  ).executeTakeFirst()

/** The delivery, unless it was replayed meanwhile (then its generation differs). */
const updateDelivery = ({ everywhere: db }: SystemTx, { tenantId, deliveryId, generation }: Attempt) =>
  db
    .updateTable('webhook_delivery')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', deliveryId)
    .where('generation', '=', generation)

const updateEndpoint = ({ everywhere: db }: SystemTx, { tenantId, endpointId }: Attempt) =>
  db.updateTable('webhook_endpoint').where('tenant_id', '=', tenantId).where('id', '=', endpointId)

const attemptColumns = ({ result, attempts }: Outcome) => ({
  attempts,
  last_status_code: result.status,
  response_excerpt: result.status === null ? result.error : result.excerpt,
})

/** Marks a queued delivery as disabled: no further attempts. */
export const disableDelivery = async (tx: SystemTx, attempt: Attempt): Promise<void> => {
  await updateDelivery(tx, attempt)
    .set({ status: 'disabled', next_attempt_at: null })
    .where('status', '=', 'queued')
    .execute()
}

// Compare with the row as it is now: other deliveries may have failed while this one ran.
const resetFailures = compiled((db, { tenantId, endpointId }: Pick<Attempt, 'tenantId' | 'endpointId'>) =>
  db
    .updateTable('webhook_endpoint')
    .set({ failure_count: 0 })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', endpointId)
    .where('failure_count', '>', 0),
)

const markDelivered = compiled(
  (
    db,
    values: Pick<Attempt, 'tenantId' | 'deliveryId' | 'generation'> & {
      attempts: number
      status: number | null
      excerpt: string | null
      now: string
    },
  ) =>
    db
      .updateTable('webhook_delivery')
      .set({
        status: 'delivered',
        attempts: values.attempts,
        last_status_code: values.status,
        response_excerpt: values.excerpt,
        next_attempt_at: null,
        delivered_at: values.now,
      })
      .where('tenant_id', '=', values.tenantId)
      .where('id', '=', values.deliveryId)
      .where('generation', '=', values.generation),
)

// Also for an endpoint that was disabled meanwhile, because the delivery did arrive.
const saveSuccess = async (tx: SystemTx, attempt: Attempt, outcome: Outcome): Promise<void> => {
  const { tenantId, endpointId, deliveryId, generation } = attempt
  await resetFailures(tx.everywhere, { tenantId, endpointId })
  const { attempts, last_status_code: status, response_excerpt: excerpt } = attemptColumns(outcome)
  await markDelivered(tx.everywhere, { tenantId, deliveryId, generation, attempts, status, excerpt, now: tx.now })
}

/** @returns whether it failed for good */
const saveFailure = async (tx: SystemTx, attempt: Attempt, outcome: Outcome): Promise<boolean> => {
  const found = await lockEndpoint(tx, attempt)
  // The endpoint was deleted, and its deliveries with it.
  if (!found) return false
  const wait = found.is_active ? outcome.backoffSeconds[outcome.attempts - 1] : undefined
  const next = wait === undefined ? null : plusSeconds(tx.now, wait)
  const status = next !== null ? 'queued' : found.is_active ? 'failed' : 'disabled'
  const { numUpdatedRows } = await updateDelivery(tx, attempt)
    .set({ ...attemptColumns(outcome), status, next_attempt_at: next })
    .where('status', '=', 'queued')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) {
    // The delivery was disabled during the attempt: it stays disabled, and shows the attempt.
    await updateDelivery(tx, attempt).set(attemptColumns(outcome)).execute()
    return false
  }
  if (next !== null) enqueueAttempt(tx, { ...attempt, replay: false }, next)
  if (status !== 'failed') return false
  await countFailure(tx, attempt, found.failure_count + 1)
  return true
}

/** When many deliveries fail at once, the one that reaches the limit disables the endpoint. */
const countFailure = async (tx: SystemTx, attempt: Attempt, failures: number): Promise<void> => {
  await updateEndpoint(tx, attempt).set({ failure_count: failures }).execute()
  if (failures < FAILURES_TO_DISABLE) return
  const tenant = await findTenant(tx.db, attempt.tenantId)
  if (!tenant) throw new Error('an endpoint belongs to no institute')
  await disableEndpoint(tx.inTenant(tenant), attempt.endpointId)
}

/**
 * Saves the result of an attempt: delivered, to be retried later, or failed for good.
 * @returns whether it failed for good
 */
export const saveResult = async (tx: SystemTx, attempt: Attempt, outcome: Outcome): Promise<boolean> => {
  if (!outcome.result.ok) return saveFailure(tx, attempt, outcome)
  await saveSuccess(tx, attempt, outcome)
  return false
}
