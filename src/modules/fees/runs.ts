import type { InferOutput } from 'valibot'
import type { Caller } from '#kernel/who/actor.ts'
import { money } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { listOf, newestFirst, type ListContext } from '#runtime/records/lists.ts'
import type { Row } from '#runtime/records/records.ts'
import type { BillingRunQuery, BillingRunSummary } from './schemas.ts'

const shown = { order: newestFirst('billing_run'), show: (row: Row<'billing_run'>) => row }
const month = 'billing_run.month' as const

const all = listOf({
  ...shown,
  filters: { month },
  from: (db) => db.selectFrom('billing_run').selectAll('billing_run'),
})

/**
 * Under a role for one branch: those that billed somebody there. They are found once, through its students: asked of each
 * run, a branch that was never billed would look through the charges of all.
 */
const ofBranches = listOf({
  ...shown,
  filters: { month },
  from: (db) =>
    db
      .selectFrom('billing_run')
      .selectAll('billing_run')
      .where('billing_run.id', 'in', (eb) =>
        eb
          .selectFrom('student')
          // Neither database reads the charges before the students then.
          .crossJoin('fee_charge')
          .whereRef('fee_charge.student_id', '=', 'student.id')
          .select('fee_charge.billing_run_id'),
      ),
})

/** What became of the invoices that each run made. */
const readInvoices = async (db: ScopedDb, runIds: readonly string[]) => {
  if (runIds.length === 0) return []
  const charged = db
    .selectFrom('fee_charge')
    .select(['billing_run_id', 'invoice_id'])
    .distinct()
    .where('billing_run_id', 'in', runIds)
  return db
    .selectFrom(charged.as('charged'))
    .innerJoin('invoice', 'invoice.id', 'charged.invoice_id')
    .select(['charged.billing_run_id', 'invoice.status', 'invoice.currency'])
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number>('invoice.total_minor').as('total')])
    .groupBy(['charged.billing_run_id', 'invoice.status', 'invoice.currency'])
    .execute()
}

type Invoices = Awaited<ReturnType<typeof readInvoices>>

const countOf = (invoices: Invoices): number => invoices.reduce((sum, { count }) => sum + count, 0)

const totalsOf = (invoices: Invoices) =>
  [...Map.groupBy(invoices, ({ currency }) => currency)].map(([currency, ofOne]) =>
    money(exactSum(ofOne.map(({ total }) => total)), currency),
  )

const toSummary = (row: Row<'billing_run'>, invoices: Invoices, isWhole: boolean): BillingRunSummary => {
  const live = invoices.filter(({ status }) => status !== 'void')
  const drafts = live.filter(({ status }) => status === 'draft')
  return {
    id: row.id,
    month: row.month,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    billed: countOf(live),
    drafts: countOf(drafts),
    voided: countOf(invoices) - countOf(live),
    totals: totalsOf(live),
    skipped:
      row.skipped === null || !isWhole
        ? null
        : Object.entries(row.skipped).map(([reason, count]) => ({
            reason: reason as NonNullable<BillingRunSummary['skipped']>[number]['reason'],
            count,
          })),
  }
}

type Asked = ListContext<ScopedDb> & { caller: Caller; query: InferOutput<typeof BillingRunQuery> }

/** The last runs first, with what became of their invoices. */
export const listRuns = async ({ caller, ...context }: Asked): Promise<Page<BillingRunSummary>> => {
  const isWhole = caller.grants.reach('invoices.read') === 'all'
  const { data, nextCursor } = await (isWhole ? all : ofBranches)(context)
  const invoices = await readInvoices(
    context.db,
    data.map(({ id }) => id),
  )
  const ofRun = Map.groupBy(invoices, ({ billing_run_id: id }) => id)
  return { data: data.map((row) => toSummary(row, ofRun.get(row.id) ?? [], isWhole)), nextCursor }
}
