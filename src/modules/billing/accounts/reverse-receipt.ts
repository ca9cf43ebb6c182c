import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { AlreadyReversed, CreditPaidOut, ReceiptReachesFurther } from '../failures.ts'
import type { InvoiceRow } from '../invoices.ts'
import { addReversal } from '../payments.ts'
import type { Receipt } from '../receipt-schemas.ts'
import { cancelIfNothingHolds, readReceipt } from '../receipts.ts'
import { lockInvoices, settle } from '../settle.ts'
import { PaidByCheque } from '../cheques/failures.ts'
import { addToTill } from '../tills/entries.ts'
import { addEntry, type AccountRow, type CreditEntryRow } from './credit.ts'
import { giveBack, holdersOfNotes, isOf, lockOf } from './give-back.ts'

/** The accounts that have credit of a receipt. */
const accountsWithCredit = async ({ whole }: Tx, receiptId: string): Promise<string[]> => {
  const entries = whole.selectFrom('credit_entry').select('account_id').where('receipt_id', '=', receiptId)
  return (await entries.distinct().execute()).map(({ account_id: id }) => id)
}

/** The invoices that may be open again: those of the receipt, and those that credit of these accounts paid. */
const mayOpen = async ({ whole }: Tx, receiptId: string, accountIds: readonly string[]): Promise<string[]> => {
  const paid = await whole
    .selectFrom('receipt_payment')
    .select('invoice_id')
    .where('receipt_id', '=', receiptId)
    .execute()
  const applied =
    accountIds.length === 0
      ? []
      : await whole
          .selectFrom('credit_entry')
          .select('invoice_id')
          .where('account_id', 'in', accountIds)
          .where('kind', '=', 'applied')
          .distinct()
          .execute()
  return [...new Set([...paid, ...applied].flatMap(({ invoice_id: id }) => id ?? []))]
}

/** The accounts that a receipt may have given credit, by their ids, and whose credit the notes of its invoices made. */
interface LockedAccounts {
  accounts: Map<string, AccountRow>
  holders: Awaited<ReturnType<typeof holdersOfNotes>>
}

/** Locks the accounts that have credit of a receipt, and those from which credit may go back to its invoices. */
export const lockAccountsOf = async (tx: Tx, receiptId: string): Promise<LockedAccounts> => {
  const accountIds = await accountsWithCredit(tx, receiptId)
  const holders = await holdersOfNotes(tx, await mayOpen(tx, receiptId, accountIds))
  const locked = await lockOf(tx, [...holders.values()].flat(), accountIds)
  return { accounts: new Map(locked.map((account) => [account.id, account])), holders }
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

/** Which payments and entries of credit of a receipt are taken back; undefined: all of them. */
type Only = { payments: ReadonlySet<string>; credits: ReadonlySet<string> } | undefined

/** @throws CreditPaidOut */
const planOf = async (
  tx: Tx,
  account: AccountRow,
  { receiptId, only }: { receiptId: string; only: Only },
): Promise<TakenBack> => {
  const entries = await standing(tx, account.id)
  const received = entries.filter((entry) =>
    only === undefined ? entry.receipt_id === receiptId : only.credits.has(entry.id),
  )
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

const paymentsLeft = async (tx: Tx, receiptId: string, only: Only) => {
  const left = await tx.whole
    .selectFrom('receipt_payment')
    .innerJoin('payment', 'payment.id', 'receipt_payment.payment_id')
    .leftJoin('payment as reversal', 'reversal.reverses_payment_id', 'payment.id')
    .selectAll('payment')
    .where('receipt_payment.receipt_id', '=', receiptId)
    .where('reversal.id', 'is', null)
    .orderBy('payment.id')
    .execute()
  return left.filter(({ id }) => only === undefined || only.payments.has(id))
}

/** The locked rows, as they are while a receipt is taken back. */
interface Locked extends LockedAccounts {
  invoices: Map<string, InvoiceRow>
}

/**
 * Takes back what still holds of a receipt, or of a part of it: payments, and what went to the credit of its payer. Where
 * that credit has paid invoices since, the last of them are owed again. What credit notes of those invoices made goes back
 * to them.
 * @returns whether anything did @throws CreditPaidOut, SumsFull
 */
export const takeBackParts = async (
  tx: Tx,
  receiptId: string,
  { reason, only }: { reason: string; only?: Only },
): Promise<boolean> => {
  const { accounts, holders } = await lockAccountsOf(tx, receiptId)
  const plans: TakenBack[] = []
  for (const account of accounts.values()) plans.push(await planOf(tx, account, { receiptId, only }))
  const applied = plans.flatMap((plan) => plan.applied.map((entry) => entry.invoice_id as string))
  const paid = (await paymentsLeft(tx, receiptId, only)).map((payment) => payment.invoice_id)
  const invoiceIds = [...new Set([...paid, ...applied])]
  const locked: Locked = { accounts, holders, invoices: new Map(await lockInvoices(tx.whole, invoiceIds)) }
  // Read after the locks: somebody else may have taken back the same.
  const payments = await paymentsLeft(tx, receiptId, only)
  if (payments.length === 0 && plans.every(({ received }) => received.length === 0)) return false
  for (const plan of plans) await takeBack(tx, plan, { reason, locked })
  for (const payment of payments) {
    const invoice = locked.invoices.get(payment.invoice_id) as InvoiceRow
    const reversed = await addReversal(tx, { payment, invoice, reason })
    locked.invoices.set(invoice.id, reversed.invoice)
    await giveBackTo(tx, invoice.id, locked)
  }
  for (const invoiceId of applied) await giveBackTo(tx, invoiceId, locked)
  return true
}

/**
 * Takes back all that still holds of a receipt.
 * @throws NotFound, ReceiptReachesFurther, PaidByCheque, AlreadyReversed, CreditPaidOut, SumsFull
 */
export const reverseReceipt = async (tx: Tx, id: string, reason: string): Promise<Receipt> => {
  const shown = await readReceipt(tx.db, id)
  const all = await readReceipt(tx.whole, id)
  if (all.cheques.length > 0) throw PaidByCheque()
  if (all.amount.amountMinor !== shown.amount.amountMinor) throw ReceiptReachesFurther()
  if (!(await takeBackParts(tx, id, { reason }))) throw AlreadyReversed()
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
    const reversal = await addEntry(tx, row, { ...reversalOf(entry, reason), receipt_id: entry.receipt_id })
    row = reversal.account
    await giveFromTill(tx, entry, reversal.id)
  }
  accounts.set(row.id, row)
}

/** What was paid ahead leaves the till of who takes it back, by the way in which it came into another one. */
const giveFromTill = async (tx: Tx, entry: CreditEntryRow, reversalId: string): Promise<void> => {
  const taken = await tx.whole
    .selectFrom('till_entry')
    .select(['branch_id', 'method', 'currency'])
    .where('credit_entry_id', '=', entry.id)
    .executeTakeFirst()
  if (taken) await addToTill(tx, { ...taken, amount_minor: -entry.amount_minor, credit_entry_id: reversalId })
}

/** Lets what credit notes of an invoice made go back to it. */
const giveBackTo = async (tx: Tx, invoiceId: string, { accounts, holders, invoices }: Locked): Promise<void> => {
  const theirs = [...accounts.values()].filter((account) => isOf(account, holders.get(invoiceId) ?? []))
  const given = await giveBack(tx, theirs, invoices.get(invoiceId) as InvoiceRow)
  for (const account of given.accounts) accounts.set(account.id, account)
  invoices.set(invoiceId, given.invoice)
}

const reversalOf = ({ id, kind, amount_minor: amount, credit_note_id: noteId }: CreditEntryRow, reason: string) => ({
  kind,
  amount_minor: -amount,
  credit_note_id: noteId,
  reverses_entry_id: id,
  reason,
})
