import { countUpTo } from '#db/queries/long-reads.ts'
import { like, patternsOf } from '#db/queries/search.ts'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { foldQuery } from '#shared/text.ts'
import { localDate, yearOf } from '#kernel/time/zone.ts'
import {
  listOf,
  newestFirst,
  usedByFrom,
  withoutIndex,
  type Condition,
  type Conditions,
  type ListContext,
} from '#runtime/records/lists.ts'
import { meantBy, numberFilter } from './numbers.ts'
import { linesOfOne } from './of-one.ts'
import { MANY, timeOf, type Time } from './payment-list.ts'
import type { Receipt, ReceiptQuery } from './receipt-schemas.ts'
import { showReceipts, type ReceiptRow } from './receipts.ts'

const numbers = numberFilter('receipt.number')

/**
 * Under a role for some branches, each word must stand with a payment or a cheque that the caller sees: the receipt names the students
 * of its other payments too, which are none of theirs.
 */
const seenWords = (eb: Conditions, patterns: readonly string[]) =>
  eb.and(
    patterns.map((pattern) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('receipt_payment')
            .select('receipt_payment.payment_id')
            .whereRef('receipt_payment.receipt_id', '=', 'receipt.id' as never)
            .where(like('receipt_payment', pattern)),
        ),
        eb.exists(
          eb
            .selectFrom('cheque')
            .select('cheque.id')
            .whereRef('cheque.receipt_id', '=', 'receipt.id' as never)
            .where(like('cheque', pattern)),
        ),
      ]),
    ),
  )

const ofBranch = (eb: Conditions, branchId: string) =>
  eb.or([
    eb.exists(
      eb
        .selectFrom('receipt_payment')
        .innerJoin('invoice', 'invoice.id', 'receipt_payment.invoice_id')
        .select('receipt_payment.receipt_id')
        .whereRef('receipt_payment.receipt_id', '=', 'receipt.id' as never)
        .where('invoice.branch_id', '=', branchId),
    ),
    eb.exists(
      eb
        .selectFrom('credit_entry')
        .innerJoin('payer_account', 'payer_account.id', 'credit_entry.account_id')
        .select('credit_entry.receipt_id')
        .whereRef('credit_entry.receipt_id', '=', 'receipt.id' as never)
        .where('payer_account.branch_id', '=', branchId),
    ),
  ])

/** Those for an invoice of which the condition holds. */
const forInvoice = (condition: (eb: Conditions, id: string) => Condition) => (eb: Conditions, id: string) =>
  eb(
    'receipt.id',
    'in',
    eb
      .selectFrom('invoice')
      .innerJoin('receipt_payment', 'receipt_payment.invoice_id', 'invoice.id')
      .select('receipt_payment.receipt_id')
      .where(condition(eb, id)),
  )

const what = {
  method: 'receipt.method',
  branchId: ofBranch,
  groupId: forInvoice(linesOfOne.groupId),
  courseId: forInvoice(linesOfOne.courseId),
} as const

const newest = { order: newestFirst('receipt'), show: (row: ReceiptRow): ReceiptRow => row }

/** Reads the list in its order, and checks the time of each receipt; see the list of payments. */
const filteredByTime = listOf({
  ...newest,
  search: { table: 'receipt', fold: foldQuery },
  filters: {
    ...what,
    numbers,
    seenWords,
    from: (eb, from: string) => eb(withoutIndex('receipt.received_at'), '>=', from),
    to: (eb, to: string) => eb(withoutIndex('receipt.received_at'), '<', to),
  },
  from: (db) => db.selectFrom('receipt').selectAll('receipt'),
})

const receivedIn = (db: Pick<ScopedDb, 'selectFrom'>, { from, to }: Time) => {
  let received = db.selectFrom('receipt')
  if (from !== undefined) received = received.where('receipt.received_at', '>=', from)
  if (to !== undefined) received = received.where('receipt.received_at', '<', to)
  return received
}

/** Finds the receipts of the time first; see the list of payments. */
const selectedByTime = listOf({
  ...newest,
  filters: { ...what, numbers, seenWords, from: usedByFrom, to: usedByFrom },
  from: (db, time) =>
    db
      .with(
        (cte) => cte('_received').materialized(),
        (query) => receivedIn(query as unknown as ScopedDb, time).selectAll(),
      )
      .selectFrom('_received as receipt')
      .selectAll('receipt'),
})

/** `from` and `to` are days in the institute's time zone, both inclusive. */
export const listReceipts = async (
  context: ListContext<ScopedDb> & {
    query: ReceiptQuery
    whole: ScopedDb
    caller: Caller
    tenant: TenantInfo
    now: string
  },
): Promise<Page<Receipt>> => {
  const { db, whole, caller, tenant, now, query } = context
  const time = timeOf(query, tenant)
  const meant = meantBy(query.q, yearOf(localDate(now, tenant.timezone)), 'R')
  const isNarrow = caller.grants.reach('invoices.read') !== 'all'
  const seen = isNarrow && meant.q !== undefined ? patternsOf(foldQuery(meant.q)) : undefined
  const asked = { ...context, query: { ...query, ...time, q: meant.q, numbers: meant.numbers, seenWords: seen } }
  const byTimeAlone = (query.from ?? query.to) !== undefined && query.q === undefined
  const few = byTimeAlone && (await countUpTo(whole, receivedIn(whole, time).select('receipt.id'), MANY)) < MANY
  const page = await (few ? selectedByTime(asked) : filteredByTime(asked))
  return { ...page, data: await showReceipts(db, page.data) }
}
