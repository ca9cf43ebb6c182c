import type { Tx } from '#kernel/unit-of-work.ts'
import { changeRecord, lockRow } from '#runtime/records.ts'
import { CannotVoid, NotADraft, NotOpen } from './failures.ts'
import { invoiceRecord, type InvoiceRow } from './invoices.ts'
import type { InvoiceDetail } from './schemas.ts'
import type { InvoiceStatus } from './tables.ts'

/** Statuses in which something can still be paid. */
export const OPEN: readonly InvoiceStatus[] = ['issued', 'partially_paid', 'overdue']

/** What events tell of an invoice that waits for money. */
export const openInvoiceEvent = (row: InvoiceRow) => ({
  invoiceId: row.id,
  studentId: row.student_id,
  number: row.number,
  totalMinor: row.total_minor,
  paidMinor: row.paid_minor,
  currency: row.currency,
  dueDate: row.due_date,
})

/** A draft becomes issued; one that comes to nothing is paid at once. @throws NotFound, NotADraft */
export const issueInvoice = async (tx: Tx, id: string): Promise<InvoiceDetail> => {
  const row = await lockRow(tx, invoiceRecord, id)
  if (row.status !== 'draft') throw NotADraft()
  const status = row.total_minor === 0 ? 'paid' : 'issued'
  tx.record('invoice.issued', {
    invoiceId: row.id,
    studentId: row.student_id,
    number: row.number,
    totalMinor: row.total_minor,
    currency: row.currency,
    dueDate: row.due_date,
    status,
  })
  return changeRecord(tx, invoiceRecord, row, { status })
}

/** One that is paid because it comes to nothing can be voided. @throws NotFound, CannotVoid when it is void or anything is paid */
export const voidInvoice = async (tx: Tx, id: string, reason: string): Promise<InvoiceDetail> => {
  const row = await lockRow(tx, invoiceRecord, id)
  if (row.status === 'void' || row.paid_minor > 0) throw CannotVoid()
  return changeRecord(tx, invoiceRecord, row, { status: 'void', voidReason: reason })
}

/** Asks for a reminder to be sent. @throws NotFound, NotOpen */
export const remindOfInvoice = async (tx: Tx, id: string): Promise<void> => {
  const row = await lockRow(tx, invoiceRecord, id)
  if (!OPEN.includes(row.status)) throw NotOpen()
  tx.record('invoice.reminder_requested', openInvoiceEvent(row))
  tx.audit({ entityType: 'invoice', entityId: id })
}
