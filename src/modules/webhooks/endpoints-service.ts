import * as v from 'valibot'
import type { InferOutput } from 'valibot'
import { forNoKeyUpdate } from '#db/dialect.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { failure, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import { noticeDisabledEndpoint } from '#modules/notifications/index.ts'
import { countRows, findTenant, lockInstitute } from '#modules/tenants/index.ts'
import { ROWS_AT_ONCE, sweepInBatches } from '#runtime/change/batches.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  recordOf,
  lockRow,
  lockToDelete,
  readRecord,
  type Row,
} from '#runtime/records/records.ts'
import type { Begin } from '#kernel/contract/endpoint.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { checkUrl, type UrlPolicy } from '#ports/outbound/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { WebhookEndpoint, type NewWebhook, type Rotated, type WebhookChanges } from './schemas.ts'
import { newSecret, sealSecret } from './secrets.ts'

export type EndpointRow = Row<'webhook_endpoint'>

const showEndpoint = shows(WebhookEndpoint)

export const endpointRecord = recordOf('webhook_endpoint', { show: showEndpoint })

/** The endpoint at this instant, without a previous secret whose overlap has ended. */
const at = (now: string, endpoint: WebhookEndpoint): WebhookEndpoint => {
  const expiresAt = endpoint.previousSecretExpiresAt
  return { ...endpoint, previousSecretExpiresAt: expiresAt !== null && expiresAt > now ? expiresAt : null }
}

const toEndpoint = (row: EndpointRow, now: string): WebhookEndpoint => at(now, showEndpoint(row))

/** Newest first. */
export const listEndpoints = listOf({
  from: (db) => db.selectFrom('webhook_endpoint').selectAll(),
  order: newestFirst('webhook_endpoint'),
  show: (row, { now }: { now: string }) => toEndpoint(row, now),
})

/** @throws NotFound */
export const readEndpoint = async (db: ScopedDb, id: string, now: string): Promise<WebhookEndpoint> =>
  at(now, await readRecord(db, endpointRecord, id))

/** @throws VALIDATION_ERROR for a URL that webhooks must not reach */
const checkTarget = (url: string | undefined, policy: UrlPolicy): void => {
  const refusal = url === undefined ? undefined : checkUrl(url, policy)
  if (refusal !== undefined) throw invalid(['url'], `Cannot be used: ${refusal}.`)
}

/** How many endpoints an institute has at most, disabled ones too. */
export const MOST_ENDPOINTS = 50

export const TooManyEndpoints = failure(
  'CONFLICT',
  'too_many_endpoints',
  'The institute has as many webhook endpoints as it can have.',
)

/** Locks the institute, so that those made at once do not exceed the number together. @throws TooManyEndpoints */
const checkCount = async (tx: Tx): Promise<void> => {
  await lockInstitute(tx)
  if ((await countRows(tx.whole.selectFrom('webhook_endpoint'))) >= MOST_ENDPOINTS) throw TooManyEndpoints()
}

/** @throws VALIDATION_ERROR, TooManyEndpoints */
export const createEndpoint = async (
  tx: Tx,
  body: InferOutput<typeof NewWebhook>,
  { vault, policy }: { vault: Vault; policy: UrlPolicy },
): Promise<WebhookEndpoint & { secret: string }> => {
  checkTarget(body.url, policy)
  await checkCount(tx)
  const secret = newSecret()
  const endpoint = await createRecord(tx, endpointRecord, { ...body, secret: sealSecret(vault, secret) })
  return { ...endpoint, secret }
}

/** Disables deliveries that are still queued for a disabled endpoint. */
export const disableQueuedJob = declareJob(
  'webhooks.disable-queued',
  v.object({ tenantId: v.string(), endpointId: v.string() }),
)

const disableBatch = async (db: ScopedDb, endpointId: string, limit: number): Promise<number> => {
  const some = db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'queued')
    .limit(limit)
  const { numUpdatedRows } = await db
    .updateTable('webhook_delivery')
    .set({ status: 'disabled', next_attempt_at: null })
    .where('id', 'in', some)
    .where('status', '=', 'queued')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Disables the queued deliveries of a disabled endpoint: the first batch now, the rest in a job. Meanwhile none of them
 * is sent, because each attempt checks its endpoint first.
 */
const disableQueued = async (tx: Tx, endpointId: string): Promise<void> => {
  const disabled = await disableBatch(tx.whole, endpointId, ROWS_AT_ONCE)
  if (disabled < ROWS_AT_ONCE) return
  const tenantId = tx.tenant.id
  tx.enqueue(disableQueuedJob, { tenantId, endpointId }, { lane: laneIn(tenantId, 'webhook-disable') })
}

/** Continues until nothing is queued, or somebody has enabled the endpoint again. */
export const disableRemaining = ({
  payload: { tenantId, endpointId },
  change,
}: JobContext<{ tenantId: string; endpointId: string }>): Promise<void> =>
  sweepInBatches((limit) =>
    change(async (system) => {
      const tenant = await findTenant(system.db, tenantId)
      if (!tenant) return 0
      const { whole } = system.inTenant(tenant)
      const endpoint = await forNoKeyUpdate(
        whole,
        whole.selectFrom('webhook_endpoint').select('is_active').where('id', '=', endpointId),
      ).executeTakeFirst()
      return endpoint && !endpoint.is_active ? disableBatch(whole, endpointId, limit) : 0
    }),
  )

/** Enabling resets the failure count; disabling disables queued deliveries. @throws NotFound, VALIDATION_ERROR */
export const changeEndpoint = async (
  tx: Tx,
  id: string,
  changes: InferOutput<typeof WebhookChanges>,
  policy: UrlPolicy,
): Promise<WebhookEndpoint> => {
  checkTarget(changes.url, policy)
  const row = await lockRow(tx, endpointRecord, id)
  if (changes.isActive === false) await disableQueued(tx, id)
  const forgotten = changes.isActive ? { failureCount: 0, disabledAt: null } : {}
  return at(tx.now, await changeRecord(tx, endpointRecord, row, { ...changes, ...forgotten }))
}

/** Disables an endpoint after too many failed deliveries in a row, and notifies those who manage integrations. */
export const disableEndpoint = async (tx: Tx, id: string): Promise<void> => {
  const row = await lockRow(tx, endpointRecord, id)
  await changeRecord(tx, endpointRecord, row, { isActive: false, disabledAt: tx.now }, { action: 'webhooks.disable' })
  await disableQueued(tx, id)
  noticeDisabledEndpoint(tx, id)
}

/**
 * Deletes the deliveries of an endpoint that is about to be deleted, each batch in its own transaction: an institute
 * has those of 90 days, and one large transaction would block everybody else.
 */
export const deleteDeliveries = (begin: Begin, tenant: TenantInfo, endpointId: string): Promise<void> =>
  sweepInBatches((limit) =>
    begin(async (system) => {
      const { whole } = system.inTenant(tenant)
      const some = whole.selectFrom('webhook_delivery').select('id').where('endpoint_id', '=', endpointId).limit(limit)
      const { numDeletedRows } = await whole.deleteFrom('webhook_delivery').where('id', 'in', some).executeTakeFirst()
      return Number(numDeletedRows)
    }),
  )

/** Deletes the endpoint with the deliveries that came meanwhile. @throws NotFound */
export const deleteEndpoint = async (tx: Tx, id: string) =>
  deleteRecord(tx, endpointRecord, await lockToDelete(tx, endpointRecord, id))

/**
 * Gives the endpoint a new secret. The one before it also signs until the overlap ends; an older one stops signing now.
 * Records webhook_endpoint.secret_rotated. @throws NotFound
 */
export const rotateSecret = async (
  tx: Tx,
  id: string,
  overlapSeconds: number,
  vault: Vault,
): Promise<InferOutput<typeof Rotated>> => {
  const row = await lockRow(tx, endpointRecord, id)
  const secret = newSecret()
  const previousSecretExpiresAt = overlapSeconds === 0 ? null : plusSeconds(tx.now, overlapSeconds)
  await changeRecord(tx, endpointRecord, row, {
    secret: sealSecret(vault, secret),
    previousSecret: overlapSeconds === 0 ? null : row.secret,
    previousSecretExpiresAt,
  })
  tx.emit('webhook_endpoint.secret_rotated', { endpointId: id, previousSecretExpiresAt })
  return { secret, previousSecretExpiresAt }
}
