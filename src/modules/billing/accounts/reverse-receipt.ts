import { forNoKeyUpdate } from '#db/dialect.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { AlreadyReversed, CreditPaidOut, ReceiptReachesFurther } from '../failures.ts'
import type { InvoiceRow } from '../invoices.ts'
import { addReversal } from '../payments.ts'
import type { Receipt } from '../receipt-schemas.ts'
import { cancelIfNothingHolds, readReceipt } from '../receipts.ts'
import { lockInvoices, settle } from '../settle.ts'
import { addEntry, type AccountRow, type CreditEntryRow } from './credit.ts'
import { giveBack } from './give-back.ts'

/** Who pays those invoices of a receipt of which credit notes took off a part: credit may have to go back to them. */
const creditedPayers = (tx: Tx, receiptId: string) =>
  tx.whole
    .selectFrom('receipt_payment')
    .innerJoin('invoice', 'invoice.id', 'receipt_payment.invoice_id')
    .select(['invoice.payer_guardian_id', 'invoice.student_id', 'invoice.currency'])
    .where('receipt_payment.receipt_id', '=', receiptId)
    .where('invoice.credited_minor', '>', 0)
    .execute()

/** Locks the accounts that have credit of a receipt, and those from which credit may go back to its invoices. */
const lockAccountsOf = async (tx: Tx, receiptId: string): Promise<AccountRow[]> => {
  const { whole } = tx
  const payers = await creditedPayers(tx, receiptId)
  const guardianIds = payers.flatMap(({ payer_guardian_id: id }) => (id === null ? [] : [id]))
  const studentIds = payers.flatMap(({ payer_guardian_id: id, student_id: studentId }) =>
    id === null ? [studentId] : [],
  )
  const accounts = whole
    .selectFrom('payer_account')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('id', 'in', whole.selectFrom('credit_entry').select('account_id').where('receipt_id', '=', receiptId)),
        ...(guardianIds.length > 0 ? [eb('guardian_id', 'in', guardianIds)] : []),
        ...(studentIds.length > 0 ? [eb('student_id', 'in', studentIds)] : []),
      ]),
    )
    .orderBy('id')
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

/** @throws CreditPaidOut */
const planOf = async (tx: Tx, account: AccountRow, receiptId: string): Promise<TakenBack> => {
  const entries = await standing(tx, account.id)
  const received = entries.filter((entry) => entry.receipt_id === receiptId)
  if (received.length === 0) return { account, received, applied: [] }
  let missing = received.reduce((sum, entry) => sum + entry.amount_minor, 0) - account.credit_minor
  const applied = []
  for (const entry of entries) {
    if (missing <= 0) break
    if (entry.kind !== 'applied') continue
    applied.push(entry)
    missing += entry.amount_minor
  }
  if (missing > 0) throw CreditPaidOut()
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

/** The locked rows, as they are while a receipt is taken back. */
interface Locked {
  accounts: Map<string, AccountRow>
  invoices: Map<string, InvoiceRow>
}

/**
 * Takes back all that still holds of a receipt: its payments and what went to the credit of its payer. Where that credit
 * has paid invoices since, the last of them are owed again.
 * @throws NotFound, ReceiptReachesFurther, AlreadyReversed, CreditPaidOut, SumsFull
 */
export const reverseReceipt = async (tx: Tx, id: string, reason: string): Promise<Receipt> => {
  const shown = await readReceipt(tx.db, id)
  const all = await readReceipt(tx.whole, id)
  if (all.amount.amountMinor !== shown.amount.amountMinor) throw ReceiptReachesFurther()
  const accounts = new Map((await lockAccountsOf(tx, id)).map((account) => [account.id, account]))
  const plans: TakenBack[] = []
  for (const account of accounts.values()) plans.push(await planOf(tx, account, id))
  const applied = plans.flatMap((plan) => plan.applied.map((entry) => entry.invoice_id as string))
  const invoiceIds = [...new Set([...all.payments.map(({ invoiceId }) => invoiceId), ...applied])]
  const locked: Locked = { accounts, invoices: new Map(await lockInvoices(tx.whole, invoiceIds)) }
  // Read after the locks: somebody else may have taken back the same.
  const payments = await paymentsLeft(tx, id)
  if (payments.length === 0 && plans.every(({ received }) => received.length === 0)) throw AlreadyReversed()
  for (const plan of plans) await takeBack(tx, plan, { reason, locked })
  for (const payment of payments) {
    const invoice = locked.invoices.get(payment.invoice_id) as InvoiceRow
    const reversed = await addReversal(tx, { payment, invoice, reason })
    await giveBackTo(tx, reversed.invoice, locked)
  }
  await cancelIfNothingHolds(tx, id)
  return readReceipt(tx.db, id)
}

const takeBack = async (
  tx: Tx,
  { account, received, applied }: TakenBack,
  { reason, locked: { accounts, invoices } }: { reason: string; locked: Locked },
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
  accounts.set(row.id, row)
}

/** Lets the credit of an invoice's payer go back to it, where a credit note had made some of what was taken back now. */
const giveBackTo = async (tx: Tx, invoice: InvoiceRow, { accounts, invoices }: Locked): Promise<void> => {
  const theirs = [...accounts.values()].filter(
    (account) =>
      account.currency === invoice.currency &&
      (invoice.payer_guardian_id === null
        ? account.student_id === invoice.student_id
        : account.guardian_id === invoice.payer_guardian_id),
  )
  const given = await giveBack(tx, theirs, invoice)
  for (const account of given.accounts) accounts.set(account.id, account)
  invoices.set(invoice.id, given.invoice)
}

const reversalOf = ({ id, kind, amount_minor: amount }: CreditEntryRow, reason: string) => ({
  kind,
  amount_minor: -amount,
  reverses_entry_id: id,
  reason,
})
