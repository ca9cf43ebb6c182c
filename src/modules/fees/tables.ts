import type { Currency } from '#kernel/values/money.ts'
import type { Defaulted, Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'

export const FEE_KINDS = ['per_group', 'per_course', 'one_off', 'registration'] as const
export const FEE_PRICES = ['schedule', 'enrollment'] as const
export const PRORATIONS = ['none', 'lessons', 'days'] as const
export const RECURRENCES = ['once', 'monthly', 'per_term'] as const

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    fee_schedule: {
      id: Fixed<string>
      tenant_id: TenantId
      name: string
      kind: (typeof FEE_KINDS)[number]
      amount_minor: number
      currency: Currency
      recurrence: (typeof RECURRENCES)[number]
      course_id: string | null
      group_id: string | null
      due_day: number | null
      is_active: boolean
      price: Defaulted<(typeof FEE_PRICES)[number]>
      /** Its first and its last day; null: none. */
      valid_from: string | null
      valid_to: string | null
      /** What a part of a month costs. */
      proration: Defaulted<(typeof PRORATIONS)[number]>
      created_at: Fixed<string>
      updated_at: string
    }
    billing_run: {
      id: Fixed<string>
      tenant_id: TenantId
      /** YYYY-MM. */
      month: Fixed<string>
      fee_schedule_ids: Json<string[]>
      /** The branches whose students are billed; null: all. */
      branch_ids: Json<string[] | null>
      /** Whom it bills though they may be billed already; null: nobody was, in a version that did not ask. */
      bill_anyway: Json<{ studentId: string; feeScheduleId: string }[] | null>
      /** Identifies the request by its caller, Idempotency-Key and body; null: it had no key. */
      request_hash: Fixed<string | null>
      /** How many students the run looks at, and how many of them are done. */
      students: Fixed<number>
      students_done: Defaulted<number>
      /** Students are billed in the order of their ids; this one was the last. */
      last_student_id: string | null
      finished_at: string | null
      /** How many were not billed, by the reason; null: a run of a version that did not count them. */
      skipped: Json<Record<string, number> | null>
      created_at: Fixed<string>
      updated_at: string
    }
    /** What runs have billed. Its keys allow one row per student, fee schedule and month, and one per term. */
    fee_charge: {
      tenant_id: TenantId
      student_id: Fixed<string>
      fee_schedule_id: Fixed<string>
      /** YYYY-MM. */
      month: Fixed<string>
      /** The term that was billed; null: the fee is monthly. */
      term_starts_on: Fixed<string | null>
      billing_run_id: Fixed<string>
      invoice_id: Fixed<string>
    }
  }
}

export const feeTables: TableRules = {
  fee_schedule: { kind: 'tenant' },
  billing_run: { kind: 'tenant' },
  fee_charge: { kind: 'tenant', branch: { column: 'student_id', of: 'student' } },
}
