import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Currency } from '#kernel/values/money.ts'
import { oneOfLines } from '#modules/billing/index.ts'
import { indexIn } from '#db/queries/periods.ts'
import { readLong, type Asked, type Span } from './span.ts'
import type { IncomeReportQuery } from './schemas.ts'

/** Where the months of a report end: as days, and as instants. */
export interface Ends {
  days: readonly string[]
  instants: readonly string[]
}

/** A sum of one month; what an invoice is of decides where it stands. */
export interface Sum {
  figure: 'billed' | 'credited' | 'collected'
  month: number
  currency: Currency
  branch_id: string
  course_id: string | null
  method: string | null
  amount: number
}

type Places = Pick<IncomeReportQuery, 'branchId' | 'groupId' | 'courseId'> & { by?: IncomeReportQuery['by'] }

const needsLines = ({ by, groupId, courseId }: Places): boolean =>
  by === 'course' || groupId !== undefined || courseId !== undefined

const COLUMNS = [
  'invoice.id',
  'invoice.number',
  'invoice.student_id',
  'invoice.currency',
  'invoice.branch_id',
  'invoice.issue_date',
  'invoice.total_minor',
  'invoice.status',
  'invoice.issued_at',
] as const

/** The invoices of the report, with the course of each where it is asked for. */
const invoices = (db: ScopedDb, query: Places) => {
  const { branchId, groupId, courseId } = query
  const plain = db
    .selectFrom('invoice')
    .select(COLUMNS)
    .select((eb) => eb.cast<string | null>(eb.lit(null), 'text').as('course_id'))
    .$if(branchId !== undefined, (some) => some.where('invoice.branch_id', '=', branchId as string))
  if (!needsLines(query)) return plain.as('bill')
  let inner = db
    .selectFrom('invoice')
    .select(COLUMNS)
    .select([oneOfLines(db, 'course').as('course_id'), oneOfLines(db, 'group').as('group_id')])
  if (branchId !== undefined) inner = inner.where('invoice.branch_id', '=', branchId)
  let some = db.selectFrom(inner.as('one')).selectAll('one')
  if (groupId !== undefined) some = some.where('one.group_id', '=', groupId)
  if (courseId !== undefined) some = some.where('one.course_id', '=', courseId)
  return some.as('bill')
}

type Reading = Asked & { query: IncomeReportQuery }

const KINDS = ['month', 'bill.currency', 'bill.branch_id', 'bill.course_id'] as const

const readBilled = async ({ query, ...asked }: Reading, { from, to }: Span, { days }: Ends): Promise<Sum[]> => {
  const rows = await readLong(
    asked,
    asked.db
      .selectFrom(invoices(asked.db, query))
      .select((eb) => [
        indexIn('bill.issue_date', days).as('month'),
        'bill.currency',
        'bill.branch_id',
        'bill.course_id',
        eb.fn.sum<number>('bill.total_minor').as('amount'),
      ])
      .where('bill.issued_at', 'is not', null)
      .where('bill.status', '!=', 'void')
      .where('bill.issue_date', '>=', from)
      .where('bill.issue_date', '<=', to)
      .groupBy(KINDS),
    asked.whole.selectFrom('invoice').select('invoice.id'),
  )
  return rows.map((row) => ({ ...row, figure: 'billed', method: null }))
}

const readCredited = async ({ query, ...asked }: Reading, { from, to }: Span, { days }: Ends): Promise<Sum[]> => {
  const notes = asked.whole
    .selectFrom('credit_note')
    .select('credit_note.id')
    .where('credit_note.issue_date', '>=', from)
    .where('credit_note.issue_date', '<=', to)
  const rows = await readLong(
    asked,
    asked.db
      .selectFrom('credit_note')
      .innerJoin(invoices(asked.db, query), 'bill.id', 'credit_note.invoice_id')
      .select((eb) => [
        indexIn('credit_note.issue_date', days).as('month'),
        'bill.currency',
        'bill.branch_id',
        'bill.course_id',
        eb.fn.sum<number>('credit_note.amount_minor').as('amount'),
      ])
      .where('credit_note.issue_date', '>=', from)
      .where('credit_note.issue_date', '<=', to)
      .groupBy(KINDS),
    needsLines(query) ? asked.whole.selectFrom('invoice').select('invoice.id') : notes,
  )
  return rows.map((row) => ({ ...row, figure: 'credited', method: null }))
}

type InTime = Asked & { query: Places }

/** The payments and reversals of a time. @returns them, and the rows that reading them looks at */
export const paymentsIn = ({ db, whole, query }: InTime, { start, end }: Span) => {
  const inTime = (some: ScopedDb) =>
    some.selectFrom('payment').where('payment.received_at', '>=', start).where('payment.received_at', '<', end)
  return {
    of: inTime(db).innerJoin(invoices(db, query), 'bill.id', 'payment.invoice_id'),
    behind: needsLines(query) ? whole.selectFrom('invoice').select('invoice.id') : inTime(whole).select('payment.id'),
  }
}

/** What was paid ahead in a time, and what of it was refunded, which is of no invoice. @returns as paymentsIn; undefined: none is asked for */
export const aheadIn = ({ db, whole, query }: InTime, { start, end }: Span) => {
  const { branchId, groupId, courseId } = query
  if (groupId !== undefined || courseId !== undefined) return undefined
  const inTime = (some: ScopedDb) =>
    some
      .selectFrom('credit_entry')
      .where('credit_entry.kind', 'in', ['received', 'refunded'])
      .where('credit_entry.at', '>=', start)
      .where('credit_entry.at', '<', end)
  const all = inTime(db)
    .innerJoin('payer_account', 'payer_account.id', 'credit_entry.account_id')
    .leftJoin('receipt', 'receipt.id', 'credit_entry.receipt_id')
    .leftJoin('refund', 'refund.id', 'credit_entry.refund_id')
  return {
    of: branchId === undefined ? all : all.where('payer_account.branch_id', '=', branchId),
    behind: inTime(whole).select('credit_entry.id'),
  }
}

const readPaid = async (asked: Reading, span: Span, { instants }: Ends): Promise<Sum[]> => {
  const { of, behind } = paymentsIn(asked, span)
  const sums = of
    .select((eb) => [
      indexIn('payment.received_at', instants).as('month'),
      'bill.currency',
      'bill.branch_id',
      'bill.course_id',
      'payment.method',
      eb.fn.sum<number>('payment.amount_minor').as('amount'),
    ])
    .groupBy([...KINDS, 'payment.method'])
  return (await readLong(asked, sums, behind)).map((row) => ({ ...row, figure: 'collected' }))
}

const readAhead = async (asked: Reading, span: Span, { instants }: Ends): Promise<Sum[]> => {
  const ahead = aheadIn(asked, span)
  if (!ahead) return []
  const sums = ahead.of
    .select((eb) => [
      indexIn('credit_entry.at', instants).as('month'),
      'payer_account.currency',
      'payer_account.branch_id',
      'receipt.method as received_by',
      'refund.method as refunded_by',
      eb.fn.sum<number>('credit_entry.amount_minor').as('amount'),
    ])
    .groupBy(['month', 'payer_account.currency', 'payer_account.branch_id', 'receipt.method', 'refund.method'])
  return (await readLong(asked, sums, ahead.behind)).map(
    ({ received_by: received, refunded_by: refunded, ...row }) => ({
      ...row,
      figure: 'collected',
      course_id: null,
      method: refunded ?? received,
    }),
  )
}

/** Every sum of a report, as the database adds them up. */
export const readSums = async (asked: Reading, span: Span, ends: Ends): Promise<Sum[]> => [
  ...(await readBilled(asked, span, ends)),
  ...(await readCredited(asked, span, ends)),
  ...(await readPaid(asked, span, ends)),
  ...(await readAhead(asked, span, ends)),
]
