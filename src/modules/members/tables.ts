import type { Permission, SystemRoleKey } from '#kernel/rights/permissions.ts'
import type { Defaulted, Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    role: {
      id: Fixed<string>
      tenant_id: TenantId
      key: Fixed<SystemRoleKey | null>
      name: string
      description: string | null
      is_system: Fixed<boolean>
      permissions: Json<Permission[]>
      /** Whoever holds it signs in with a second factor, or sees nothing of the institute. */
      asks_second_factor: Defaulted<boolean>
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
    }
    membership: {
      id: Fixed<string>
      tenant_id: TenantId
      user_id: Fixed<string>
      status: 'invited' | 'active' | 'disabled'
      joined_at: string | null
      created_at: Fixed<string>
      updated_at: string
    }
    role_assignment: {
      id: Fixed<string>
      tenant_id: TenantId
      membership_id: Fixed<string>
      role_id: Fixed<string>
      branch_id: Fixed<string | null>
      created_at: Fixed<string>
    }
    /** A membership has one invitation; the roles that it offers are those of the membership. */
    invitation: {
      id: Fixed<string>
      tenant_id: TenantId
      membership_id: Fixed<string>
      /** SHA-256 of the only valid token. */
      token_hash: string
      invited_by_user_id: Fixed<string>
      expires_at: string
      accepted_at: string | null
      /** Whether a staff record is added for them when they accept. */
      joins_staff: Fixed<boolean>
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

export const memberTables: TableRules = {
  role: { kind: 'tenant' },
  membership: { kind: 'tenant' },
  role_assignment: { kind: 'tenant' },
  invitation: { kind: 'tenant' },
}
