import type { InferOutput } from 'valibot'
import { countUpTo } from '#db/long-reads.ts'
import type { TenantInfo } from '#kernel/actor.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { addDays, startOfLocalDay } from '#kernel/zone.ts'
import { readInvoiceFooter } from '#modules/settings/index.ts'
import { listOf, listUnder, newestFirst, usedByFrom, type ListContext, type Conditions } from '#runtime/lists.ts'
import { toInvoice, toPayment, type InvoiceRow } from './invoices.ts'
import type { Payment, PaymentQuery } from './schemas.ts'

const invoices = {
  from: (db: ScopedDb) => db.selectFrom('invoice').selectAll(),
  order: newestFirst('invoice'),
  show: (row: InvoiceRow, { footerNow }: { footerNow: string | null }) => toInvoice({ ...row, footer_now: footerNow }),
}

/** Reads the current footer for a list of invoices: drafts show it. */
const withFooter =
  <C extends { db: ScopedDb }, Item>(list: (context: C & { footerNow: string | null }) => Promise<Page<Item>>) =>
  async (context: C): Promise<Page<Item>> =>
    list({ ...context, footerNow: await readInvoiceFooter(context.db) })

export const listInvoices = withFooter(
  listOf({
    ...invoices,
    filters: {
      status: 'invoice.status',
      overdue: (eb, overdue: boolean) => (overdue ? eb('invoice.status', '=', 'overdue') : undefined),
    },
  }),
)

export const listInvoicesOfStudent = withFooter(listUnder({ table: 'student', column: 'invoice.student_id' }, invoices))

const filters = {
  invoiceId: 'payment.invoice_id',
  studentId: (eb: Conditions, studentId: string) =>
    eb(
      'payment.invoice_id',
      'in',
      eb.selectFrom('invoice').select('invoice.id').where('invoice.student_id', '=', studentId),
    ),
  method: 'payment.method',
} as const

const payments = { order: newestFirst('payment'), show: toPayment }

/**
 * Reads the list in its order, and checks the time of each payment: coalesce() keeps the database from using the index
 * on received_at, which would read all payments of that time.
 */
const filteredByTime = listOf({
  ...payments,
  filters: {
    ...filters,
    from: (eb, from: string) => eb(eb.fn.coalesce('payment.received_at', eb.lit(null)), '>=', from),
    to: (eb, to: string) => eb(eb.fn.coalesce('payment.received_at', eb.lit(null)), '<', to),
  },
  from: (db) => db.selectFrom('payment').selectAll('payment'),
})

/** Instants; `from` is inclusive, `to` is exclusive. */
interface Time {
  from?: string | undefined
  to?: string | undefined
}

const receivedIn = (db: Pick<ScopedDb, 'selectFrom'>, { from, to }: Time) => {
  let received = db.selectFrom('payment')
  if (from !== undefined) received = received.where('payment.received_at', '>=', from)
  if (to !== undefined) received = received.where('payment.received_at', '<', to)
  return received
}

/**
 * Finds the payments of the time first, in a materialized CTE: otherwise Postgres estimates them as spread over the
 * list.
 */
const selectedByTime = listOf({
  ...payments,
  filters: { ...filters, from: usedByFrom, to: usedByFrom },
  from: (db, time) =>
    db
      .with(
        (cte) => cte('_received').materialized(),
        (query) => receivedIn(query as unknown as ScopedDb, time).selectAll(),
      )
      .selectFrom('_received as payment')
      .selectAll('payment'),
})

/** When more payments match than this, reading the list in its order finds a page sooner than sorting all matches. */
const MANY = 5000

/** `from` and `to` are days in the institute's time zone, both inclusive. */
export const listPayments = async (
  context: ListContext<ScopedDb> & {
    query: InferOutput<typeof PaymentQuery>
    whole: ScopedDb
    tenant: TenantInfo
  },
): Promise<Page<Payment>> => {
  const { query, whole, tenant } = context
  const { from, to, invoiceId, studentId } = query
  const time: Time = {
    from: from === undefined ? undefined : startOfLocalDay(from, tenant.timezone),
    to: to === undefined ? undefined : startOfLocalDay(addDays(to, 1), tenant.timezone),
  }
  const asked = { ...context, query: { ...query, ...time } }
  const byTimeAlone = (from ?? to) !== undefined && (invoiceId ?? studentId) === undefined
  const few = byTimeAlone && (await countUpTo(whole, receivedIn(whole, time).select('payment.id'), MANY)) < MANY
  return few ? selectedByTime(asked) : filteredByTime(asked)
}
