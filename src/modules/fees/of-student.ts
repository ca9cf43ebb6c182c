import type { Money } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { invoiceTotal } from '#modules/billing/index.ts'
import { planSlice } from './plan.ts'
import { rulesOf } from './rules.ts'

const byCurrency = (all: readonly Money[]): Money[] =>
  [...Map.groupBy(all, ({ currency }) => currency)].map(([currency, ofOne]) => ({
    currency,
    amountMinor: exactSum(ofOne.map(({ amountMinor }) => amountMinor)),
  }))

/** What a billing run would charge a student for a month as things are, in each currency. */
const of = async (tx: Tx, studentId: string, month: string): Promise<Money[]> => {
  const schedules = await tx.whole.selectFrom('fee_schedule').select('id').execute()
  const task = { id: null, month, feeScheduleIds: schedules.map(({ id }) => id), branchIds: null, billAnyway: [] }
  const { invoices } = await planSlice(tx.whole, task, { studentIds: [studentId], rules: await rulesOf(tx) })
  return byCurrency(invoices.map(({ currency, lines }) => ({ currency, amountMinor: invoiceTotal(lines) })))
}

/** What is paid of a student’s fees for the months after this one, in each currency. */
const paidAfter = async ({ whole }: Tx, studentId: string, month: string): Promise<Money[]> => {
  const lines = await whole
    .selectFrom('fee_charge')
    .innerJoin('invoice', 'invoice.id', 'fee_charge.invoice_id')
    .innerJoin('invoice_line', (join) =>
      join
        .onRef('invoice_line.invoice_id', '=', 'fee_charge.invoice_id')
        .onRef('invoice_line.fee_schedule_id', '=', 'fee_charge.fee_schedule_id'),
    )
    .select(['invoice.currency', 'invoice_line.total_minor as amountMinor'])
    .where('fee_charge.student_id', '=', studentId)
    .where('fee_charge.month', '>', month)
    .where('invoice.status', '=', 'paid')
    .execute()
  return byCurrency(lines)
}

export const feesOfStudent = { of, paidAfter }
