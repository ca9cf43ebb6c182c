import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { InferOutput } from 'valibot'
import { keptInPlace, locked, lockedForChange } from '#db/dialect.ts'
import type { TenantInfo } from '#kernel/actor.ts'
import { plusSeconds } from '#kernel/clock.ts'
import { invalid, NotFound } from '#kernel/errors.ts'
import { declareJob } from '#kernel/job.ts'
import type { JobContext } from '#kernel/module.ts'
import { findTenant } from '#modules/settings/index.ts'
import { ROWS_AT_ONCE, sweepInBatches } from '#runtime/batches.ts'
import { newestFirst, pageBy } from '#runtime/pages.ts'
import type { Begin, Cursors } from '#kernel/endpoint.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { checkUrl, type UrlPolicy } from '#ports/outbound/port.ts'
import type { Vault } from '#runtime/vault.ts'
import type { NewWebhook, Rotated, WebhookChanges, WebhookEndpoint } from './schemas.ts'
import { newSecret, sealSecret } from './secrets.ts'
import './tables.ts'

export type EndpointRow = Selectable<Tables['webhook_endpoint']>

const toEndpoint = (row: EndpointRow, now: string): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  events: row.events,
  isActive: row.is_active,
  failureCount: row.failure_count,
  disabledAt: row.disabled_at,
  previousSecretExpiresAt:
    row.previous_secret_expires_at !== null && row.previous_secret_expires_at > now
      ? row.previous_secret_expires_at
      : null,
  createdAt: row.created_at,
})

const endpointById = (db: ScopedDb, id: string) => db.selectFrom('webhook_endpoint').selectAll().where('id', '=', id)

const found = (row: EndpointRow | undefined): EndpointRow => {
  if (!row) throw NotFound()
  return row
}

/** @throws NotFound */
export const findEndpoint = async (db: ScopedDb, id: string): Promise<EndpointRow> =>
  found(await endpointById(db, id).executeTakeFirst())

/** Newest first. */
export const listEndpoints = (
  db: ScopedDb,
  page: { cursor?: string | undefined; limit: number; cursors: Cursors },
  now: string,
): Promise<Page<WebhookEndpoint>> =>
  pageBy(db.selectFrom('webhook_endpoint').selectAll(), page, newestFirst('webhook_endpoint'), (row) =>
    toEndpoint(row, now),
  )

/** @throws NotFound */
export const readEndpoint = async (db: ScopedDb, id: string, now: string): Promise<WebhookEndpoint> =>
  toEndpoint(await findEndpoint(db, id), now)

/** @throws VALIDATION_ERROR for a URL that may not be posted to */
const checkTarget = (url: string | undefined, policy: UrlPolicy): void => {
  const refusal = url === undefined ? undefined : checkUrl(url, policy)
  if (refusal !== undefined) throw invalid(['url'], `Cannot be used: ${refusal}.`)
}

/** @throws VALIDATION_ERROR */
export const createEndpoint = async (
  tx: Tx,
  body: InferOutput<typeof NewWebhook>,
  { vault, policy }: { vault: Vault; policy: UrlPolicy },
): Promise<WebhookEndpoint & { secret: string }> => {
  checkTarget(body.url, policy)
  const secret = newSecret()
  const row = await tx.db
    .insertInto('webhook_endpoint')
    .values({
      id: tx.id(),
      url: body.url,
      events: body.events,
      is_active: body.isActive,
      disabled_at: null,
      secret: sealSecret(vault, secret),
      previous_secret: null,
      previous_secret_expires_at: null,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const endpoint = toEndpoint(row, tx.now)
  tx.audit({ entityType: 'webhook_endpoint', entityId: row.id, after: endpoint })
  return { ...endpoint, secret }
}

/** For a change: whoever changes an endpoint and its deliveries takes the endpoint first. @throws NotFound */
const takeEndpoint = async (db: ScopedDb, id: string): Promise<EndpointRow> =>
  found(await lockedForChange(db, endpointById(db, id)).executeTakeFirst())

/** For a change of its deliveries alone. @throws NotFound */
export const keepEndpoint = async (db: ScopedDb, id: string): Promise<EndpointRow> =>
  found(await keptInPlace(db, endpointById(db, id)).executeTakeFirst())

/** Disables the deliveries that are still queued for an endpoint that was switched off. */
export const disableQueuedJob = declareJob(
  'webhooks.disable-queued',
  v.object({ tenantId: v.string(), endpointId: v.string() }),
)

const disableSome = async (db: ScopedDb, endpointId: string, limit: number): Promise<number> => {
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
 * What waits for an endpoint that is switched off goes nowhere. A job sees to what is more than a batch; none of it is
 * sent meanwhile, since each delivery looks at its endpoint first.
 */
const disableQueued = async (tx: Tx, endpointId: string): Promise<void> => {
  const disabled = await disableSome(tx.whole, endpointId, ROWS_AT_ONCE)
  if (disabled === ROWS_AT_ONCE) tx.enqueue(disableQueuedJob, { tenantId: tx.tenant.id, endpointId })
}

/** Goes on until nothing is queued, or somebody has switched the endpoint on again. */
export const disableTheRest = ({
  payload: { tenantId, endpointId },
  change,
}: JobContext<{ tenantId: string; endpointId: string }>): Promise<void> =>
  sweepInBatches((limit) =>
    change(async (system) => {
      const tenant = await findTenant(system.db, tenantId)
      if (!tenant) return 0
      const { whole } = system.inTenant(tenant)
      const endpoint = await lockedForChange(whole, endpointById(whole, endpointId)).executeTakeFirst()
      return endpoint && !endpoint.is_active ? disableSome(whole, endpointId, limit) : 0
    }),
  )

/** Switching on again forgets the failures; switching off disables what is queued. @throws NotFound, VALIDATION_ERROR */
export const changeEndpoint = async (
  tx: Tx,
  id: string,
  changes: InferOutput<typeof WebhookChanges>,
  policy: UrlPolicy,
): Promise<WebhookEndpoint> => {
  checkTarget(changes.url, policy)
  const before = await takeEndpoint(tx.db, id)
  const row = await tx.db
    .updateTable('webhook_endpoint')
    .set({
      url: changes.url,
      events: changes.events,
      is_active: changes.isActive,
      ...(changes.isActive && { failure_count: 0, disabled_at: null }),
      updated_at: tx.now,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (changes.isActive === false) await disableQueued(tx, id)
  const after = toEndpoint(row, tx.now)
  tx.audit({ entityType: 'webhook_endpoint', entityId: id, before: toEndpoint(before, tx.now), after })
  return after
}

/** After too many failed deliveries in a row. The caller holds the endpoint. */
export const disableEndpoint = async (tx: Tx, id: string): Promise<void> => {
  const before = await findEndpoint(tx.whole, id)
  const row = await tx.whole
    .updateTable('webhook_endpoint')
    .set({ is_active: false, disabled_at: tx.now, updated_at: tx.now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await disableQueued(tx, id)
  tx.audit({
    action: 'webhooks.disable',
    entityType: 'webhook_endpoint',
    entityId: id,
    before: toEndpoint(before, tx.now),
    after: toEndpoint(row, tx.now),
  })
}

/**
 * Takes the deliveries of an endpoint that is about to go, each batch in a change of its own: an institute keeps those of
 * 90 days, and nobody should have to wait until all of them are gone.
 */
export const forgetDeliveries = (begin: Begin, tenant: TenantInfo, endpointId: string): Promise<void> =>
  sweepInBatches((limit) =>
    begin(async (system) => {
      const { whole } = system.inTenant(tenant)
      const some = whole.selectFrom('webhook_delivery').select('id').where('endpoint_id', '=', endpointId).limit(limit)
      const { numDeletedRows } = await whole.deleteFrom('webhook_delivery').where('id', 'in', some).executeTakeFirst()
      return Number(numDeletedRows)
    }),
  )

/** What came meanwhile goes with it. @throws NotFound */
export const deleteEndpoint = async (tx: Tx, id: string): Promise<void> => {
  const before = found(await locked(tx.db, endpointById(tx.db, id)).executeTakeFirst())
  await tx.db.deleteFrom('webhook_endpoint').where('id', '=', id).execute()
  tx.audit({ entityType: 'webhook_endpoint', entityId: id, before: toEndpoint(before, tx.now) })
}

/**
 * Gives the endpoint a new secret; the one it had signs too until the overlap ends, and one that was left from an
 * earlier rotation stops now. Records webhook_endpoint.secret_rotated. @throws NotFound
 */
export const rotateSecret = async (
  tx: Tx,
  id: string,
  overlapSeconds: number,
  vault: Vault,
): Promise<InferOutput<typeof Rotated>> => {
  const before = await takeEndpoint(tx.db, id)
  const secret = newSecret()
  const previousSecretExpiresAt = overlapSeconds === 0 ? null : plusSeconds(tx.now, overlapSeconds)
  await tx.db
    .updateTable('webhook_endpoint')
    .set({
      secret: sealSecret(vault, secret),
      previous_secret: overlapSeconds === 0 ? null : before.secret,
      previous_secret_expires_at: previousSecretExpiresAt,
      updated_at: tx.now,
    })
    .where('id', '=', id)
    .execute()
  tx.record('webhook_endpoint.secret_rotated', { endpointId: id, previousSecretExpiresAt })
  tx.audit({ entityType: 'webhook_endpoint', entityId: id, after: { previousSecretExpiresAt } })
  return { secret, previousSecretExpiresAt }
}
