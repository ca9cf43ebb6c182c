import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { AlreadyReversed, ReceiptReachesFurther } from '../failures.ts'
import type { InvoiceRow } from '../invoices.ts'
import { addReversal } from '../payments.ts'
import type { Receipt } from '../receipt-schemas.ts'
import { cancelIfNothingHolds, readReceipt } from '../receipts.ts'
import { lockInvoices, settle } from '../settle.ts'
import { addEntry, type AccountRow, type CreditEntryRow } from './credit.ts'

/** Locks the accounts that have credit of a receipt. */
const lockAccountsOf = async (tx: Tx, receiptId: string): Promise<AccountRow[]> => {
  const { whole } = tx
  const ofReceipt = whole.selectFrom('credit_entry').select('account_id').where('receipt_id', '=', receiptId)
  const accounts = whole.selectFrom('payer_account').selectAll().where('id', 'in', ofReceipt).orderBy('id')
  return forNoKeyUpdate(whole, accounts).execute()
}

/** The entries of a locked account that nothing takes back, newest first. */
const standing = async (tx: Tx, accountId: string): Promise<CreditEntryRow[]> =>
  tx.whole
    .selectFrom('credit_entry')
    .leftJoin('credit_entry as reversal', 'reversal.reverses_entry_id', 'credit_entry.id')
    .selectAll('credit_entry')
    .where('credit_entry.account_id', '=', accountId)
    .where('credit_entry.reverses_entry_id', 'is', null)
    .where('reversal.id', 'is', null)
    .orderBy('credit_entry.created_at', 'desc')
    .orderBy('credit_entry.id', 'desc')
    .execute()

/** What is taken back in one account. */
interface TakenBack {
  account: AccountRow
  received: CreditEntryRow[]
  /** What was paid from the credit last, as far as what is left is less than what is taken back. */
  applied: CreditEntryRow[]
}

const planOf = async (tx: Tx, account: AccountRow, receiptId: string): Promise<TakenBack> => {
  const entries = await standing(tx, account.id)
  const received = entries.filter((entry) => entry.receipt_id === receiptId)
  let missing = received.reduce((sum, entry) => sum + entry.amount_minor, 0) - account.credit_minor
  const applied = []
  for (const entry of entries) {
    if (missing <= 0) break
    if (entry.kind !== 'applied') continue
    applied.push(entry)
    missing += entry.amount_minor
  }
  return { account, received, applied }
}

const paymentsLeft = (tx: Tx, receiptId: string) =>
  tx.whole
    .selectFrom('receipt_payment')
    .innerJoin('payment', 'payment.id', 'receipt_payment.payment_id')
    .leftJoin('payment as reversal', 'reversal.reverses_payment_id', 'payment.id')
    .selectAll('payment')
    .where('receipt_payment.receipt_id', '=', receiptId)
    .where('reversal.id', 'is', null)
    .orderBy('payment.id')
    .execute()

/**
 * Takes back all that still holds of a receipt: its payments and what went to the credit of its payer. Where that credit
 * has paid invoices since, the last of them are owed again.
 * @throws NotFound, ReceiptReachesFurther, AlreadyReversed, SumsFull
 */
export const reverseReceipt = async (tx: Tx, id: string, reason: string): Promise<Receipt> => {
  const shown = await readReceipt(tx.db, id)
  const all = await readReceipt(tx.whole, id)
  if (all.amount.amountMinor !== shown.amount.amountMinor) throw ReceiptReachesFurther()
  const accounts = await lockAccountsOf(tx, id)
  const plans: TakenBack[] = []
  for (const account of accounts) plans.push(await planOf(tx, account, id))
  const applied = plans.flatMap((plan) => plan.applied.map((entry) => entry.invoice_id as string))
  const invoiceIds = [...new Set([...all.payments.map(({ invoiceId }) => invoiceId), ...applied])]
  const invoices = new Map(await lockInvoices(tx.whole, invoiceIds))
  // Read after the locks: somebody else may have taken back the same.
  const payments = await paymentsLeft(tx, id)
  if (payments.length === 0 && plans.every(({ received }) => received.length === 0)) throw AlreadyReversed()
  for (const plan of plans) await takeBack(tx, plan, { reason, invoices })
  for (const payment of payments) {
    const invoice = invoices.get(payment.invoice_id) as InvoiceRow
    invoices.set(invoice.id, (await addReversal(tx, { payment, invoice, reason })).invoice)
  }
  await cancelIfNothingHolds(tx, id)
  return readReceipt(tx.db, id)
}

const takeBack = async (
  tx: Tx,
  { account, received, applied }: TakenBack,
  { reason, invoices }: { reason: string; invoices: Map<string, InvoiceRow> },
): Promise<void> => {
  let row = account
  for (const entry of applied) {
    const invoice = invoices.get(entry.invoice_id as string) as InvoiceRow
    invoices.set(invoice.id, await settle(tx, invoice, entry.amount_minor))
    row = (await addEntry(tx, row, { ...reversalOf(entry, reason), invoice_id: entry.invoice_id })).account
  }
  for (const entry of received) {
    row = (await addEntry(tx, row, { ...reversalOf(entry, reason), receipt_id: entry.receipt_id })).account
  }
}

const reversalOf = ({ id, kind, amount_minor: amount }: CreditEntryRow, reason: string) => ({
  kind,
  amount_minor: -amount,
  reverses_entry_id: id,
  reason,
})
