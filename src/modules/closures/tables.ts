import type { Defaulted, Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    closure: {
      id: Fixed<string>
      tenant_id: TenantId
      name: string
      /** Both days are inclusive. */
      from_date: string
      to_date: string
      /** null: all branches are closed. */
      branch_id: string | null
      /** Whether lessons that it cancelled are charged all the same. */
      is_billed: boolean
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

export const closureTables: TableRules = { closure: { kind: 'tenant' } }
