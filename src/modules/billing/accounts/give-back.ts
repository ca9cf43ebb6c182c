import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { findRow } from '#runtime/records/records.ts'
import { invoiceRecord, type InvoiceRow } from '../invoices.ts'
import { settle } from '../settle.ts'
import { takeForInvoice } from './apply.ts'
import { creditOf, holderOf, lockAccounts, type AccountRow } from './credit.ts'

/**
 * A credit note on an invoice that was paid makes credit of what was paid. When that payment is taken back, the invoice is
 * short by as much: the payer's credit, as far as there is any, goes back to it.
 */

/** Locks the accounts from which an invoice may take back what its credit notes made. The invoice is not locked yet. */
export const lockForGivingBack = async (tx: Tx, invoiceId: string): Promise<AccountRow[]> => {
  const invoice = await findRow(tx.db, invoiceRecord, invoiceId)
  if (invoice.credited_minor === 0) return []
  return lockAccounts(tx.whole, holderOf(invoice.payer_guardian_id, invoice.student_id), invoice.currency)
}

/** @returns the accounts and the invoice as they are then */
export const giveBack = async (
  tx: Tx,
  accounts: readonly AccountRow[],
  invoice: InvoiceRow,
): Promise<{ accounts: readonly AccountRow[]; invoice: InvoiceRow }> => {
  const short = Math.min(invoice.credited_minor - invoice.paid_minor, creditOf(accounts))
  if (short <= 0) return { accounts, invoice }
  const after = await takeForInvoice(tx, accounts, { invoice, amountMinor: short })
  return { accounts: after, invoice: await settle(tx, invoice, short) }
}
