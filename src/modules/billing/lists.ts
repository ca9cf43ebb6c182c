import { countUpTo } from '#db/queries/long-reads.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { foldQuery } from '#shared/text.ts'
import { localDate, yearOf } from '#kernel/time/zone.ts'
import { fullName } from '#modules/people/index.ts'
import { readInvoiceFooter } from '#modules/settings/index.ts'
import { cursorsOfOrder } from '#runtime/records/cursors.ts'
import {
  listOf,
  listUnder,
  newestFirst,
  usedByFrom,
  withoutIndex,
  type Conditions,
  type ListContext,
} from '#runtime/records/lists.ts'
import { readFirstLines } from './first-lines.ts'
import { balanceOf, toInvoice, type InvoiceRow } from './invoices.ts'
import { meantBy, numberFilter } from './numbers.ts'
import { linesOfOne } from './of-one.ts'
import type { Invoice, InvoiceQuery, ListedInvoice } from './schemas.ts'
import type { InvoiceStatus } from './tables.ts'

type Listed = Invoice & Pick<ListedInvoice, 'balance'>

/** The current footer, which drafts show. */
interface Footer {
  footerNow: string | null
}

const show = (row: InvoiceRow, { footerNow }: Footer): Listed => ({
  ...toInvoice({ ...row, footer_now: footerNow }),
  balance: balanceOf(row),
})

/** Adds the name of each invoice's student, whatever branch the student is in now, and what it is for. */
const withNames = async (whole: ScopedDb, page: Page<Listed>): Promise<Page<ListedInvoice>> => {
  const ids = [...new Set(page.data.map(({ studentId }) => studentId))]
  const students =
    ids.length === 0
      ? []
      : await whole.selectFrom('student').select(['id', 'first_name', 'last_name']).where('id', 'in', ids).execute()
  const names = new Map(students.map((row) => [row.id, fullName(row)]))
  const firstLineOf = await readFirstLines(
    whole,
    page.data.map(({ id }) => id),
  )
  return {
    ...page,
    data: page.data.map((invoice) => ({
      ...invoice,
      studentName: names.get(invoice.studentId) ?? '',
      ...firstLineOf(invoice.id),
    })),
  }
}

/** Whether it was issued, and not voided: the report about income counts it. */
const counts = (eb: Conditions) => eb.and([eb('invoice.issued_at', 'is not', null), eb('invoice.status', '!=', 'void')])

const filters = {
  status: (eb: Conditions, statuses: readonly InvoiceStatus[]) => eb('invoice.status', 'in', statuses),
  overdue: (eb: Conditions, overdue: boolean) => (overdue ? eb('invoice.status', '=', 'overdue') : undefined),
  studentId: 'invoice.student_id',
  branchId: 'invoice.branch_id',
  dueFrom: (eb: Conditions, from: string) => eb('invoice.due_date', '>=', from),
  dueTo: (eb: Conditions, to: string) => eb('invoice.due_date', '<=', to),
  issuedFrom: (eb: Conditions, from: string) => eb.and([counts(eb), eb('invoice.issue_date', '>=', from)]),
  issuedTo: (eb: Conditions, to: string) => eb.and([counts(eb), eb('invoice.issue_date', '<=', to)]),
  ...linesOfOne,
  /** What `q` means where it is a number. */
  numbers: numberFilter('invoice.number'),
} as const

const search = { table: 'student', fold: foldQuery } as const

/** Where the list is searched by the student, it reads the students too. */
const invoicesOf = (db: ScopedDb, isSearched: true | undefined) => {
  const invoices = db.selectFrom('invoice').selectAll('invoice')
  if (!isSearched) return invoices
  const joined = invoices.innerJoin('student', 'student.id', 'invoice.student_id')
  return joined as unknown as typeof invoices
}

const newest = { order: newestFirst('invoice'), show }

/**
 * Reads the list in its order, and checks the dates of each invoice: coalesce() keeps the database from using the index on
 * a date, which would read all invoices of that time.
 */
const newestInvoices = listOf({
  ...newest,
  search,
  filters: {
    ...filters,
    dueFrom: (eb, from: string) => eb(withoutIndex('invoice.due_date'), '>=', from),
    dueTo: (eb, to: string) => eb(withoutIndex('invoice.due_date'), '<=', to),
    issuedFrom: (eb, from: string) => eb.and([counts(eb), eb(withoutIndex('invoice.issue_date'), '>=', from)]),
    issuedTo: (eb, to: string) => eb.and([counts(eb), eb(withoutIndex('invoice.issue_date'), '<=', to)]),
  },
  from: (db, { q }) => invoicesOf(db, q),
})

type Time = Pick<InvoiceQuery, 'dueFrom' | 'dueTo' | 'issuedFrom' | 'issuedTo'>

const ofTime = (db: Pick<ScopedDb, 'selectFrom'>, { dueFrom, dueTo, issuedFrom, issuedTo }: Time) => {
  let some = db.selectFrom('invoice')
  if (dueFrom !== undefined) some = some.where('invoice.due_date', '>=', dueFrom)
  if (dueTo !== undefined) some = some.where('invoice.due_date', '<=', dueTo)
  if ((issuedFrom ?? issuedTo) !== undefined) some = some.where('invoice.issued_at', 'is not', null)
  if (issuedFrom !== undefined) some = some.where('invoice.issue_date', '>=', issuedFrom)
  if (issuedTo !== undefined) some = some.where('invoice.issue_date', '<=', issuedTo)
  return some
}

const counted = (eb: Conditions, _value: string) => counts(eb)

/** Finds the invoices of the time first, and sorts them. */
const newestOfTime = listOf({
  ...newest,
  filters: { ...filters, dueFrom: usedByFrom, dueTo: usedByFrom, issuedFrom: counted, issuedTo: counted },
  // In a materialized CTE: otherwise Postgres estimates them as spread over the list.
  from: (db, time) =>
    db
      .with(
        (cte) => cte('_time').materialized(),
        (query) => ofTime(query as unknown as ScopedDb, time).selectAll(),
      )
      .selectFrom('_time as invoice')
      .selectAll('invoice'),
})

/** First due first. */
const invoicesByDueDate = listOf({
  filters,
  search,
  from: (db, { q }) => invoicesOf(db, q),
  order: {
    columns: ['invoice.due_date', 'invoice.id'],
    direction: 'asc',
    position: (row) => [row.due_date, row.id],
  },
  show,
})

/** When more invoices are of the time than this, reading the list in its order finds a page sooner. */
const MANY = 5000

export const listInvoices = async (
  context: ListContext<ScopedDb> & { query: InvoiceQuery; whole: ScopedDb; tenant: TenantInfo; now: string },
): Promise<Page<ListedInvoice>> => {
  const { db, whole, tenant, now, cursors } = context
  const { sort = 'createdAt', q: typed, ...query } = context.query
  const meant = meantBy(typed, yearOf(localDate(now, tenant.timezone)))
  const asked = {
    ...context,
    cursors: cursorsOfOrder(cursors, sort),
    query: { ...query, q: meant.q, numbers: meant.numbers },
    footerNow: await readInvoiceFooter(db),
  }
  if (sort === 'dueDate') return withNames(whole, await invoicesByDueDate(asked))
  const time = query.dueFrom ?? query.dueTo ?? query.issuedFrom ?? query.issuedTo
  const byTimeAlone = time !== undefined && (query.studentId ?? typed) === undefined
  const few = byTimeAlone && (await countUpTo(whole, ofTime(whole, query).select('invoice.id'), MANY)) < MANY
  return withNames(whole, await (few ? newestOfTime(asked) : newestInvoices(asked)))
}

const ofStudent = listUnder(
  { table: 'student', column: 'invoice.student_id' },
  { order: newestFirst('invoice'), show, from: (db) => invoicesOf(db, undefined) },
)

export const listInvoicesOfStudent = async (
  context: Omit<Parameters<typeof ofStudent>[0], keyof Footer>,
): Promise<Page<ListedInvoice>> =>
  withNames(context.whole, await ofStudent({ ...context, footerNow: await readInvoiceFooter(context.db) }))
