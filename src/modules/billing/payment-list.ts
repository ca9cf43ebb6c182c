import type { InferOutput } from 'valibot'
import { countUpTo } from '#db/queries/long-reads.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, startOfLocalDay } from '#kernel/time/zone.ts'
import {
  listOf,
  newestFirst,
  usedByFrom,
  withoutIndex,
  type ListContext,
  type Conditions,
} from '#runtime/records/lists.ts'
import { toPayment } from './invoices.ts'
import type { Payment, PaymentQuery } from './schemas.ts'

const paymentFilters = {
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
    ...paymentFilters,
    from: (eb, from: string) => eb(withoutIndex('payment.received_at'), '>=', from),
    to: (eb, to: string) => eb(withoutIndex('payment.received_at'), '<', to),
  },
  from: (db) => db.selectFrom('payment').selectAll('payment'),
})

/** Instants; `from` is inclusive, `to` is exclusive. */
export interface Time {
  from?: string | undefined
  to?: string | undefined
}

/** The instants from the beginning of the first day to the end of the last one, both in the institute's time zone. */
export const timeOf = ({ from, to }: Time, { timezone }: Pick<TenantInfo, 'timezone'>): Time => ({
  from: from === undefined ? undefined : startOfLocalDay(from, timezone),
  to: to === undefined ? undefined : startOfLocalDay(addDays(to, 1), timezone),
})

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
  filters: { ...paymentFilters, from: usedByFrom, to: usedByFrom },
  from: (db, time) =>
    db
      .with(
        (cte) => cte('_received').materialized(),
        (query) => receivedIn(query as unknown as ScopedDb, time).selectAll(),
      )
      .selectFrom('_received as payment')
      .selectAll('payment'),
})

/** When more rows match than this, reading the list in its order finds a page sooner than sorting all matches. */
export const MANY = 5000

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
  const time = timeOf({ from, to }, tenant)
  const asked = { ...context, query: { ...query, ...time } }
  const byTimeAlone = (from ?? to) !== undefined && (invoiceId ?? studentId) === undefined
  const few = byTimeAlone && (await countUpTo(whole, receivedIn(whole, time).select('payment.id'), MANY)) < MANY
  return few ? selectedByTime(asked) : filteredByTime(asked)
}
