import type { InferOutput } from 'valibot'
import type { Cursors } from '#kernel/endpoint.ts'
import { NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { addDays, startOfLocalDay } from '#kernel/zone.ts'
import { newestFirst, pageBy } from '#runtime/pages.ts'
import { toInvoice, toPayment } from './invoices.ts'
import type { Invoice, InvoiceQuery, Payment, PaymentQuery } from './schemas.ts'

type Listing<Q> = { db: ScopedDb; cursors: Cursors; query: Q }

export const listInvoices = ({
  db,
  cursors,
  query,
}: Listing<InferOutput<typeof InvoiceQuery>>): Promise<Page<Invoice>> => {
  let invoices = db.selectFrom('invoice').selectAll()
  if (query.status) invoices = invoices.where('status', '=', query.status)
  if (query.overdue) invoices = invoices.where('status', '=', 'overdue')
  return pageBy(invoices, { ...query, cursors }, newestFirst('invoice'), toInvoice)
}

/** @throws NotFound for a student that the caller does not reach */
export const listInvoicesOfStudent = async (
  { db, cursors, query }: Listing<{ cursor?: string | undefined; limit: number }>,
  studentId: string,
): Promise<Page<Invoice>> => {
  const student = await db.selectFrom('student').select('id').where('id', '=', studentId).executeTakeFirst()
  if (!student) throw NotFound()
  const invoices = db.selectFrom('invoice').selectAll().where('student_id', '=', studentId)
  return pageBy(invoices, { ...query, cursors }, newestFirst('invoice'), toInvoice)
}

/** Looked up by itself, so that the payments of a month cost by what came in then and not by all that came since. */
const receivedWithin = (
  db: ScopedDb,
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timezone: string,
) => {
  let received = db.selectFrom('payment as received').select('received.id')
  if (from) received = received.where('received.received_at', '>=', startOfLocalDay(from, timezone))
  if (to) received = received.where('received.received_at', '<', startOfLocalDay(addDays(to, 1), timezone))
  return received
}

export const listPayments = (
  { db, cursors, query }: Listing<InferOutput<typeof PaymentQuery>>,
  timezone: string,
): Promise<Page<Payment>> => {
  let payments = db.selectFrom('payment').selectAll('payment')
  if (query.invoiceId) payments = payments.where('payment.invoice_id', '=', query.invoiceId)
  if (query.studentId) {
    const { studentId } = query
    payments = payments.where('payment.invoice_id', 'in', (eb) =>
      eb.selectFrom('invoice').select('invoice.id').where('invoice.student_id', '=', studentId),
    )
  }
  if (query.method) payments = payments.where('payment.method', '=', query.method)
  if (query.from || query.to) payments = payments.where('payment.id', 'in', receivedWithin(db, query, timezone))
  return pageBy(payments, { ...query, cursors }, newestFirst('payment'), toPayment)
}
