import type { InferOutput } from 'valibot'
import { actingUserId, type Caller } from '#kernel/actor.ts'
import { invalid } from '#kernel/errors.ts'
import { shows } from '#kernel/fields.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { refuseEscalation, refuseImpersonation } from '#modules/members/index.ts'
import { changeRecord, createRecord, recordOf, lockRow, type Row } from '#runtime/records.ts'
import { listOf, newestFirst } from '#runtime/lists.ts'
import { hashKey, newKey } from './key.ts'
import { ApiKey, type NewApiKey } from './schemas.ts'
import './tables.ts'

/** Requests a minute: the default of a key without a limit of its own, and the highest limit that a key may have. */
export interface KeyLimits {
  keyPerMinute: number
  keyCeilingPerMinute: number
}

export const effectiveLimit = (own: number | null, { keyPerMinute, keyCeilingPerMinute }: KeyLimits): number =>
  Math.min(own ?? keyPerMinute, keyCeilingPerMinute)

const showKey = shows(ApiKey)

const toApiKey = (row: Row<'api_key'>, limits: KeyLimits): ApiKey =>
  showKey({ ...row, effective_rate_limit_per_min: effectiveLimit(row.rate_limit_per_min, limits) })

/** The key record and list under these limits, which a key's reply shows. */
export const apiKeysUnder = (limits: KeyLimits) => ({
  limits,
  /** Newest first, revoked ones included. */
  listKeys: listOf({
    from: (db) => db.selectFrom('api_key').selectAll(),
    order: newestFirst('api_key'),
    show: (row) => toApiKey(row, limits),
  }),
  keyRecord: recordOf('api_key', { show: (row) => toApiKey(row, limits), withoutUpdatedAt: true }),
})
type ApiKeys = ReturnType<typeof apiKeysUnder>

/** @throws VALIDATION_ERROR above the ceiling */
const checkLimit = (own: number | null | undefined, { keyCeilingPerMinute }: KeyLimits): void => {
  if (own && own > keyCeilingPerMinute) {
    throw invalid(['rateLimitPerMin'], `Must be at most the plan’s ceiling: ${keyCeilingPerMinute}.`)
  }
}

/**
 * Makes a key and returns it in full, this once. The key acts for the institute: it keeps working when its creator
 * leaves.
 * @throws PermissionEscalation, FORBIDDEN to an impersonated session, VALIDATION_ERROR
 */
export const createApiKey = async (
  tx: Tx,
  caller: Caller,
  body: InferOutput<typeof NewApiKey>,
  { limits, keyRecord }: ApiKeys,
): Promise<ApiKey & { key: string }> => {
  refuseImpersonation(tx.actor)
  if (body.kind === 'publishable' && body.permissions.length > 0) {
    throw invalid(['permissions'], 'A publishable key has no permissions.')
  }
  checkLimit(body.rateLimitPerMin, limits)
  if (body.expiresAt && body.expiresAt <= tx.now) throw invalid(['expiresAt'], 'Must be in the future.')
  refuseEscalation(caller.grants, body.permissions)
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

/** Takes effect with the key's next request. @throws NotFound, VALIDATION_ERROR above the ceiling */
export const changeRateLimit = async (
  tx: Tx,
  id: string,
  rateLimitPerMin: number | null,
  { limits, keyRecord }: ApiKeys,
): Promise<ApiKey> => {
  checkLimit(rateLimitPerMin, limits)
  return changeRecord(tx, keyRecord, await lockRow(tx, keyRecord, id), { rateLimitPerMin })
}

/** Revoking a revoked key changes nothing. @throws NotFound */
export const revokeApiKey = async (tx: Tx, id: string, { keyRecord }: ApiKeys): Promise<ApiKey> => {
  const row = await lockRow(tx, keyRecord, id)
  return changeRecord(tx, keyRecord, row, { revokedAt: row.revoked_at ?? tx.now })
}
