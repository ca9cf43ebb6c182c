import type { Currency } from '#kernel/money.ts'
import type { Defaulted, Fixed, TableRules, TenantId } from '#kernel/tables.ts'

export const INVOICE_STATUSES = ['draft', 'issued', 'partially_paid', 'paid', 'overdue', 'void'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export const PAYMENT_METHODS = ['cash', 'card', 'bank_transfer', 'cheque', 'online', 'other'] as const
export const PAYMENT_PROVIDERS = ['manual', 'online', 'import'] as const

declare module '#kernel/tables.ts' {
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
      /** The sum of the invoice's payments and reversals, updated with each of them. */
      paid_minor: Defaulted<number>
      notes: string | null
      void_reason: string | null
      /**
       * The setting invoiceFooter as it was when the invoice was issued; empty: there was none. null: a draft, or an
       * invoice that was issued before this column existed; these show the current setting.
       */
      footer: string | null
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
  }
}

const byInvoice = { column: 'invoice_id', of: 'invoice' }

export const billingTables: TableRules = {
  invoice: { kind: 'tenant', branch: { column: 'branch_id' } },
  invoice_line: { kind: 'tenant', branch: byInvoice },
  payment: { kind: 'tenant', branch: byInvoice },
}
