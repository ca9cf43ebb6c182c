import type { InferOutput } from 'valibot'
import { compiledByIds, compiledInsert, compiledInTenant } from '#db/compiled.ts'
import { forNoKeyUpdate, refusing } from '#db/dialect.ts'
import { actingUserId } from '#kernel/who/actor.ts'
import { found, invalid } from '#kernel/values/errors.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { findRow, lockRow } from '#runtime/records/records.ts'
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
import { addReceipt, addToReceipt, cancelReceiptOf, payersOf, readReceipt, type NewReceiptRow } from './receipts.ts'
import type { NewPayment, Payment } from './schemas.ts'
import { checkRoomForReversal } from './sums.ts'
import type { InvoiceStatus } from './tables.ts'

const insertPayments = compiledInsert((db: ScopedDb, rows: Omit<PaymentRow, 'tenant_id'>[]) =>
  db.insertInto('payment').values(rows),
)

type Paid = Pick<InvoiceRow, 'id' | 'paid_minor' | 'status' | 'version' | 'updated_at'>

const updatePaid = compiledInTenant((db, { id, paid_minor, status, version, updated_at }: Paid) =>
  db.updateTable('invoice').set({ paid_minor, status, version, updated_at }).where('id', '=', id),
)

/** Adds a row to the ledger, and updates what is paid and the status of the locked invoice. */
const addToLedger = async (
  tx: Tx,
  invoice: InvoiceRow,
  payment: PaymentRow,
  { status, receipt }: { status: InvoiceStatus; receipt?: NewReceiptRow },
): Promise<Payment> => {
  const { tenant_id: _tenant, ...values } = payment
  await insertPayments(tx.db, [values]).catch(refusing({ unique: { 'payment(reverses_payment_id)': AlreadyReversed } }))
  const paid = invoice.paid_minor + payment.amount_minor
  await updatePaid(tx.db, {
    id: invoice.id,
    paid_minor: paid,
    status,
    version: invoice.version + 1,
    updated_at: tx.now,
  })
  const shown = toPayment(payment)
  tx.audit({
    entityType: 'payment',
    entityId: payment.id,
    after: shown,
    metadata: {
      invoice: { id: invoice.id, number: invoice.number },
      status: [invoice.status, status],
      paidMinor: [invoice.paid_minor, paid],
      ...(receipt && { receipt }),
    },
  })
  return shown
}

/** Where an amount and its currency stand in the request. */
interface Place {
  amount: string[]
  currency: string[]
}

/** @throws TakesNoPayment, CurrencyDiffers, AboveBalance */
const checkTakes = (invoice: InvoiceRow, given: { amountMinor: number; currency: Currency }, place: Place): void => {
  if (!OPEN.includes(invoice.status)) throw TakesNoPayment({ invoiceId: invoice.id, status: invoice.status })
  if (given.currency !== invoice.currency) {
    const message = `Must be the invoice’s: ${invoice.currency}.`
    throw CurrencyDiffers({ issues: [{ path: place.currency, message }] })
  }
  const balance = invoice.total_minor - invoice.paid_minor
  if (given.amountMinor > balance) {
    throw AboveBalance({ issues: [{ path: place.amount, message: `Must be at most the balance: ${balance}.` }] })
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

/** Records a payment that the locked invoice takes, and adds it to its receipt. */
const addPayment = async (
  tx: Tx,
  invoice: InvoiceRow,
  { amountMinor, manner, receipt }: { amountMinor: number; manner: Manner; receipt: NewReceiptRow },
): Promise<Payment> => {
  const id = tx.id()
  const isAll = amountMinor === invoice.total_minor - invoice.paid_minor
  const status: InvoiceStatus = isAll ? 'paid' : invoice.status === 'overdue' ? 'overdue' : 'partially_paid'
  const { currency, method, provider, reference = null, receivedAt } = manner
  tx.emit('payment.recorded', { paymentId: id, invoiceId: invoice.id, amountMinor, currency, method })
  const payment = await addToLedger(
    tx,
    invoice,
    {
      id,
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
    },
    { status, receipt },
  )
  await addToReceipt(tx, receipt, { paymentId: id, invoice })
  return payment
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
  const receipt = await addReceipt(tx, payers, { ...manner, branchId: invoice.branch_id })
  return addPayment(tx, invoice, { amountMinor, manner, receipt })
}

const invoicesById = compiledByIds((db, ids) =>
  forNoKeyUpdate(db, db.selectFrom('invoice').selectAll().where('id', 'in', ids).orderBy('id')),
)

/**
 * Records what one payer paid on several invoices, with one receipt. The invoices are locked in one order for all who
 * lock several.
 * @throws InvoiceNamedTwice, NotFound, TakesNoPayment, CurrencyDiffers, AboveBalance, PayersDiffer, VALIDATION_ERROR for a
 * time in the future
 */
export const recordPayments = async (tx: Tx, body: NewReceipt): Promise<Receipt> => {
  const { allocations, currency } = body
  const ids = allocations.map(({ invoiceId }) => invoiceId)
  const again = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (again !== -1) {
    const path = ['allocations', String(again), 'invoiceId']
    throw InvoiceNamedTwice({ issues: [{ path, message: 'Must not name an invoice twice.' }] })
  }
  const locked = new Map((await invoicesById(tx.db, ids)).map((invoice) => [invoice.id, invoice]))
  const paid = allocations.map(({ invoiceId, amountMinor }) => ({ invoice: found(locked.get(invoiceId)), amountMinor }))
  for (const [index, { invoice, amountMinor }] of paid.entries()) {
    const amount = ['allocations', String(index), 'amountMinor']
    checkTakes(invoice, { amountMinor, currency }, { amount, currency: ['currency'] })
  }
  const manner = mannerOf(tx, body)
  const invoices = paid.map(({ invoice }) => invoice)
  const payers = await payersOf(tx.whole, invoices)
  const branchId = invoices[0]?.branch_id as string
  const receipt = await addReceipt(tx, payers, { ...manner, branchId })
  for (const { invoice, amountMinor } of paid) await addPayment(tx, invoice, { amountMinor, manner, receipt })
  return readReceipt(tx.db, receipt.id)
}

/** The status of an open invoice, by its due date and what is paid. */
const statusBy = (invoice: InvoiceRow, paid: number, today: string): InvoiceStatus => {
  if (invoice.due_date < today) return 'overdue'
  return paid > 0 ? 'partially_paid' : 'issued'
}

/**
 * Reverses a payment with a negative row; the payment itself does not change. The reversal is dated now, so it lowers
 * this month's takings and not those of the month in which the money came in. Its receipt is cancelled with the last of
 * its payments.
 * @throws NotFound, IsReversal, AlreadyReversed, SumsFull
 */
export const reversePayment = async (tx: Tx, paymentId: string, reason: string): Promise<Payment> => {
  const payment = await findRow(tx.db, paymentRecord, paymentId)
  if (payment.reverses_payment_id !== null) throw IsReversal()
  const invoice = await lockRow(tx, invoiceRecord, payment.invoice_id)
  const reversed = await tx.db
    .selectFrom('payment')
    .select('id')
    .where('reverses_payment_id', '=', paymentId)
    .executeTakeFirst()
  if (reversed) throw AlreadyReversed()
  await checkRoomForReversal(tx.whole, payment.amount_minor)
  const paid = invoice.paid_minor - payment.amount_minor
  const reversal = await addToLedger(
    tx,
    invoice,
    {
      ...payment,
      id: tx.id(),
      amount_minor: -payment.amount_minor,
      reason,
      reverses_payment_id: paymentId,
      received_at: tx.now,
      received_by_user_id: actingUserId(tx.actor),
      created_at: tx.now,
    },
    { status: statusBy(invoice, paid, tx.today) },
  )
  await cancelReceiptOf(tx, paymentId)
  return reversal
}
