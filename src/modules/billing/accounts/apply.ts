import { compiledInTenant } from '#db/queries/compiled.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { readSettings } from '#modules/settings/index.ts'
import type { InvoiceRow } from '../invoices.ts'
import { readPayersOfRecord } from '../keep.ts'
import { addEntry, creditOf, holderOf, lockAccounts, type AccountRow, type Holder } from './credit.ts'

/** Those of the invoice's branch first, then by id. */
const nearestFirst = (accounts: readonly AccountRow[], branchId: string): AccountRow[] =>
  accounts.toSorted((one, other) => Number(other.branch_id === branchId) - Number(one.branch_id === branchId))

/**
 * Takes an amount out of locked accounts for an invoice; what it pays then is the caller's to write. What a credit note
 * made and goes back names the note.
 * @returns the accounts as they are then
 */
export const takeForInvoice = async (
  tx: Tx,
  accounts: readonly AccountRow[],
  {
    invoice,
    amountMinor,
    creditNoteId = null,
  }: { invoice: Pick<InvoiceRow, 'id' | 'branch_id'>; amountMinor: number; creditNoteId?: string | null },
): Promise<AccountRow[]> => {
  let left = amountMinor
  const after: AccountRow[] = []
  for (const account of nearestFirst(accounts, invoice.branch_id)) {
    const part = Math.min(left, account.credit_minor)
    left -= part
    const taken = {
      kind: 'applied',
      amount_minor: -part,
      invoice_id: invoice.id,
      credit_note_id: creditNoteId,
    } as const
    after.push(part > 0 ? (await addEntry(tx, account, taken)).account : account)
  }
  return after
}

export interface CreditAtIssue {
  holder: Holder
  accounts: readonly AccountRow[]
}

const draftById = compiledInTenant((whole, { id }: { id: string }) =>
  whole.selectFrom('invoice').select(['student_id', 'currency']).where('id', '=', id),
)

/**
 * Locks what pays an invoice that is about to be issued: the credit of its payer, where the institute applies it. The
 * invoice is not locked yet.
 * @returns undefined: there is none
 */
export const lockCreditAtIssue = async (tx: Tx, invoiceId: string): Promise<CreditAtIssue | undefined> => {
  const [draft] = await draftById(tx.db, { id: invoiceId })
  if (!draft) return undefined
  const { student_id: studentId, currency } = draft
  const payerId = (await readPayersOfRecord(tx.whole, [studentId])).get(studentId) ?? null
  const holder = holderOf(payerId, studentId)
  const accounts = await lockAccounts(tx.whole, holder, currency)
  if (creditOf(accounts) === 0 || !(await readSettings(tx.whole)).applyCredit) return undefined
  return { holder, accounts }
}
