import type { InferOutput } from 'valibot'
import { countUpTo, MAX_ROWS_READ, readBySize } from '#db/queries/long-reads.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { money } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { monthRange } from '#kernel/time/zone.ts'
import { OPEN } from './lifecycle.ts'
import type { Summary } from './schemas.ts'
import { INVOICE_STATUSES, type InvoiceStatus } from './tables.ts'

const LOOKED_AT = MAX_ROWS_READ + 1

type Handles = { db: ScopedDb; whole: ScopedDb }

/**
 * Counts of all invoices and what is still to be paid on those in the institute's currency, by status.
 * @throws SumTooLarge
 */
export const invoiceFigures = async ({ db, whole }: Handles, currency: TenantInfo['currency']) => {
  // Two queries in one snapshot: the counts need only an index, and most invoices are paid and need nothing else.
  const counts = db
    .selectFrom('invoice')
    .select(({ fn, lit }) => ['status', fn.countAll<number>().as('count'), lit<number>(0).as('balance')])
    .groupBy('status')
    .unionAll((union) =>
      union
        .selectFrom('invoice')
        .select((eb) => [
          'status',
          eb.lit<number>(0).as('count'),
          eb.fn.sum<number>(eb('total_minor', '-', eb.ref('paid_minor'))).as('balance'),
        ])
        .where('status', 'in', OPEN)
        .where('currency', '=', currency)
        .groupBy('status'),
    )
  const groups = await readBySize(counts, await countUpTo(whole, whole.selectFrom('invoice').select('id'), LOOKED_AT))
  const sumOf = (figure: 'count' | 'balance', statuses: readonly InvoiceStatus[]) =>
    exactSum(groups.filter(({ status }) => statuses.includes(status)).map((group) => group[figure]))
  return {
    outstanding: sumOf('balance', OPEN),
    overdue: sumOf('balance', ['overdue']),
    counts: Object.fromEntries(INVOICE_STATUSES.map((status) => [status, sumOf('count', [status])])) as Record<
      InvoiceStatus,
      number
    >,
  }
}

/** Counts cover every invoice; sums cover the invoices in the institute's currency. @throws SumTooLarge */
export const billingSummary = async (
  { db, whole, now }: Handles & { now: string },
  { currency, timezone }: TenantInfo,
): Promise<InferOutput<typeof Summary>> => {
  const month = monthRange(now, timezone)
  const received = (from: ScopedDb) =>
    from.selectFrom('payment').where('received_at', '>=', month.start).where('received_at', '<', month.end)
  const ahead = (from: ScopedDb) =>
    from
      .selectFrom('credit_entry')
      .where('credit_entry.kind', 'in', ['received', 'refunded'])
      .where('credit_entry.at', '>=', month.start)
      .where('credit_entry.at', '<', month.end)
  const collectingAhead = ahead(db)
    .innerJoin('payer_account', 'payer_account.id', 'credit_entry.account_id')
    .select((eb) => eb.fn.sum<number | null>('credit_entry.amount_minor').as('collected'))
    .where('payer_account.currency', '=', currency)
  const collecting = received(db)
    .select((eb) => eb.fn.sum<number | null>('amount_minor').as('collected'))
    .where('currency', '=', currency)

  const { outstanding, overdue, counts } = await invoiceFigures({ db, whole }, currency)
  const [paid] = await readBySize(collecting, await countUpTo(whole, received(whole).select('id'), LOOKED_AT))
  const countAhead = await countUpTo(whole, ahead(whole).select('credit_entry.id'), LOOKED_AT)
  const [paidAhead] = await readBySize(collectingAhead, countAhead)
  return {
    currency,
    outstanding: money(outstanding, currency),
    collectedThisMonth: money(exactSum([paid?.collected ?? 0, paidAhead?.collected ?? 0]), currency),
    overdueCount: counts.overdue,
    overdueTotal: money(overdue, currency),
    byStatus: counts,
  }
}
