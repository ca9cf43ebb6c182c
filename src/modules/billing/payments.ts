import type { InferOutput } from 'valibot'
import { compiledInsert } from '#db/queries/compiled.ts'
import { refusing } from '#db/dialect.ts'
import { actingUserId } from '#kernel/who/actor.ts'
import { found, invalid } from '#kernel/values/errors.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { localDate } from '#kernel/time/zone.ts'
import { findRow, lockRow } from '#runtime/records/records.ts'
import { keepAhead, lockAhead, lockBranchOf, payersWho } from './accounts/ahead.ts'
import { addEntries, insertCheque, isOfCheque, type NewEntry } from './cheques/rows.ts'
import { PaidByCheque } from './cheques/failures.ts'
import { giveBack, lockForGivingBack } from './accounts/give-back.ts'
import {
  AboveBalance,
  AlreadyReversed,
  CurrencyDiffers,
  InvoiceNamedTwice,
  IsReversal,
  TakesNoPayment,
} from './failures.ts'
import { invoiceRecord, paymentRecord, toPayment, type InvoiceRow, type PaymentRow } from './invoices.ts'
import { OPEN } from './lifecycle.ts'
import type { NewReceipt, Receipt } from './receipt-schemas.ts'
import {
  addReceipt,
  addToReceipt,
  cancelReceiptOf,
  payersOf,
  readReceipt,
  toReceipt,
  type NewReceiptRow,
} from './receipts.ts'
import type { NewPayment, Payment } from './schemas.ts'
import { lockInvoices, settleAll } from './settle.ts'
import { checkRoomForReversal } from './sums.ts'
import { addAllToTill, addToTill, passesTill } from './tills/entries.ts'

const insertPayments = compiledInsert((db: ScopedDb, rows: Omit<PaymentRow, 'tenant_id'>[]) =>
  db.insertInto('payment').values(rows),
)

/** A row of the ledger, and its locked invoice. */
interface Entry {
  payment: PaymentRow
  invoice: InvoiceRow
}

/**
 * Adds rows to the ledger, and what they come to on their invoices, none of which has two of them.
 * @returns the rows and the invoices as they are then
 */
const addToLedger = async (tx: Tx, entries: readonly Entry[], receipt?: NewReceiptRow): Promise<Entry[]> => {
  const rows = entries.map(({ payment: { tenant_id: _tenant, ...values } }) => values)
  await insertPayments(tx.db, rows).catch(refusing({ unique: { 'payment(reverses_payment_id)': AlreadyReversed } }))
  const taken = []
  for (const { payment, invoice } of entries) {
    if (!(await passesTill(tx, payment))) continue
    const { id, method, currency, amount_minor } = payment
    taken.push({ branch_id: invoice.branch_id, method, currency, amount_minor, payment_id: id })
  }
  await addAllToTill(tx, taken)
  const settled = await settleAll(
    tx,
    entries.map(({ payment, invoice }) => ({ invoice, byMinor: payment.amount_minor })),
  )
  return entries.map(({ payment, invoice }, index) => {
    const after = settled[index] as InvoiceRow
    tx.audit({
      entityType: 'payment',
      entityId: payment.id,
      after: toPayment(payment),
      metadata: {
        invoice: { id: invoice.id, number: invoice.number },
        status: [invoice.status, after.status],
        paidMinor: [invoice.paid_minor, after.paid_minor],
        ...(receipt && { receipt }),
      },
    })
    return { payment, invoice: after }
  })
}

/** Where an amount and its currency stand in the request. */
interface AmountPaths {
  amount: string[]
  currency: string[]
}

/** @throws TakesNoPayment, CurrencyDiffers, AboveBalance */
export const checkTakes = (
  invoice: InvoiceRow,
  given: { amountMinor: number; currency: Currency },
  paths: AmountPaths,
): void => {
  if (!OPEN.includes(invoice.status)) throw TakesNoPayment({ invoiceId: invoice.id, status: invoice.status })
  if (given.currency !== invoice.currency) {
    const message = `Must be the invoice’s: ${invoice.currency}.`
    throw CurrencyDiffers({ issues: [{ path: paths.currency, message }] })
  }
  const balance = invoice.total_minor - invoice.paid_minor
  if (given.amountMinor > balance) {
    throw AboveBalance({ issues: [{ path: paths.amount, message: `Must be at most the balance: ${balance}.` }] })
  }
}

/** What all payments of one receipt have in common. */
type Manner = Omit<InferOutput<typeof NewPayment>, 'amountMinor' | 'receivedAt'> & { receivedAt: string }

/** @throws VALIDATION_ERROR for a time that is still to come */
const mannerOf = (tx: Tx, body: Omit<InferOutput<typeof NewPayment>, 'amountMinor'>): Manner => {
  const { currency, method, provider, reference, receivedAt = tx.now } = body
  if (receivedAt > tx.now) throw invalid(['receivedAt'], 'Must not be in the future.')
  return { currency, method, provider, reference, receivedAt }
}

/** What of a receipt a locked invoice takes. */
interface Part {
  invoice: InvoiceRow
  amountMinor: number
}

/**
 * Records what invoices take, none of them twice, and adds it to their receipt.
 * @returns the payments in the same order, and the invoices as they are then
 */
export const addPayments = async (
  tx: Tx,
  parts: readonly Part[],
  { manner, receipt }: { manner: Manner; receipt: NewReceiptRow },
): Promise<Entry[]> => {
  const { currency, method, provider, reference = null, receivedAt } = manner
  const entries = parts.map(({ invoice, amountMinor }) => {
    const payment = {
      id: tx.id(),
      tenant_id: tx.tenant.id,
      invoice_id: invoice.id,
      amount_minor: amountMinor,
      currency,
      method,
      provider,
      reference,
      reason: null,
      reverses_payment_id: null,
      received_at: receivedAt,
      received_by_user_id: actingUserId(tx.actor),
      created_at: tx.now,
    }
    tx.emit('payment.recorded', { paymentId: payment.id, invoiceId: invoice.id, amountMinor, currency, method })
    return { payment, invoice }
  })
  if (entries.length === 0) return []
  const added = await addToLedger(tx, entries, receipt)
  await addToReceipt(
    tx,
    receipt,
    entries.map(({ payment, invoice }) => ({ paymentId: payment.id, invoice })),
  )
  return added
}

/**
 * Records a payment, with a receipt of its own. The lock on the invoice keeps concurrent payments from exceeding its
 * total.
 * @throws NotFound, TakesNoPayment, CurrencyDiffers, AboveBalance, VALIDATION_ERROR for a time in the future
 */
export const recordPayment = async (
  tx: Tx,
  invoiceId: string,
  body: InferOutput<typeof NewPayment>,
): Promise<Payment> => {
  const { amountMinor } = body
  const invoice = await lockRow(tx, invoiceRecord, invoiceId)
  checkTakes(invoice, body, { amount: ['amountMinor'], currency: ['currency'] })
  const manner = mannerOf(tx, body)
  const payers = await payersOf(tx.whole, [invoice])
  const { receipt } = await addReceipt(tx, payers, { ...manner, branchId: invoice.branch_id })
  const [added] = await addPayments(tx, [{ invoice, amountMinor }], { manner, receipt })
  return toPayment((added as Entry).payment)
}

/** The sum of what goes to invoices. @throws InvoiceNamedTwice */
export const allocated = (allocations: NewReceipt['allocations']): number => {
  const ids = allocations.map(({ invoiceId }) => invoiceId)
  const again = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (again !== -1) {
    const path = ['allocations', String(again), 'invoiceId']
    throw InvoiceNamedTwice({ issues: [{ path, message: 'Must not name an invoice twice.' }] })
  }
  return allocations.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}

/** What of the amount received goes to no invoice. @throws VALIDATION_ERROR */
const surplusOf = ({ allocations, amountMinor }: NewReceipt): number => {
  const sum = allocated(allocations)
  if (amountMinor === undefined) {
    if (sum === 0) throw invalid(['allocations'], 'Must name an invoice, or amountMinor what is paid ahead.')
    return 0
  }
  if (amountMinor < sum) throw invalid(['amountMinor'], `Must be at least what goes to invoices: ${sum}.`)
  return amountMinor - sum
}

/**
 * Records what one payer paid, on invoices and ahead, with one receipt. Accounts are locked before the invoices, and those
 * in one order for all who lock several.
 * @throws InvoiceNamedTwice, NotFound, TakesNoPayment, CurrencyDiffers, AboveBalance, PayersDiffer, VALIDATION_ERROR for a
 * time in the future, for a payer who is none of the family, and for less than what goes to the invoices
 */
export const recordPayments = async (tx: Tx, body: NewReceipt): Promise<Receipt> => {
  const { allocations, currency, cheque } = body
  if (cheque && body.method !== 'cheque') throw invalid(['cheque'], 'Must be left out where nobody pays by cheque.')
  const surplus = surplusOf(body)
  await lockBranchOf(tx, body)
  const ahead = surplus > 0 ? await lockAhead(tx, body) : undefined
  const locked = await lockInvoices(
    tx.db,
    allocations.map(({ invoiceId }) => invoiceId),
  )
  const paid = allocations.map(({ invoiceId, amountMinor }) => ({ invoice: found(locked.get(invoiceId)), amountMinor }))
  for (const [index, { invoice, amountMinor }] of paid.entries()) {
    const amount = ['allocations', String(index), 'amountMinor']
    checkTakes(invoice, { amountMinor, currency }, { amount, currency: ['currency'] })
  }
  const manner = mannerOf(tx, cheque ? { ...body, reference: body.reference ?? cheque.number } : body)
  const invoices = paid.map(({ invoice }) => invoice)
  const { holder, ...payers } = ahead
    ? { ...ahead.payers, holder: ahead.holder }
    : await payersWho(tx, invoices, body.paidBy)
  const branchId = ahead?.branchId ?? (invoices[0] as InvoiceRow).branch_id
  const { receipt, row } = await addReceipt(tx, payers, { ...manner, branchId })
  const added = await addPayments(tx, paid, { manner, receipt })
  const entries: NewEntry[] = added.map(({ payment }) => ({ payment_id: payment.id }))
  if (ahead) {
    const { reference = null, receivedAt: at, method, provider } = manner
    const entry = { amount_minor: surplus, receipt_id: receipt.id, reference, at }
    const entryId = await keepAhead(tx, ahead, entry)
    entries.push({ credit_entry_id: entryId })
    if (provider === 'manual') {
      const taken = { branch_id: branchId, method, currency, amount_minor: surplus }
      await addToTill(tx, { ...taken, credit_entry_id: entryId })
    }
  }
  if (cheque) {
    const amountMinor = paid.reduce((sum, part) => sum + part.amountMinor, surplus)
    const dueOn = localDate(manner.receivedAt, tx.tenant.timezone)
    const drawn = { ...cheque, amountMinor, dueOn, path: ['cheque', 'number'] }
    const id = await insertCheque(tx, drawn, { receipt, holder, branchId, currency, status: 'due' })
    await addEntries(tx, id, entries)
    return readReceipt(tx.db, receipt.id)
  }
  return toReceipt(row, {
    paid: added.map(({ payment, invoice }) => ({
      ...payment,
      invoice_number: invoice.number,
      student_id: invoice.student_id,
    })),
    credits: ahead ? [{ amount_minor: surplus, reference: manner.reference ?? null, currency }] : [],
    cheques: [],
  })
}

/** Adds the negative row of a payment. @returns it, and the invoice as it is then @throws AlreadyReversed, SumsFull */
export const addReversal = async (
  tx: Tx,
  { payment, invoice, reason }: Entry & { reason: string },
): Promise<{ payment: Payment; invoice: InvoiceRow }> => {
  await checkRoomForReversal(tx.whole, payment.amount_minor)
  const reversal = {
    ...payment,
    id: tx.id(),
    amount_minor: -payment.amount_minor,
    reason,
    reverses_payment_id: payment.id,
    received_at: tx.now,
    received_by_user_id: actingUserId(tx.actor),
    created_at: tx.now,
  }
  const [added] = await addToLedger(tx, [{ payment: reversal, invoice }])
  return { payment: toPayment(reversal), invoice: (added as Entry).invoice }
}

/**
 * Reverses a payment with a negative row; the payment itself does not change. The reversal is dated now, so it lowers
 * this month's takings and not those of the month in which the money came in. Its receipt is cancelled with the last of
 * its payments. Where a credit note of the invoice had made credit, that credit goes back to the invoice first.
 * @throws NotFound, IsReversal, PaidByCheque, AlreadyReversed, SumsFull
 */
export const reversePayment = async (tx: Tx, paymentId: string, reason: string): Promise<Payment> => {
  const payment = await findRow(tx.db, paymentRecord, paymentId)
  if (payment.reverses_payment_id !== null) throw IsReversal()
  if (await isOfCheque(tx.whole, paymentId)) throw PaidByCheque()
  const accounts = await lockForGivingBack(tx, payment.invoice_id)
  const invoice = await lockRow(tx, invoiceRecord, payment.invoice_id)
  const reversed = await tx.db
    .selectFrom('payment')
    .select('id')
    .where('reverses_payment_id', '=', paymentId)
    .executeTakeFirst()
  if (reversed) throw AlreadyReversed()
  const reversal = await addReversal(tx, { payment, invoice, reason })
  await giveBack(tx, accounts, reversal.invoice)
  await cancelReceiptOf(tx, paymentId)
  return reversal.payment
}
