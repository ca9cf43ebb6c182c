import type { Currency } from '#kernel/values/money.ts'
import type { Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

export const DISCOUNT_KINDS = ['percent', 'amount'] as const

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** It belongs to a student, or to a guardian for everybody whose payer of record they are. */
    discount: {
      id: Fixed<string>
      tenant_id: TenantId
      student_id: Fixed<string | null>
      guardian_id: Fixed<string | null>
      kind: Fixed<(typeof DISCOUNT_KINDS)[number]>
      /** A percentage in hundredths of a percent, or an amount in the smallest unit of the currency. */
      value: Fixed<number>
      /** null: it is a percentage. */
      currency: Fixed<Currency | null>
      label: string
      /** What it is for; both null: for every course and group. */
      course_id: Fixed<string | null>
      group_id: Fixed<string | null>
      valid_from: Fixed<string>
      valid_to: string | null
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

const byHolder = {
  any: [
    { column: 'student_id', of: 'student' },
    { column: 'guardian_id', of: 'guardian' },
  ],
}

export const discountTables: TableRules = {
  discount: { kind: 'tenant', branch: byHolder },
}
