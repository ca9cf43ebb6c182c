import type { ColumnType } from 'kysely'
import type { Currency } from '#kernel/values/money.ts'
import type { Defaulted, Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'
import type { KeptInvoice, KeptReceipt } from './keep.ts'

export const INVOICE_STATUSES = ['draft', 'issued', 'partially_paid', 'paid', 'overdue', 'void'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export const PAYMENT_METHODS = ['cash', 'card', 'bank_transfer', 'cheque', 'online', 'other'] as const
export const PAYMENT_PROVIDERS = ['manual', 'online', 'import'] as const

export const CREDIT_KINDS = ['received', 'applied', 'credited', 'refunded', 'opened'] as const

export interface CreditedLine {
  description: string
  amountMinor: number
}

export interface ReceiptStudent {
  id: string
  fullName: string
}

/** What a close counted of one method and currency. */
export interface CountedTill {
  method: (typeof PAYMENT_METHODS)[number]
  currency: Currency
  expectedMinor: number
  countedMinor: number
  /** How many payments, reversals and refunds it is of. */
  entries: number
}

/** What a close found of cheques that are held, in one currency. */
export interface CountedCheques {
  currency: Currency
  count: number
  amountMinor: number
  /** How many papers were counted; null: nobody said. */
  counted: number | null
}

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    invoice: {
      id: Fixed<string>
      tenant_id: TenantId
      branch_id: Fixed<string>
      student_id: Fixed<string>
      number: Fixed<string>
      status: InvoiceStatus
      issue_date: string
      due_date: string
      currency: Currency
      subtotal_minor: number
      discount_minor: number
      tax_minor: number
      total_minor: number
      /** The sum of the invoice's payments and reversals, and of the credit that was applied to it, updated with each of them. */
      paid_minor: Defaulted<number>
      /** The sum of its credit notes, which is in paid_minor too as far as it lowered the balance. */
      credited_minor: Defaulted<number>
      notes: string | null
      void_reason: string | null
      /**
       * The setting invoiceFooter as it was when the invoice was issued; empty: there was none. null: a draft, or an
       * invoice that was issued before this column existed; these show the current setting.
       */
      footer: string | null
      /** Who pays it since it was issued; null: a draft, or the student. */
      payer_guardian_id: string | null
      /** What it says of people and the institute since it was issued; null: a draft. */
      kept: Json<KeptInvoice | null>
      /** null: it was never issued. */
      issued_at: string | null
      voided_at: string | null
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
    }
    invoice_line: {
      id: Fixed<string>
      tenant_id: TenantId
      invoice_id: Fixed<string>
      position: Fixed<number>
      description: Fixed<string>
      quantity: Fixed<number>
      unit_amount_minor: Fixed<number>
      discount_minor: Fixed<number>
      tax_rate_percent: Fixed<number>
      tax_minor: Fixed<number>
      total_minor: Fixed<number>
      enrollment_id: Fixed<string | null>
      fee_schedule_id: Fixed<string | null>
      course_enrollment_id: Fixed<string | null>
      /** As which child of its payer it charges the student; null: siblings did not matter. */
      sibling_place: Fixed<number | null>
    }
    /** The ledger. The database refuses to change or delete its rows. */
    payment: {
      id: Fixed<string>
      tenant_id: TenantId
      invoice_id: Fixed<string>
      amount_minor: Fixed<number>
      currency: Fixed<Currency>
      method: Fixed<(typeof PAYMENT_METHODS)[number]>
      provider: Fixed<(typeof PAYMENT_PROVIDERS)[number]>
      reference: Fixed<string | null>
      reason: Fixed<string | null>
      reverses_payment_id: Fixed<string | null>
      received_at: Fixed<string>
      received_by_user_id: Fixed<string | null>
      created_at: Fixed<string>
    }
    /** What a payer holds in hand: of one payment, or of several that were made together. */
    receipt: {
      id: Fixed<string>
      tenant_id: TenantId
      number: Fixed<string>
      /** The payer of record of its students when it was made; null: they had none. */
      payer_guardian_id: Fixed<string | null>
      payer_name: Fixed<string | null>
      /** The students with their names as they were when it was made. */
      students: ColumnType<ReceiptStudent[], ReceiptStudent[], never>
      method: Fixed<(typeof PAYMENT_METHODS)[number]>
      /** What it says of people and the institute; null: one that a former version made beside this one. */
      kept: ColumnType<KeptReceipt | null, KeptReceipt | null, never>
      received_at: Fixed<string>
      /** When the last of its payments was reversed; null: not all of them are. */
      cancelled_at: string | null
      /** When its original was handed out; null: nobody has it. */
      original_at: string | null
      /** The account, the API key or the message that took it; null: nobody, or somebody before this column existed. */
      original_to: string | null
      created_at: Fixed<string>
      search_text: Fixed<string>
    }
    /** The credit of a payer in one branch and currency; a payer may have several. */
    payer_account: {
      id: Fixed<string>
      tenant_id: TenantId
      branch_id: Fixed<string>
      /** Either a guardian, or a student for whom no guardian pays. */
      guardian_id: Fixed<string | null>
      student_id: Fixed<string | null>
      currency: Fixed<Currency>
      /** The sum of its entries, updated with each of them. The database keeps it from going below 0. */
      credit_minor: number
      created_at: Fixed<string>
      updated_at: string
    }
    /** Takes back a part of an invoice that was issued. The database refuses to change or delete its rows. */
    credit_note: {
      id: Fixed<string>
      tenant_id: TenantId
      invoice_id: Fixed<string>
      number: Fixed<string>
      amount_minor: Fixed<number>
      /** How far it lowered the balance; the rest had been paid, and became credit. */
      settled_minor: Fixed<number>
      lines: ColumnType<CreditedLine[], CreditedLine[], never>
      reason: Fixed<string>
      issue_date: Fixed<string>
      /** What it says of people and the institute: what its invoice keeps. */
      kept: ColumnType<KeptInvoice, KeptInvoice, never>
      by_user_id: Fixed<string | null>
      created_at: Fixed<string>
    }
    /** What was paid out of a payer's credit. */
    refund: {
      id: Fixed<string>
      tenant_id: TenantId
      branch_id: Fixed<string>
      guardian_id: Fixed<string | null>
      student_id: Fixed<string | null>
      number: Fixed<string>
      amount_minor: Fixed<number>
      currency: Fixed<Currency>
      method: Fixed<(typeof PAYMENT_METHODS)[number]>
      reference: Fixed<string | null>
      reason: Fixed<string>
      kept: ColumnType<KeptReceipt, KeptReceipt, never>
      paid_at: Fixed<string>
      by_user_id: Fixed<string | null>
      created_at: Fixed<string>
    }
    /** Who has the original paper of a credit note or a refund: one for each, which the database sees to. */
    paper_original: {
      id: Fixed<string>
      tenant_id: TenantId
      credit_note_id: Fixed<string | null>
      refund_id: Fixed<string | null>
      taken_at: Fixed<string>
      /** An account, an API key or a message: an id that is of no single table. */
      taken_by: Fixed<string>
      created_at: Fixed<string>
    }
    /** The movements of credit. The database refuses to change or delete its rows. */
    credit_entry: {
      id: Fixed<string>
      tenant_id: TenantId
      account_id: Fixed<string>
      /**
       * `received`, `credited` and `opened`, with which a payer came from another program, add to the credit; `applied` and
       * `refunded` take from it; a reversal does the opposite.
       */
      kind: Fixed<(typeof CREDIT_KINDS)[number]>
      amount_minor: Fixed<number>
      /** Of what was received: the receipt on which it stands. */
      receipt_id: Fixed<string | null>
      /** Of what was applied: the invoice that it pays; of what was credited, the invoice that had been paid. */
      invoice_id: Fixed<string | null>
      credit_note_id: Fixed<string | null>
      refund_id: Fixed<string | null>
      reverses_entry_id: Fixed<string | null>
      /** Of what was received: what it is found by elsewhere; of what was opened, what it is said to be. */
      reference: Fixed<string | null>
      reason: Fixed<string | null>
      /** When the money was received; of other entries, when they were made. */
      at: Fixed<string>
      by_user_id: Fixed<string | null>
      created_at: Fixed<string>
    }
    /** An invoice that a request for many is done with: a repeat of the request does nothing with it again. */
    invoice_step: {
      tenant_id: TenantId
      request_hash: Fixed<string>
      invoice_id: Fixed<string>
      created_at: Fixed<string>
    }
    /** What an invoice kept of its former payer before it was moved to another one. */
    replaced_invoice: {
      id: Fixed<string>
      tenant_id: TenantId
      invoice_id: Fixed<string>
      payer_guardian_id: string | null
      kept: ColumnType<KeptInvoice, KeptInvoice, never>
      /** Why it was moved; null: nobody said. */
      reason: Fixed<string | null>
      created_at: Fixed<string>
    }
    /** The logos of papers that are kept: their files stay. */
    kept_logo: {
      tenant_id: TenantId
      file_id: Fixed<string>
    }
    /** What somebody took by hand, or gave back: it lies in their till until a close counts it. */
    till_entry: {
      id: Fixed<string>
      tenant_id: TenantId
      user_id: Fixed<string>
      branch_id: Fixed<string>
      method: Fixed<(typeof PAYMENT_METHODS)[number]>
      currency: Fixed<Currency>
      /** Negative: it was given back. */
      amount_minor: Fixed<number>
      payment_id: Fixed<string | null>
      credit_entry_id: Fixed<string | null>
      refund_id: Fixed<string | null>
      /** A cheque that is held until its day: a paper beside the sums. Negative: it was given back before that day. */
      cheque_id: Fixed<string | null>
      /** The close that counted it, which stays; null: none did yet. */
      close_id: string | null
      created_at: Fixed<string>
    }
    /** The close of somebody’s till. The database refuses to change or delete its rows. */
    till_close: {
      id: Fixed<string>
      tenant_id: TenantId
      user_id: Fixed<string>
      /** The name as it was then. */
      user_name: Fixed<string>
      /** null: what was taken belongs to several branches. */
      branch_id: Fixed<string | null>
      lines: ColumnType<CountedTill[], CountedTill[], never>
      /** null: it was closed before tills held cheques. */
      cheques: ColumnType<CountedCheques[] | null, CountedCheques[] | null, never>
      note: Fixed<string | null>
      /** When the first of what it counts was recorded. */
      since: Fixed<string>
      created_at: Fixed<string>
    }
    receipt_payment: {
      tenant_id: TenantId
      payment_id: Fixed<string>
      receipt_id: Fixed<string>
      /** Copied from the payment, so that a receipt is within reach by its invoices. */
      invoice_id: Fixed<string>
      /** The names of the student of that invoice, and of the payer: what a search finds of it within reach. */
      search_text: Fixed<string>
    }
  }
}

const byInvoice = { column: 'invoice_id', of: 'invoice' }

const byNoteOrRefund = {
  any: [
    { column: 'credit_note_id', of: 'credit_note' },
    { column: 'refund_id', of: 'refund' },
  ],
}

const byAccountOrInvoice = { any: [{ column: 'account_id', of: 'payer_account' }, byInvoice] }

/** Whoever reaches a payment of a receipt, its credit or a cheque of it, reaches the receipt. */
const bySomePart = {
  any: [
    { link: 'receipt_payment', key: 'receipt_id', column: 'invoice_id', of: 'invoice' },
    { link: 'credit_entry', key: 'receipt_id', column: 'account_id', of: 'payer_account' },
    { link: 'cheque', key: 'receipt_id', column: 'branch_id', of: 'branch' },
  ],
}

export const billingTables: TableRules = {
  invoice: { kind: 'tenant', branch: { column: 'branch_id' } },
  invoice_line: { kind: 'tenant', branch: byInvoice },
  payment: { kind: 'tenant', branch: byInvoice },
  receipt: { kind: 'tenant', branch: bySomePart },
  payer_account: { kind: 'tenant', branch: { column: 'branch_id' } },
  credit_note: { kind: 'tenant', branch: byInvoice },
  refund: { kind: 'tenant', branch: { column: 'branch_id' } },
  paper_original: { kind: 'tenant', branch: byNoteOrRefund },
  credit_entry: { kind: 'tenant', branch: byAccountOrInvoice },
  invoice_step: { kind: 'tenant' },
  replaced_invoice: { kind: 'tenant', branch: byInvoice },
  kept_logo: { kind: 'tenant' },
  till_entry: { kind: 'tenant', branch: { column: 'branch_id' } },
  till_close: { kind: 'tenant', branch: { column: 'branch_id' } },
  receipt_payment: { kind: 'tenant', branch: byInvoice },
}
