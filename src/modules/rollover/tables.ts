import type { Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** A group that goes on as another one in a new year. */
    group_continuation: {
      id: Fixed<string>
      tenant_id: TenantId
      /** The same for all groups that were taken over together. */
      rollover_id: Fixed<string>
      from_group_id: Fixed<string>
      to_group_id: Fixed<string>
      /** Who is still to be enrolled. */
      student_ids: Json<string[]>
      created_at: Fixed<string>
      /** When its students, times and fees were taken over; null: they are still to be. */
      filled_at: string | null
      /** When the former group was over and the new one had begun; null: a sweep still waits for that. */
      ended_at: string | null
    }
  }
}

const ofNewGroup = { column: 'to_group_id', of: 'group' }

export const rolloverTables: TableRules = {
  group_continuation: { kind: 'tenant', branch: ofNewGroup, group: ofNewGroup },
}
