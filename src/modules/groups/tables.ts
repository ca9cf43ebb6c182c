import type { Currency } from '#kernel/values/money.ts'
import type { Defaulted, Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

export const GROUP_STATUSES = ['planned', 'active', 'completed', 'cancelled'] as const
export const ENROLLMENT_STATUSES = ['active', 'completed', 'dropped'] as const

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    group: {
      id: Fixed<string>
      tenant_id: TenantId
      course_id: string
      branch_id: string
      name: string
      teacher_staff_id: string | null
      room: string | null
      capacity: number | null
      fee_minor: number | null
      currency: Currency
      status: (typeof GROUP_STATUSES)[number]
      /** Since when it has this status; null: since before that was kept. */
      status_since: string | null
      starts_on: string | null
      ends_on: string | null
      search_text: string
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
    }
    enrollment: {
      id: Fixed<string>
      tenant_id: TenantId
      student_id: Fixed<string>
      group_id: Fixed<string>
      status: (typeof ENROLLMENT_STATUSES)[number]
      price_minor: Fixed<number>
      currency: Fixed<Currency>
      price_overridden: Fixed<boolean>
      enrolled_at: string
      dropped_at: string | null
      drop_reason: string | null
      completed_at: string | null
      /** When it ended, or will; null: no end is known. A sweep ends it on that day. */
      ended_at: string | null
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

const byGroup = { column: 'group_id', of: 'group' }

export const groupTables: TableRules = {
  group: { kind: 'tenant', branch: { column: 'branch_id' }, group: { column: 'id' } },
  enrollment: { kind: 'tenant', branch: byGroup, group: byGroup },
}
