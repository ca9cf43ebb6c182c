import type { Caller } from '#kernel/who/actor.ts'
import type { Authenticator } from '#kernel/contract/authenticator.ts'
import { cachedGrants } from '#modules/members/index.ts'
import { compiled } from '#db/queries/compiled.ts'
import { TENANT_COLUMNS, toTenantInfo } from '#modules/tenants/index.ts'
import { hashKey } from './key.ts'
import type { LastUse } from './last-use.ts'
import { effectiveLimit, type KeyLimits } from './service.ts'

export interface ApiKeyAuthenticatorDeps {
  limits: KeyLimits
  lastUse: Pick<LastUse, 'note'>
}

const findKey = compiled((db, { hash }: { hash: string }) =>
  db
    .selectFrom('api_key')
    .innerJoin('tenant', 'tenant.id', 'api_key.tenant_id')
    .select([
      'api_key.id',
      'api_key.tenant_id',
      'api_key.kind',
      'api_key.permissions',
      'api_key.allowed_origins',
      'api_key.rate_limit_per_min',
      'api_key.created_by_user_id',
      'api_key.last_used_at',
      'api_key.expires_at',
      'api_key.revoked_at',
      ...TENANT_COLUMNS,
    ])
    .where('api_key.key_hash', '=', hash),
)

/** Authenticates API keys; a revoked or expired key counts as unknown. */
export const apiKeyAuthenticator = ({ limits, lastUse }: ApiKeyAuthenticatorDeps): Authenticator => ({
  recognises: (credential) => /^ims_[sp]k_/.test(credential),
  authenticate: async (credential, now, { db, inTransaction }): Promise<Caller | undefined> => {
    const [row] = await findKey(db, { hash: hashKey(credential) })
    if (!row || row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now)) return undefined
    if (!inTransaction) lastUse.note(row, now)
    return {
      actor: { type: 'api_key', keyId: row.id, createdByUserId: row.created_by_user_id },
      channel: 'api',
      id: row.id,
      limitPerMinute: effectiveLimit(row.rate_limit_per_min, row.plan_quotas, limits),
      tenant: toTenantInfo(row.tenant_id, row),
      membershipActive: true,
      needsSecondFactor: false,
      grants: cachedGrants([{ permissions: row.permissions, branchId: null }]),
      isOwner: false,
      key: { kind: row.kind, allowedOrigins: row.allowed_origins },
    }
  },
})

/** Secret keys at //mcp, where they have the permissions that they have everywhere. */
export const mcpKeyAuthenticator = (keys: Authenticator): Authenticator => ({
  recognises: (credential) => credential.startsWith('ims_sk_'),
  authenticate: async (credential, now, where) => {
    const caller = await keys.authenticate(credential, now, where)
    return caller && { ...caller, channel: 'mcp' }
  },
})
