import type { Fixed, TableRules } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    installation: {
      singleton: Fixed<1>
      tenant_id: Fixed<string>
      created_at: Fixed<string>
    }
  }
}

export const setupTables: TableRules = { installation: { kind: 'system' } }
