import type { InferOutput } from 'valibot'
import { compiledInsert, compiledInTenant } from '#db/compiled.ts'
import { refusing } from '#db/dialect.ts'
import { actingUserId } from '#kernel/actor.ts'
import { invalid } from '#kernel/errors.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { findRow, lockRow } from '#runtime/records.ts'
import { AlreadyReversed, IsReversal, TakesNoPayment } from './failures.ts'
import { invoiceRecord, paymentRecord, toPayment, type InvoiceRow, type PaymentRow } from './invoices.ts'
import { OPEN } from './lifecycle.ts'
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
  status: InvoiceStatus,
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
    },
  })
  return shown
}

/**
 * Records a payment. The lock on the invoice keeps concurrent payments from exceeding its total.
 * @throws NotFound, TakesNoPayment, VALIDATION_ERROR above the balance, in another currency or in the future
 */
export const recordPayment = async (
  tx: Tx,
  invoiceId: string,
  body: InferOutput<typeof NewPayment>,
): Promise<Payment> => {
  const invoice = await lockRow(tx, invoiceRecord, invoiceId)
  if (!OPEN.includes(invoice.status)) throw TakesNoPayment()
  if (body.currency !== invoice.currency) throw invalid(['currency'], `Must be the invoice’s: ${invoice.currency}.`)
  const balance = invoice.total_minor - invoice.paid_minor
  if (body.amountMinor > balance) throw invalid(['amountMinor'], `Must be at most the balance: ${balance}.`)
  const receivedAt = body.receivedAt ?? tx.now
  if (receivedAt > tx.now) throw invalid(['receivedAt'], 'Must not be in the future.')
  const id = tx.id()
  const status: InvoiceStatus =
    body.amountMinor === balance ? 'paid' : invoice.status === 'overdue' ? 'overdue' : 'partially_paid'
  tx.emit('payment.recorded', {
    paymentId: id,
    invoiceId,
    amountMinor: body.amountMinor,
    currency: body.currency,
    method: body.method,
  })
  return addToLedger(
    tx,
    invoice,
    {
      id,
      tenant_id: tx.tenant.id,
      invoice_id: invoiceId,
      amount_minor: body.amountMinor,
      currency: body.currency,
      method: body.method,
      provider: body.provider,
      reference: body.reference ?? null,
      reason: null,
      reverses_payment_id: null,
      received_at: receivedAt,
      received_by_user_id: actingUserId(tx.actor),
      created_at: tx.now,
    },
    status,
  )
}

/** The status of an open invoice, by its due date and what is paid. */
const statusBy = (invoice: InvoiceRow, paid: number, today: string): InvoiceStatus => {
  if (invoice.due_date < today) return 'overdue'
  return paid > 0 ? 'partially_paid' : 'issued'
}

/**
 * Reverses a payment with a negative row; the payment itself does not change. The reversal is dated now, so it lowers
 * this month's takings and not those of the month in which the money came in.
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
  return addToLedger(
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
    statusBy(invoice, paid, tx.today),
  )
}
