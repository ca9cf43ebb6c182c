import type { Address } from '#kernel/values/schema.ts'
import type { Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    branch: {
      id: Fixed<string>
      tenant_id: TenantId
      name: string
      code: string | null
      address: Json<Address | null>
      phone: string | null
      is_default: boolean
      is_active: boolean
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

export const branchTables: TableRules = { branch: { kind: 'tenant', branch: { column: 'id' } } }
