import { forNoKeyUpdate } from '#db/dialect.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { InvoiceRow } from '../invoices.ts'
import { settle } from '../settle.ts'
import { takeForInvoice } from './apply.ts'
import { creditOf, type AccountRow, type Holder } from './credit.ts'

/**
 * A credit note on an invoice that was paid makes credit of what was paid. When that is taken back, the invoice is open
 * again: what the note made goes back to it first, as far as whoever got it still has credit. Entries that give back name
 * the note, so that no more goes back than it made.
 */

/** Whose credit the credit notes of these invoices made. */
export const holdersOfNotes = async (
  tx: Tx,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string | null, Holder[]>> => {
  if (invoiceIds.length === 0) return new Map()
  const rows = await tx.whole
    .selectFrom('credit_entry')
    .innerJoin('payer_account', 'payer_account.id', 'credit_entry.account_id')
    .select(['credit_entry.invoice_id', 'payer_account.guardian_id as guardianId'])
    .select('payer_account.student_id as studentId')
    .where('credit_entry.invoice_id', 'in', invoiceIds)
    .where('credit_entry.kind', '=', 'credited')
    .distinct()
    .execute()
  return Map.groupBy(rows, ({ invoice_id: id }) => id)
}

/** Whether an account is of one of these. */
export const isOf = (account: AccountRow, holders: readonly Holder[]): boolean =>
  holders.some(({ guardianId, studentId }) => account.guardian_id === guardianId && account.student_id === studentId)

/** Locks the accounts of these, and others by their ids. */
export const lockOf = (
  { whole }: Tx,
  holders: readonly Holder[],
  accountIds: readonly string[] = [],
): Promise<AccountRow[]> | [] => {
  const guardianIds = holders.flatMap(({ guardianId }) => guardianId ?? [])
  const studentIds = holders.flatMap(({ studentId }) => studentId ?? [])
  if (guardianIds.length + studentIds.length + accountIds.length === 0) return []
  const accounts = whole
    .selectFrom('payer_account')
    .selectAll()
    .where((eb) =>
      eb.or([
        ...(accountIds.length > 0 ? [eb('id', 'in', accountIds)] : []),
        ...(guardianIds.length > 0 ? [eb('guardian_id', 'in', guardianIds)] : []),
        ...(studentIds.length > 0 ? [eb('student_id', 'in', studentIds)] : []),
      ]),
    )
    .orderBy('id')
  return forNoKeyUpdate(whole, accounts).execute()
}

/** Locks the accounts from which an invoice may take back what its credit notes made. The invoice is not locked yet. */
export const lockForGivingBack = async (tx: Tx, invoiceId: string): Promise<AccountRow[]> =>
  lockOf(tx, (await holdersOfNotes(tx, [invoiceId])).get(invoiceId) ?? [])

/** What credit notes of an invoice made, less what went back to it, and the last of the notes. */
const madeByNotes = async (tx: Tx, invoiceId: string): Promise<{ left: number; noteId: string | null }> => {
  const entries = await tx.whole
    .selectFrom('credit_entry')
    .select(['credit_note_id', 'amount_minor'])
    .where('invoice_id', '=', invoiceId)
    .where('credit_note_id', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const left = entries.reduce((sum, { amount_minor: amount }) => sum + amount, 0)
  return { left, noteId: entries.at(-1)?.credit_note_id ?? null }
}

/**
 * @param accounts those whose credit its notes made, locked
 * @returns the accounts and the invoice as they are then
 */
export const giveBack = async (
  tx: Tx,
  accounts: readonly AccountRow[],
  invoice: InvoiceRow,
): Promise<{ accounts: readonly AccountRow[]; invoice: InvoiceRow }> => {
  const theirs = accounts.filter(({ currency }) => currency === invoice.currency)
  if (theirs.length === 0) return { accounts, invoice }
  const { left, noteId } = await madeByNotes(tx, invoice.id)
  const back = Math.min(left, invoice.total_minor - invoice.paid_minor, creditOf(theirs))
  if (back <= 0) return { accounts, invoice }
  const after = await takeForInvoice(tx, theirs, { invoice, amountMinor: back, creditNoteId: noteId })
  return { accounts: after, invoice: await settle(tx, invoice, back) }
}
