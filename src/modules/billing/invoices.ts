import { compiledInTenant } from '#db/queries/compiled.ts'
import { found } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { money, type Currency } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { readInvoiceFooter } from '#modules/settings/index.ts'
import { recordOf, type Row } from '#runtime/records/records.ts'
import { Invoice, InvoiceDetail, InvoiceLine, Payment } from './schemas.ts'

export type InvoiceRow = Row<'invoice'>
export type PaymentRow = Row<'payment'>

/** Shows a column of minor units as an amount in the currency of its row. */
const amountOf =
  <Column extends string>(column: Column) =>
  (row: { [C in Column]: number } & { currency: Currency }) =>
    money(row[column], row.currency)

const amounts = {
  subtotal: amountOf('subtotal_minor'),
  discount: amountOf('discount_minor'),
  tax: amountOf('tax_minor'),
  total: amountOf('total_minor'),
}

const footer = (row: { footer: string | null; footer_now: string | null }): string | null =>
  row.footer === null ? row.footer_now : row.footer || null

/** Shows an invoice. `footer_now` is the footer in the settings as they are now, which drafts show. */
/** What was paid: what lowered the balance, but for what credit notes took off. */
const paidOf = (row: { paid_minor: number; credited_minor: number; currency: Currency }) =>
  money(Math.max(0, row.paid_minor - row.credited_minor), row.currency)

const credited = amountOf('credited_minor')

export const toInvoice = shows(Invoice, { ...amounts, paid: paidOf, credited, footer })

export const toPayment = shows(Payment, { amount: amountOf('amount_minor') })

export const toLine = shows(InvoiceLine, {
  unitAmount: amountOf('unit_amount_minor'),
  discount: amounts.discount,
  tax: amounts.tax,
  total: amounts.total,
})

/** What is still to be paid. */
export const balanceOf = (row: InvoiceRow) =>
  money(row.status === 'void' ? 0 : row.total_minor - row.paid_minor, row.currency)

export const toDetail = shows(InvoiceDetail, {
  ...amounts,
  paid: paidOf,
  credited,
  footer,
  balance: balanceOf,
  payerName: ({ kept }: Pick<InvoiceRow, 'kept'>) => kept?.payer?.fullName ?? null,
})

const invoiceById = compiledInTenant((db, { id }: { id: string }) =>
  db.selectFrom('invoice').selectAll().where('id', '=', id),
)

const linesOf = compiledInTenant((db, { id }: { id: string }) =>
  db.selectFrom('invoice_line').selectAll().where('invoice_id', '=', id).orderBy('position'),
)

const paymentsOf = compiledInTenant((db, { id }: { id: string }) =>
  db
    .selectFrom('payment')
    .leftJoin('receipt_payment', 'receipt_payment.payment_id', 'payment.id')
    .leftJoin('receipt', 'receipt.id', 'receipt_payment.receipt_id')
    .selectAll('payment')
    .select(['receipt_payment.receipt_id', 'receipt.number as receipt_number'])
    .where('payment.invoice_id', '=', id)
    .orderBy('payment.created_at')
    .orderBy('payment.id'),
)

const creditsOf = compiledInTenant((db, { id }: { id: string }) =>
  db
    .selectFrom('credit_entry')
    .select(['id', 'amount_minor', 'reverses_entry_id', 'at'])
    .where('invoice_id', '=', id)
    .where('kind', '=', 'applied')
    .orderBy('created_at')
    .orderBy('id'),
)

const replacedOf = compiledInTenant((db, { id }: { id: string }) =>
  db.selectFrom('replaced_invoice').selectAll().where('invoice_id', '=', id).orderBy('created_at').orderBy('id'),
)

/**
 * Reads an invoice with its lines in order, its payments and what credit paid, oldest first, and its former payers.
 * @throws NotFound
 */
export const readInvoice = async (db: ScopedDb, id: string): Promise<InvoiceDetail> => {
  const invoice = found((await invoiceById(db, { id }))[0])
  const { currency } = invoice
  const lines = (await linesOf(db, { id })).map((line) => toLine({ ...line, currency }))
  const payments = (await paymentsOf(db, { id })).map(({ receipt_id: receiptId, receipt_number, ...payment }) => ({
    ...toPayment(payment),
    receiptId,
    receiptNumber: receipt_number,
  }))
  const credits = (await creditsOf(db, { id })).map((row) => ({
    id: row.id,
    amount: money(-row.amount_minor, currency),
    appliedAt: row.at,
    reversesId: row.reverses_entry_id,
  }))
  const footer_now = invoice.footer === null ? await readInvoiceFooter(db) : null
  const replaced = (await replacedOf(db, { id })).map(({ kept, ...row }) => ({
    id: row.id,
    payerGuardianId: row.payer_guardian_id,
    payerName: kept.payer?.fullName ?? null,
    reason: row.reason,
    replacedAt: row.created_at,
  }))
  return toDetail({ ...invoice, lines, payments, credits, replaced, footer_now })
}

export const invoiceRecord = recordOf('invoice', { read: readInvoice })

export const paymentRecord = recordOf('payment', { show: toPayment, withoutUpdatedAt: true })
