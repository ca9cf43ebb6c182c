import type { Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** Somebody who waits for a place in a group. */
    waiting_entry: {
      id: Fixed<string>
      tenant_id: TenantId
      group_id: Fixed<string>
      student_id: Fixed<string>
      note: string | null
      /** The place in the row: who has the lowest is the first. */
      position: number
      /** When a place was offered last; null: never. */
      offered_at: string | null
      /** Until when it is offered; null: none is. */
      offer_ends_at: string | null
      /** When an offer ran out without an answer; null: none did, or a place was offered again. */
      lapsed_at: string | null
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

const byGroup = { column: 'group_id', of: 'group' }

export const waitingTables: TableRules = { waiting_entry: { kind: 'tenant', branch: byGroup, group: byGroup } }
