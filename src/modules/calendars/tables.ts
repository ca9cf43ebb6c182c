import type { Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** The address at which a member's calendar program finds their sessions. A new one has a new id. */
    calendar_address: {
      id: Fixed<string>
      tenant_id: TenantId
      membership_id: Fixed<string>
      created_at: Fixed<string>
    }
  }
}

export const calendarTables: TableRules = { calendar_address: { kind: 'tenant' } }
