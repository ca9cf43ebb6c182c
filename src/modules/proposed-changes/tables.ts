import type { Defaulted, Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'
import type { Field, Proposed } from './fields.ts'

export const PROPOSAL_STATUSES = ['open', 'accepted', 'declined', 'withdrawn'] as const

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** What somebody proposes to change in one record: exactly one of the two ids is set. */
    proposed_change: {
      id: Fixed<string>
      tenant_id: TenantId
      student_id: Fixed<string | null>
      guardian_id: Fixed<string | null>
      by_user_id: Fixed<string>
      /** The fields that are to change, with their new values. */
      proposed: Json<Proposed>
      /** The same fields as they were when it was proposed. */
      was: Json<Proposed>
      note: string | null
      status: (typeof PROPOSAL_STATUSES)[number]
      /** Those that were taken over. */
      accepted_fields: Json<Field[]>
      remark: string | null
      decided_by_user_id: string | null
      decided_at: string | null
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

export const proposedChangeTables: TableRules = {
  proposed_change: {
    kind: 'tenant',
    branch: {
      any: [
        { column: 'student_id', of: 'student' },
        { column: 'guardian_id', of: 'guardian' },
      ],
    },
  },
}
