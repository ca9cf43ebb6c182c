import type { InferOutput } from 'valibot'
import type { TenantInfo } from '#kernel/actor.ts'
import { money } from '#kernel/money.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { monthRange } from '#kernel/zone.ts'
import { OPEN } from './lifecycle.ts'
import type { Summary } from './schemas.ts'
import { INVOICE_STATUSES, type InvoiceStatus } from './tables.ts'

/** Counts cover every invoice; sums are of the invoices in the institute's currency. */
export const billingSummary = async (
  db: ScopedDb,
  { currency, timezone }: TenantInfo,
  now: string,
): Promise<InferOutput<typeof Summary>> => {
  const groups = await db
    .selectFrom('invoice')
    .select((eb) => [
      'status',
      'currency',
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>(eb('total_minor', '-', eb.ref('paid_minor'))).as('balance'),
    ])
    .groupBy(['status', 'currency'])
    .execute()
  const month = monthRange(now, timezone)
  const { collected } = await db
    .selectFrom('payment')
    .select((eb) => eb.fn.sum<number | null>('amount_minor').as('collected'))
    .where('currency', '=', currency)
    .where('received_at', '>=', month.start)
    .where('received_at', '<', month.end)
    .executeTakeFirstOrThrow()
  const balanceOf = (statuses: readonly InvoiceStatus[]) =>
    groups
      .filter((group) => group.currency === currency && statuses.includes(group.status))
      .reduce((sum, group) => sum + group.balance, 0)
  const countOf = (status: InvoiceStatus) =>
    groups.filter((group) => group.status === status).reduce((sum, group) => sum + group.count, 0)
  return {
    currency,
    outstanding: money(balanceOf(OPEN), currency),
    collectedThisMonth: money(collected ?? 0, currency),
    overdueCount: countOf('overdue'),
    overdueTotal: money(balanceOf(['overdue']), currency),
    byStatus: Object.fromEntries(INVOICE_STATUSES.map((status) => [status, countOf(status)])) as Record<
      InvoiceStatus,
      number
    >,
  }
}
