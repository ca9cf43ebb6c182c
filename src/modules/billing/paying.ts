import { found } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockRow } from '#runtime/records/records.ts'
import { invoiceRecord, type InvoiceRow } from './invoices.ts'
import { OPEN } from './lifecycle.ts'

/** What whoever lets people pay by themselves needs to know of an invoice. */

/** The invoice, locked until the end of the transaction. @throws NotFound */
export const invoiceForPaying = (tx: Tx, id: string): Promise<InvoiceRow> =>
  lockRow({ db: tx.whole }, invoiceRecord, id)

/** What is to be paid of an invoice now, 0 where it takes no payment, and by whom. @throws NotFound */
export const balanceOf = async (whole: ScopedDb, id: string) => {
  const row = found(
    await whole
      .selectFrom('invoice')
      .select(['number', 'status', 'due_date', 'currency', 'total_minor', 'paid_minor', 'student_id', 'branch_id'])
      .select(['payer_guardian_id', 'kept'])
      .where('id', '=', id)
      .executeTakeFirst(),
  )
  return {
    number: row.number,
    status: row.status,
    dueDate: row.due_date,
    currency: row.currency,
    balanceMinor: OPEN.includes(row.status) ? row.total_minor - row.paid_minor : 0,
    studentId: row.student_id,
    branchId: row.branch_id,
    payerGuardianId: row.payer_guardian_id,
    kept: row.kept,
  }
}
