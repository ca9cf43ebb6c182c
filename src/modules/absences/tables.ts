import type { Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    announced_absence: {
      id: Fixed<string>
      tenant_id: TenantId
      student_id: Fixed<string>
      /** Both days are inclusive. */
      from_date: Fixed<string>
      to_date: Fixed<string>
      reason: Fixed<string>
      announced_by_user_id: Fixed<string | null>
      /** The guardian who announced it; null: the office did. */
      by_guardian_id: Fixed<string | null>
      created_at: Fixed<string>
    }
  }
}

const byStudent = { column: 'student_id', of: 'student' }

export const absenceTables: TableRules = {
  announced_absence: { kind: 'tenant', branch: byStudent, group: byStudent },
}
