import type { Selectable } from 'kysely'
import type { InferOutput } from 'valibot'
import { lockedForChange } from '#db/dialect.ts'
import { actingUserId, type Caller } from '#kernel/actor.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { invalid, NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { refuseEscalation, refuseImpersonation } from '#modules/members/index.ts'
import { newestFirst, pageBy } from '#runtime/pages.ts'
import { hashKey, newKey } from './key.ts'
import type { ApiKey, NewApiKey } from './schemas.ts'
import './tables.ts'

/** Requests a minute of a key that names none, and the most that one may name. */
export interface KeyLimits {
  keyPerMinute: number
  keyCeilingPerMinute: number
}

export const effectiveLimit = (own: number | null, { keyPerMinute, keyCeilingPerMinute }: KeyLimits): number =>
  Math.min(own ?? keyPerMinute, keyCeilingPerMinute)

const toApiKey = (row: Selectable<Tables['api_key']>, limits: KeyLimits): ApiKey => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  keyPrefix: row.key_prefix,
  permissions: row.permissions,
  allowedOrigins: row.allowed_origins,
  rateLimitPerMin: row.rate_limit_per_min,
  effectiveRateLimitPerMin: effectiveLimit(row.rate_limit_per_min, limits),
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  createdAt: row.created_at,
})

/** Newest first, revoked ones included. */
export const listApiKeys = (
  db: ScopedDb,
  page: { cursor?: string | undefined; limit: number; cursors: Cursors },
  limits: KeyLimits,
): Promise<Page<ApiKey>> =>
  pageBy(db.selectFrom('api_key').selectAll(), page, newestFirst('api_key'), (row) => toApiKey(row, limits))

/** @throws VALIDATION_ERROR above the ceiling */
const checkLimit = (own: number | null | undefined, { keyCeilingPerMinute }: KeyLimits): void => {
  if (own && own > keyCeilingPerMinute) {
    throw invalid(['rateLimitPerMin'], `Must be at most the plan’s ceiling: ${keyCeilingPerMinute}.`)
  }
}

/**
 * Makes a key and shows it, this once. It acts for the institute: it goes on working when whoever made it leaves.
 * @throws PermissionEscalation, FORBIDDEN to an impersonated session, VALIDATION_ERROR
 */
export const createApiKey = async (
  tx: Tx,
  caller: Caller,
  body: InferOutput<typeof NewApiKey>,
  limits: KeyLimits,
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
  const row = await tx.db
    .insertInto('api_key')
    .values({
      id: tx.id(),
      name: body.name,
      kind: body.kind,
      key_prefix: prefix,
      key_hash: hashKey(key),
      permissions: [...new Set(body.permissions)],
      allowed_origins: origins,
      rate_limit_per_min: body.rateLimitPerMin ?? null,
      created_by_user_id: actingUserId(tx.actor) as string,
      last_used_at: null,
      expires_at: body.expiresAt ?? null,
      revoked_at: null,
      created_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (body.kind === 'publishable' && origins.length > 0) {
    const rows = origins.map((origin) => ({ api_key_id: row.id, origin }))
    await tx.db.insertInto('api_key_origin').values(rows).execute()
  }
  const shown = toApiKey(row, limits)
  tx.audit({ entityType: 'api_key', entityId: row.id, after: shown })
  return { ...shown, key }
}

const change = async (
  tx: Tx,
  id: string,
  limits: KeyLimits,
  set: { rate_limit_per_min: number | null } | { revoked_at: string },
): Promise<ApiKey> => {
  const key = tx.db.selectFrom('api_key').selectAll().where('id', '=', id)
  const before = await lockedForChange(tx.db, key).executeTakeFirst()
  if (!before) throw NotFound()
  if ('revoked_at' in set && before.revoked_at !== null) return toApiKey(before, limits)
  const row = await tx.db.updateTable('api_key').set(set).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
  const after = toApiKey(row, limits)
  tx.audit({ entityType: 'api_key', entityId: id, before: toApiKey(before, limits), after })
  return after
}

/** Takes effect at the key's next request. @throws NotFound, VALIDATION_ERROR above the ceiling */
export const changeRateLimit = (tx: Tx, id: string, own: number | null, limits: KeyLimits): Promise<ApiKey> => {
  checkLimit(own, limits)
  return change(tx, id, limits, { rate_limit_per_min: own })
}

/** Revoking again changes nothing. @throws NotFound */
export const revokeApiKey = (tx: Tx, id: string, limits: KeyLimits): Promise<ApiKey> =>
  change(tx, id, limits, { revoked_at: tx.now })
