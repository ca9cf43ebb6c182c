import type { Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    tenant_domain: {
      id: Fixed<string>
      tenant_id: TenantId
      /** As the DNS has it: ASCII, in lower case, without a dot at the end. */
      domain: Fixed<string>
      kind: Fixed<'subdomain' | 'custom'>
      verification_token: Fixed<string>
      verified_at: string | null
      is_primary: boolean
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

export const domainTables: TableRules = { tenant_domain: { kind: 'tenant' } }
