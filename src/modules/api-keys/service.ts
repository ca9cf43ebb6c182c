import type { InferOutput } from 'valibot'
import { compiledInTenant } from '#db/queries/compiled.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { actingUserId, type Caller } from '#kernel/who/actor.ts'
import { found, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { PlanQuotas } from '#kernel/who/quota.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { refuseEscalation } from '#modules/members/index.ts'
import { checkRoom, countRows, type CountInPlan } from '#modules/tenants/index.ts'
import { changeRecord, createRecord, recordOf, lockRow, type Row } from '#runtime/records/records.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import { hashKey, newKey } from './key.ts'
import { ApiKey, type NewApiKey } from './schemas.ts'

/**
 * Requests a minute, where the plan names none: the default of a key without a limit of its own, and the highest limit
 * that a key may have.
 */
export interface KeyLimits {
  keyPerMinute: number
  keyCeilingPerMinute: number
}

/** The limits of an institute's keys: those of its plan, else the server's. */
const limitsUnder = (quotas: PlanQuotas | null, server: KeyLimits): KeyLimits => {
  const ofPlan = quotas?.apiRateLimitPerMin ?? null
  return ofPlan === null ? server : { keyPerMinute: ofPlan, keyCeilingPerMinute: ofPlan }
}

/** The requests a minute that a key may send: its own limit, or the default, and the ceiling at the most. */
export const effectiveLimit = (own: number | null, quotas: PlanQuotas | null, server: KeyLimits): number => {
  const { keyPerMinute, keyCeilingPerMinute } = limitsUnder(quotas, server)
  return Math.min(own ?? keyPerMinute, keyCeilingPerMinute)
}

const showKey = shows(ApiKey)

type KeyRow = Row<'api_key'> & { plan_quotas: PlanQuotas | null }

const toApiKey = (row: KeyRow, limits: KeyLimits): ApiKey =>
  showKey({
    ...row,
    effective_rate_limit_per_min: effectiveLimit(row.rate_limit_per_min, row.plan_quotas, limits),
  })

const keysWithPlan = (db: ScopedDb) =>
  db
    .selectFrom('api_key')
    .innerJoin('tenant', 'tenant.id', 'api_key.tenant_id')
    .selectAll('api_key')
    .select('tenant.plan_quotas')

/** The key record and list under these limits, which a key's reply shows. */
export const apiKeysUnder = (limits: KeyLimits) => ({
  limits,
  /** Newest first, revoked ones included. */
  listKeys: listOf({
    from: keysWithPlan,
    order: newestFirst('api_key'),
    show: (row) => toApiKey(row, limits),
  }),
  keyRecord: recordOf('api_key', {
    read: async (db, id) =>
      toApiKey(found(await keysWithPlan(db).where('api_key.id', '=', id).executeTakeFirst()), limits),
    withoutUpdatedAt: true,
  }),
})
type ApiKeys = ReturnType<typeof apiKeysUnder>

/** @throws VALIDATION_ERROR above the ceiling */
const checkLimit = ({ tenant }: Tx, own: number | null | undefined, server: KeyLimits): void => {
  const { keyCeilingPerMinute } = limitsUnder(tenant.quotas, server)
  if (own && own > keyCeilingPerMinute) {
    throw invalid(['rateLimitPerMin'], `Must be at most the plan’s ceiling: ${keyCeilingPerMinute}.`)
  }
}

/** Counts the keys in the plan. */
export const countUsable: CountInPlan = (whole, now) =>
  countRows(
    whole
      .selectFrom('api_key')
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])),
  )

/**
 * Makes a key and returns it in full, this once. The key acts for the institute: it keeps working when its creator
 * leaves.
 * @throws PermissionEscalation, QuotaExceeded, VALIDATION_ERROR
 */
export const createApiKey = async (
  tx: Tx,
  caller: Caller,
  body: InferOutput<typeof NewApiKey>,
  { limits, keyRecord }: ApiKeys,
): Promise<ApiKey & { key: string }> => {
  refuseEscalation(caller.grants, body.permissions)
  await checkRoom(tx, 'maxApiKeys', countUsable)
  if (body.kind === 'publishable' && body.permissions.length > 0) {
    throw invalid(['permissions'], 'A publishable key has no permissions.')
  }
  checkLimit(tx, body.rateLimitPerMin, limits)
  if (body.expiresAt && body.expiresAt <= tx.now) throw invalid(['expiresAt'], 'Must be in the future.')
  const { key, prefix } = newKey(body.kind)
  const origins = [...new Set(body.allowedOrigins)]
  const shown = await createRecord(tx, keyRecord, {
    ...body,
    keyPrefix: prefix,
    keyHash: hashKey(key),
    permissions: [...new Set(body.permissions)],
    allowedOrigins: origins,
    createdByUserId: actingUserId(tx.actor) as string,
  })
  if (body.kind === 'publishable' && origins.length > 0) {
    const rows = origins.map((origin) => ({ api_key_id: shown.id, origin }))
    await tx.db.insertInto('api_key_origin').values(rows).execute()
  }
  return { ...shown, key }
}

const keyForUpdate = compiledInTenant((whole, { id }: { id: string }) =>
  forNoKeyUpdate(whole, whole.selectFrom('api_key').select('id').where('id', '=', id)),
)

/** Locks a key, so that what counts by key runs one after the other. */
export const lockApiKey = async ({ whole }: Tx, id: string): Promise<void> => {
  await keyForUpdate(whole, { id })
}

/** Takes effect with the key's next request. @throws NotFound, VALIDATION_ERROR above the ceiling */
export const changeRateLimit = async (
  tx: Tx,
  id: string,
  rateLimitPerMin: number | null,
  { limits, keyRecord }: ApiKeys,
): Promise<ApiKey> => {
  checkLimit(tx, rateLimitPerMin, limits)
  return changeRecord(tx, keyRecord, await lockRow(tx, keyRecord, id), { rateLimitPerMin })
}

/** Revoking a revoked key changes nothing. @throws NotFound */
export const revokeApiKey = async (tx: Tx, id: string, { keyRecord }: ApiKeys): Promise<ApiKey> => {
  const row = await lockRow(tx, keyRecord, id)
  return changeRecord(tx, keyRecord, row, { revokedAt: row.revoked_at ?? tx.now })
}
