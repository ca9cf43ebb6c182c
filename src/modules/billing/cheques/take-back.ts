import { found, invalid } from '#kernel/values/errors.ts'
import type { Locale } from '#shared/locale.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeRecord, findRow, lockRow, type LockedRow } from '#runtime/records/records.ts'
import { lockAccountsOf, takeBackParts } from '../accounts/reverse-receipt.ts'
import { createInvoice } from '../drafts.ts'
import type { InvoiceRow } from '../invoices.ts'
import { keptOfReceipt } from '../keep.ts'
import { OPEN } from '../lifecycle.ts'
import { recordPayments } from '../payments.ts'
import type { Receipt } from '../receipt-schemas.ts'
import { cancelIfNothingHolds } from '../receipts.ts'
import { lockInvoices } from '../settle.ts'
import { giveFromTill } from '../tills/entries.ts'
import { chequeRecord, readCheque } from './cheque.ts'
import { heldFor } from './covering.ts'
import { AlreadyBounced, ChequeMoved, ReplacementDiffers } from './failures.ts'
import { entriesOf, partsOf, type ChequeRow } from './rows.ts'
import type { Bounce, Cheque, Replacement } from './schemas.ts'
import type { ChequeStatus } from './tables.ts'
import { takeCheques } from './take.ts'

/** The states in which a cheque is a payment. */
const PAID: readonly ChequeStatus[] = ['due', 'deposited', 'cleared']

/** @throws ChequeMoved unless the cheque is in one of these states */
const mustBe = ({ id, status }: ChequeRow, allowed: readonly ChequeStatus[]): void => {
  if (!allowed.includes(status)) throw ChequeMoved({ chequeId: id, status })
}

/** Locks a cheque, and before it the accounts that it is in. The invoices are not locked yet. */
const lockCheque = async (tx: Tx, id: string): Promise<LockedRow<'cheque'>> => {
  const { receipt_id: receiptId } = await findRow(tx.db, chequeRecord, id)
  await lockAccountsOf(tx, receiptId)
  return lockRow(tx, chequeRecord, id)
}

/** Reverses the payments and the credit that a locked cheque became. @throws CreditPaidOut, SumsFull */
const takeBack = async (tx: Tx, { id, receipt_id: receiptId }: ChequeRow, reason: string): Promise<void> => {
  await takeBackParts(tx, receiptId, { reason, only: await entriesOf(tx.whole, id) })
}

const FEE: Readonly<Record<Locale, (number: string) => string>> = {
  en: (number) => `Fee for returned cheque ${number}`,
  ar: (number) => `رسوم شيك راجع رقم ${number}`,
  he: (number) => `עמלת צ׳ק חוזר מס׳ ${number}`,
}

/** The student on whose invoice the fee stands: of the first invoice that the cheque is for, else the payer's first. */
const studentForFee = async (tx: Tx, cheque: ChequeRow): Promise<string> => {
  const [part] = await partsOf(tx.whole, cheque.id)
  if (part) {
    const ofInvoice = tx.whole.selectFrom('invoice').select('student_id').where('id', '=', part.invoice_id)
    return found(await ofInvoice.executeTakeFirst()).student_id
  }
  if (cheque.student_id !== null) return cheque.student_id
  const first = await tx.whole
    .selectFrom('guardian_link')
    .select('student_id')
    .where('guardian_id', '=', cheque.guardian_id)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst()
  if (!first) throw invalid(['feeMinor'], 'Must be left out for a guardian without students.')
  return first.student_id
}

/** The draft of what the payer is charged for a cheque that bounced. @returns its id */
const addFee = async (tx: Tx, cheque: ChequeRow, feeMinor: number): Promise<string> => {
  const locale = (await keptOfReceipt(tx.whole, cheque.receipt_id))?.locale ?? tx.tenant.defaultLocale
  const line = {
    description: FEE[locale](cheque.number),
    quantity: 1,
    unitAmountMinor: feeMinor,
    discountMinor: 0,
    taxRatePercent: 0,
  }
  const draft = { studentId: await studentForFee(tx, cheque), lines: [line], currency: cheque.currency }
  return (await createInvoice(tx.within('all'), draft)).id
}

/**
 * The bank did not pay a cheque: what it paid is owed again. Students are locked before accounts: the fee comes first.
 * @throws NotFound, AlreadyBounced, ChequeMoved, CreditPaidOut, SumsFull, VALIDATION_ERROR
 */
export const bounceCheque = async (tx: Tx, id: string, { reason, feeMinor }: Bounce): Promise<Cheque> => {
  const seen = await findRow(tx.db, chequeRecord, id)
  if (seen.status === 'bounced') throw AlreadyBounced()
  mustBe(seen, PAID)
  const feeInvoiceId = feeMinor === undefined ? null : await addFee(tx, seen, feeMinor)
  const cheque = await lockCheque(tx, id)
  if (cheque.status === 'bounced') throw AlreadyBounced()
  mustBe(cheque, PAID)
  await takeBack(tx, cheque, reason)
  await changeRecord(tx, chequeRecord, cheque, { status: 'bounced', reason, feeInvoiceId })
  await cancelIfNothingHolds(tx, cheque.receipt_id)
  tx.emit('cheque.bounced', {
    chequeId: id,
    receiptId: cheque.receipt_id,
    number: cheque.number,
    amountMinor: cheque.amount_minor,
    currency: cheque.currency,
    dueOn: cheque.due_on,
    reason,
  })
  return readCheque(tx.db, tx.whole, id)
}

/** Gives a cheque back that the bank has not got. @throws NotFound, ChequeMoved, CreditPaidOut, SumsFull */
export const returnCheque = async (tx: Tx, id: string, reason: string | undefined): Promise<Cheque> => {
  const cheque = await lockCheque(tx, id)
  mustBe(cheque, ['held', 'due'])
  if (cheque.status === 'due') await takeBack(tx, cheque, reason ?? cheque.number)
  else await giveFromTill(tx, cheque)
  await changeRecord(tx, chequeRecord, cheque, { status: 'returned', reason })
  await cancelIfNothingHolds(tx, cheque.receipt_id)
  return readCheque(tx.db, tx.whole, id)
}

/** The bank has paid. @throws NotFound, ChequeMoved */
export const clearCheque = async (tx: Tx, id: string): Promise<Cheque> => {
  const cheque = await lockRow(tx, chequeRecord, id)
  mustBe(cheque, ['due', 'deposited'])
  await changeRecord(tx, chequeRecord, cheque, { status: 'cleared' })
  return readCheque(tx.db, tx.whole, id)
}

/** What of a cheque was for which invoice, as far as these still take it. */
const stillFor = async (tx: Tx, cheque: ChequeRow) => {
  const { payments } = await entriesOf(tx.whole, cheque.id)
  const paid =
    payments.size === 0
      ? []
      : await tx.whole
          .selectFrom('payment')
          .select(['invoice_id', 'amount_minor'])
          .where('id', 'in', [...payments])
          .orderBy('id')
          .execute()
  const meant = new Map<string, number>()
  for (const part of paid.length > 0 ? paid : await partsOf(tx.whole, cheque.id)) {
    meant.set(part.invoice_id, (meant.get(part.invoice_id) ?? 0) + part.amount_minor)
  }
  const invoices = await lockInvoices(tx.db, [...meant.keys()])
  const held = await heldFor(tx.whole, [...meant.keys()])
  return [...meant].flatMap(([invoiceId, amount]) => {
    const invoice: InvoiceRow | undefined = invoices.get(invoiceId)
    if (!invoice || !OPEN.includes(invoice.status)) return []
    const amountMinor = Math.min(amount, invoice.total_minor - invoice.paid_minor - (held.get(invoiceId) ?? 0))
    return amountMinor > 0 ? [{ invoiceId, amountMinor }] : []
  })
}

/**
 * Settles a cheque by others of the same sum, or by other money. What it was for is what they are for.
 * @throws NotFound, ChequeMoved, ReplacementDiffers, CreditPaidOut, SumsFull, what `takeCheques` throws, VALIDATION_ERROR
 */
export const replaceCheque = async (tx: Tx, id: string, body: Replacement): Promise<Receipt> => {
  const { cheques, method, reference, receivedAt } = body
  if ((cheques === undefined) === (method === undefined)) throw invalid(['method'], 'Must be given, or cheques.')
  const cheque = await lockCheque(tx, id)
  mustBe(cheque, ['held', 'due', 'bounced'])
  const { amount_minor: amountMinor, currency, branch_id: branchId } = cheque
  if (cheques && cheques.reduce((sum, one) => sum + one.amountMinor, 0) !== amountMinor) {
    throw ReplacementDiffers({
      issues: [{ path: ['cheques'], message: `Must come to what the cheque is for: ${amountMinor}.` }],
    })
  }
  if (cheque.status === 'due') await takeBack(tx, cheque, cheque.number)
  else if (cheque.status === 'held') await giveFromTill(tx, cheque)
  // Before the others are taken: one of them may be the same sheet, corrected.
  await tx.whole.updateTable('cheque').set({ status: 'replaced' }).where('id', '=', id).execute()
  const common = {
    allocations: await stillFor(tx, cheque),
    paidBy:
      cheque.guardian_id === null ? { studentId: cheque.student_id as string } : { guardianId: cheque.guardian_id },
    currency,
    branchId,
  }
  const receipt = cheques
    ? await takeCheques(tx, { ...common, cheques })
    : await recordPayments(tx, {
        ...common,
        amountMinor,
        method: method as NonNullable<typeof method>,
        provider: 'manual',
        reference,
        receivedAt,
      })
  await changeRecord(tx, chequeRecord, cheque, { status: 'replaced', replacedByReceiptId: receipt.id })
  await cancelIfNothingHolds(tx, cheque.receipt_id)
  return receipt
}
