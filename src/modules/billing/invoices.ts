import type { Selectable } from 'kysely'
import { NotFound } from '#kernel/errors.ts'
import { money } from '#kernel/money.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Invoice, InvoiceDetail, Payment } from './schemas.ts'
import './tables.ts'

export type InvoiceRow = Selectable<Tables['invoice']>
export type PaymentRow = Selectable<Tables['payment']>

export const toInvoice = (row: InvoiceRow): Invoice => ({
  id: row.id,
  branchId: row.branch_id,
  number: row.number,
  studentId: row.student_id,
  status: row.status,
  issueDate: row.issue_date,
  dueDate: row.due_date,
  subtotal: money(row.subtotal_minor, row.currency),
  discount: money(row.discount_minor, row.currency),
  tax: money(row.tax_minor, row.currency),
  total: money(row.total_minor, row.currency),
  paid: money(row.paid_minor, row.currency),
})

export const toPayment = (row: PaymentRow): Payment => ({
  id: row.id,
  invoiceId: row.invoice_id,
  amount: money(row.amount_minor, row.currency),
  method: row.method,
  provider: row.provider,
  reference: row.reference,
  reason: row.reason,
  reversesPaymentId: row.reverses_payment_id,
  receivedAt: row.received_at,
  receivedByUserId: row.received_by_user_id,
  createdAt: row.created_at,
})

/** @throws NotFound */
export const findInvoice = async (db: ScopedDb, id: string): Promise<InvoiceRow> => {
  const row = await db.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw NotFound()
  return row
}

/** The invoice with its lines in their order and its ledger, oldest first. @throws NotFound */
export const readInvoice = async (db: ScopedDb, id: string): Promise<InvoiceDetail> => {
  const invoice = await findInvoice(db, id)
  const lines = await db
    .selectFrom('invoice_line')
    .selectAll()
    .where('invoice_id', '=', id)
    .orderBy('position')
    .execute()
  const payments = await db
    .selectFrom('payment')
    .selectAll()
    .where('invoice_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const { currency } = invoice
  return {
    ...toInvoice(invoice),
    lines: lines.map((line) => ({
      id: line.id,
      description: line.description,
      quantity: line.quantity,
      unitAmount: money(line.unit_amount_minor, currency),
      discount: money(line.discount_minor, currency),
      taxRatePercent: line.tax_rate_percent,
      tax: money(line.tax_minor, currency),
      total: money(line.total_minor, currency),
      feeScheduleId: null,
      enrollmentId: line.enrollment_id,
      courseEnrollmentId: null,
    })),
    payments: payments.map(toPayment),
    balance: money(invoice.status === 'void' ? 0 : invoice.total_minor - invoice.paid_minor, currency),
    notes: invoice.notes,
    voidReason: invoice.void_reason,
    version: invoice.version,
    createdAt: invoice.created_at,
    updatedAt: invoice.updated_at,
  }
}
