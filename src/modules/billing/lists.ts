import { expressionBuilder, type Expression, type Selectable, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { InferOutput } from 'valibot'
import { countUpTo } from '#db/aside.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
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

const build = expressionBuilder<Tables, 'payment'>()

/** The days on which money was received, both included. */
interface Days {
  from?: string | undefined
  to?: string | undefined
}

const within = (received: Expression<string>, { from, to }: Days, timezone: string): Expression<SqlBool> =>
  build.and([
    ...(from === undefined ? [] : [build(received, '>=', startOfLocalDay(from, timezone))]),
    ...(to === undefined ? [] : [build(received, '<', startOfLocalDay(addDays(to, 1), timezone))]),
  ])

/** Of so many, a page is found sooner by going through the list in its order than by sorting all of them. */
const MANY = 5000

type Payments = SelectQueryBuilder<Tables, 'payment', Selectable<Tables['payment']>>

/** What was received on some days, to which other filters and the order of the list may be added. */
const receivedOn = async (db: ScopedDb, whole: ScopedDb, days: Days, timezone: string): Promise<Payments> => {
  const those = within(build.ref('payment.received_at'), days, timezone)
  const received = whole.selectFrom('payment').select('payment.id').where(those)
  if ((await countUpTo(whole, received, MANY)) === MANY) return askedForDays(db, days, timezone)
  // Looked up by themselves: Postgres would take them for spread out over the list, and go through it.
  return db
    .with(
      (cte) => cte('_received').materialized(),
      (query) => query.selectFrom('payment').selectAll().where(those),
    )
    .selectFrom('_received as payment')
    .selectAll('payment')
}

/** Each payment is asked for its day: an index over the days would be the way to all of them. */
const askedForDays = (db: ScopedDb, days: Days, timezone: string): Payments =>
  db
    .selectFrom('payment')
    .selectAll('payment')
    .where(({ fn, lit }) => within(fn.coalesce('payment.received_at', lit(null)), days, timezone))

export const listPayments = async (
  { db, whole, cursors, query }: Listing<InferOutput<typeof PaymentQuery>> & { whole: ScopedDb },
  timezone: string,
): Promise<Page<Payment>> => {
  const { invoiceId, studentId, method, from, to } = query
  const byDay = from !== undefined || to !== undefined
  let payments =
    byDay && invoiceId === undefined && studentId === undefined
      ? await receivedOn(db, whole, query, timezone)
      : askedForDays(db, query, timezone)
  if (invoiceId !== undefined) payments = payments.where('payment.invoice_id', '=', invoiceId)
  if (studentId !== undefined) {
    payments = payments.where('payment.invoice_id', 'in', (eb) =>
      eb.selectFrom('invoice').select('invoice.id').where('invoice.student_id', '=', studentId),
    )
  }
  if (method) payments = payments.where('payment.method', '=', method)
  return pageBy(payments, { ...query, cursors }, newestFirst('payment'), toPayment)
}
