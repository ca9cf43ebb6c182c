import type { Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** One teacher who stands in for another from day to day. */
    cover: {
      id: Fixed<string>
      tenant_id: TenantId
      /** Who is absent. */
      staff_id: Fixed<string>
      substitute_staff_id: Fixed<string>
      /** Both days are inclusive. */
      from_date: Fixed<string>
      to_date: Fixed<string>
      /** null: all groups of the teacher. */
      group_ids: Json<string[] | null>
      reason: Fixed<string | null>
      created_at: Fixed<string>
    }
  }
}

export const coverTables: TableRules = { cover: { kind: 'tenant', branch: { column: 'staff_id', of: 'staff' } } }
