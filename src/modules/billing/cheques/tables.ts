import type { Currency } from '#kernel/values/money.ts'
import type { Defaulted, Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

/**
 * `held` until its day, then `due`: to be taken to the bank. A cheque that is `returned` was given back to whoever brought
 * it, one that is `replaced` was settled by other cheques or other money.
 */
export const CHEQUE_STATUSES = ['held', 'due', 'deposited', 'cleared', 'bounced', 'returned', 'replaced'] as const
export type ChequeStatus = (typeof CHEQUE_STATUSES)[number]

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** The database refuses to delete its rows, and to change what is written on a cheque. */
    cheque: {
      id: Fixed<string>
      tenant_id: TenantId
      branch_id: Fixed<string>
      receipt_id: Fixed<string>
      /** Whose it is: either a guardian, or a student for whom no guardian pays. */
      guardian_id: string | null
      student_id: string | null
      bank: Fixed<string>
      bank_branch: Fixed<string>
      account: Fixed<string>
      number: Fixed<string>
      /** The four above in one form, by which two that are the same are known. */
      same_as: Fixed<string>
      amount_minor: Fixed<number>
      currency: Fixed<Currency>
      due_on: Fixed<string>
      status: ChequeStatus
      /** Why it bounced, or was given back. */
      reason: string | null
      deposit_id: string | null
      fee_invoice_id: string | null
      /** The receipt of what it was replaced by. */
      replaced_by_receipt_id: string | null
      by_user_id: Fixed<string | null>
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
      search_text: Fixed<string>
    }
    /** What of a cheque is meant for which invoice. The database refuses to change or delete its rows. */
    cheque_part: {
      id: Fixed<string>
      tenant_id: TenantId
      cheque_id: Fixed<string>
      invoice_id: Fixed<string>
      amount_minor: Fixed<number>
      created_at: Fixed<string>
    }
    /** What a cheque became on its day: payments, and credit. The database refuses to change or delete its rows. */
    cheque_entry: {
      id: Fixed<string>
      tenant_id: TenantId
      cheque_id: Fixed<string>
      payment_id: Fixed<string | null>
      credit_entry_id: Fixed<string | null>
      created_at: Fixed<string>
    }
    /** Cheques that were taken to the bank together. The database refuses to change or delete its rows. */
    cheque_deposit: {
      id: Fixed<string>
      tenant_id: TenantId
      branch_id: Fixed<string>
      number: Fixed<string>
      bank_account: Fixed<string>
      deposited_on: Fixed<string>
      by_user_id: Fixed<string | null>
      created_at: Fixed<string>
    }
  }
}

const byCheque = { column: 'cheque_id', of: 'cheque' }

export const chequeTables: TableRules = {
  cheque: { kind: 'tenant', branch: { column: 'branch_id' } },
  cheque_part: { kind: 'tenant', branch: byCheque },
  cheque_entry: { kind: 'tenant', branch: byCheque },
  cheque_deposit: { kind: 'tenant', branch: { column: 'branch_id' } },
}
