import type { Permission } from '#kernel/rights/permissions.ts'
import type { Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    api_key: {
      id: Fixed<string>
      tenant_id: TenantId
      name: Fixed<string>
      kind: Fixed<'secret' | 'publishable'>
      key_prefix: Fixed<string>
      key_hash: Fixed<string>
      permissions: Json<Permission[]>
      allowed_origins: Json<string[]>
      rate_limit_per_min: number | null
      created_by_user_id: Fixed<string>
      last_used_at: string | null
      expires_at: Fixed<string | null>
      revoked_at: string | null
      created_at: Fixed<string>
    }
    /** The origins of publishable keys, to look keys up by origin. */
    api_key_origin: {
      tenant_id: TenantId
      api_key_id: Fixed<string>
      origin: Fixed<string>
    }
  }
}

export const apiKeyTables: TableRules = { api_key: { kind: 'tenant' }, api_key_origin: { kind: 'tenant' } }
