import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import { compiledByIds } from '#db/queries/compiled.ts'
import { readBounded } from '#db/queries/long-reads.ts'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import { compareDates, localDate } from '#kernel/time/zone.ts'
import { CURRENCIES, money, type Currency } from '#kernel/values/money.ts'
import type { Page } from '#kernel/values/schema.ts'
import { exactSum } from '#kernel/values/sums.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { fullName } from '#modules/people/index.ts'
import { checkReached } from '#runtime/records/records.ts'
import { reversalOf } from '../cheques/cheque.ts'
import type { Account, AccountEntry, AccountQuery, ENTRY_KINDS } from './schemas.ts'

/** Whose invoices and credit an account shows. */
interface People {
  /** Whose invoices count, whoever pays them. */
  studentIds: readonly string[]
  /** Whose invoices count as payers, and whose credit. */
  guardianIds: readonly string[]
  /** Whose own credit counts. */
  payingStudentIds: readonly string[]
}

export type Of = { guardianId: string } | { studentId: string }

const childrenOf = async (whole: ScopedDb, guardianIds: readonly string[]): Promise<string[]> => {
  if (guardianIds.length === 0) return []
  const links = whole.selectFrom('guardian_link').select('student_id').where('guardian_id', 'in', guardianIds)
  return (await links.distinct().execute()).map((row) => row.student_id)
}

const guardiansOf = async (whole: ScopedDb, studentIds: readonly string[]): Promise<string[]> => {
  if (studentIds.length === 0) return []
  const links = whole.selectFrom('guardian_link').select('guardian_id').where('student_id', 'in', studentIds)
  return (await links.distinct().execute()).map((row) => row.guardian_id)
}

const peopleOf = async (whole: ScopedDb, of: Of, scope: AccountQuery['scope']): Promise<People> => {
  if (scope === 'own') {
    return 'guardianId' in of
      ? { studentIds: [], guardianIds: [of.guardianId], payingStudentIds: [] }
      : { studentIds: [of.studentId], guardianIds: [], payingStudentIds: [of.studentId] }
  }
  const parents = 'guardianId' in of ? [of.guardianId] : await guardiansOf(whole, [of.studentId])
  const children = new Set(await childrenOf(whole, parents))
  if ('studentId' in of) children.add(of.studentId)
  const guardianIds = [...new Set([...parents, ...(await guardiansOf(whole, [...children]))])]
  return { studentIds: [...children], guardianIds, payingStudentIds: [...children] }
}

/** One movement before it is shown; a positive amount is owed more. */
interface Posting extends Pick<AccountEntry, 'invoiceId' | 'receiptId' | 'studentId' | 'reference'> {
  creditNoteId?: string | null
  refundId?: string | null
  date: string
  kind: (typeof ENTRY_KINDS)[number]
  currency: Currency
  amount: number
  at: string
  id: string
}

const isOwed = (eb: ExpressionBuilder<Tables, 'invoice'>, { studentIds, guardianIds }: People) =>
  eb.or([
    ...(studentIds.length > 0 ? [eb('invoice.student_id', 'in', studentIds)] : []),
    ...(guardianIds.length > 0 ? [eb('invoice.payer_guardian_id', 'in', guardianIds)] : []),
  ])

const invoicesOf = (db: ScopedDb, people: People) =>
  db
    .selectFrom('invoice')
    .select(['id', 'number', 'student_id', 'status', 'issue_date', 'total_minor', 'paid_minor', 'currency'])
    .select(['issued_at', 'voided_at'])
    .where('issued_at', 'is not', null)
    .where((eb) => isOwed(eb, people))

type InvoiceRow = Awaited<ReturnType<ReturnType<typeof invoicesOf>['execute']>>[number]

const invoicePostings = (invoices: readonly InvoiceRow[], timezone: string): Posting[] =>
  invoices.flatMap((row) => {
    const issued: Posting = {
      date: row.issue_date,
      kind: 'invoice',
      reference: row.number,
      invoiceId: row.id,
      receiptId: null,
      studentId: row.student_id,
      currency: row.currency,
      amount: row.total_minor,
      at: row.issued_at as string,
      id: row.id,
    }
    if (row.voided_at === null) return [issued]
    // An invoice that is dated ahead cannot be void before it is owed.
    const voidedOn = localDate(row.voided_at, timezone)
    const date = compareDates(voidedOn, row.issue_date) < 0 ? row.issue_date : voidedOn
    return [issued, { ...issued, date, kind: 'void', amount: -row.total_minor, at: row.voided_at }]
  })

const paymentPostings = async (db: ScopedDb, people: People, timezone: string): Promise<Posting[]> => {
  const payments = await readBounded(
    db
      .selectFrom('invoice')
      .innerJoin('payment', 'payment.invoice_id', 'invoice.id')
      .leftJoin('receipt_payment', 'receipt_payment.payment_id', 'payment.id')
      .leftJoin('cheque_entry', 'cheque_entry.payment_id', 'payment.reverses_payment_id')
      .leftJoin('cheque', 'cheque.id', 'cheque_entry.cheque_id')
      .select(['cheque.status as cheque_status', 'cheque.reason as cheque_reason'])
      .select(['payment.id', 'payment.amount_minor', 'payment.received_at', 'payment.created_at', 'payment.currency'])
      .select(['invoice.id as invoice_id', 'invoice.number', 'invoice.student_id', 'receipt_payment.receipt_id'])
      .where((eb) => isOwed(eb as never, people)),
    'payment.id',
  )
  return payments.map((row) => ({
    date: localDate(row.received_at, timezone),
    kind: row.amount_minor > 0 ? 'payment' : reversalOf(row),
    reference: row.number,
    invoiceId: row.invoice_id,
    receiptId: row.receipt_id,
    studentId: row.student_id,
    currency: row.currency,
    amount: -row.amount_minor,
    at: row.created_at,
    id: row.id,
  }))
}

/** Limits a query to the accounts of these people. */
const ofHolders = <O>(
  query: SelectQueryBuilder<Tables, 'payer_account', O>,
  { guardianIds, payingStudentIds }: People,
): SelectQueryBuilder<Tables, 'payer_account', O> =>
  query.where((eb) =>
    eb.or([
      ...(guardianIds.length > 0 ? [eb('payer_account.guardian_id', 'in', guardianIds)] : []),
      ...(payingStudentIds.length > 0 ? [eb('payer_account.student_id', 'in', payingStudentIds)] : []),
    ]),
  )

interface Movements {
  db: ScopedDb
  people: People
  timezone: string
  accountIds: ReadonlySet<string>
  invoices: ReadonlyMap<string, InvoiceRow>
}

/** What went into the credit of these people, and what credit paid where it and the invoice are not both of this account. */
const creditPostings = async ({ db, people, timezone, accountIds, invoices }: Movements): Promise<Posting[]> => {
  const entries = db
    .selectFrom('credit_entry')
    .innerJoin('payer_account', 'payer_account.id', 'credit_entry.account_id')
    .leftJoin('receipt', 'receipt.id', 'credit_entry.receipt_id')
    .leftJoin('invoice', 'invoice.id', 'credit_entry.invoice_id')
    .leftJoin('credit_note', 'credit_note.id', 'credit_entry.credit_note_id')
    .leftJoin('refund', 'refund.id', 'credit_entry.refund_id')
    .leftJoin('cheque_entry', 'cheque_entry.credit_entry_id', 'credit_entry.reverses_entry_id')
    .leftJoin('cheque', 'cheque.id', 'cheque_entry.cheque_id')
    .select(['cheque.status as cheque_status', 'cheque.reason as cheque_reason'])
    .select(['credit_entry.id', 'credit_entry.account_id', 'credit_entry.kind', 'credit_entry.amount_minor'])
    .select(['credit_entry.at', 'credit_entry.created_at', 'payer_account.currency', 'credit_entry.receipt_id'])
    .select(['credit_entry.invoice_id', 'credit_entry.reverses_entry_id', 'receipt.number as receipt_number'])
    .select(['invoice.number as invoice_number', 'invoice.student_id as invoice_student_id'])
    .select(['credit_note.number as note_number', 'refund.number as refund_number'])
    .select(['credit_entry.credit_note_id', 'credit_entry.refund_id', 'credit_entry.reference'])
  const own = await readBounded(ofHolders(entries as never, people) as typeof entries, 'credit_entry.id')
  const paid = await readBounded(
    entries.where((eb) => isOwed(eb as never, people)),
    'credit_entry.id',
  )
  const all = new Map([...own, ...paid].map((entry) => [entry.id, entry]))
  return [...all.values()].flatMap((row): Posting[] => {
    const posting = {
      date: localDate(row.at, timezone),
      invoiceId: row.invoice_id,
      receiptId: row.receipt_id,
      creditNoteId: row.kind === 'credited' ? row.credit_note_id : null,
      refundId: row.refund_id,
      studentId: row.invoice_student_id,
      currency: row.currency,
      at: row.created_at,
      id: row.id,
    }
    if (row.kind === 'received') {
      const kind = row.reverses_entry_id === null ? 'paid_ahead' : reversalOf(row)
      return [{ ...posting, kind, reference: row.receipt_number ?? '', amount: -row.amount_minor }]
    }
    if (row.kind === 'opened') {
      const kind = row.reverses_entry_id === null ? 'opening_balance' : 'reversal'
      return [{ ...posting, kind, reference: row.reference ?? '', amount: -row.amount_minor }]
    }
    if (row.kind === 'refunded') {
      return [{ ...posting, kind: 'refund', reference: row.refund_number ?? '', amount: -row.amount_minor }]
    }
    if (row.kind === 'credited') {
      const amount = accountIds.has(row.account_id) ? -row.amount_minor : 0
      return amount === 0 ? [] : [{ ...posting, kind: 'credit_note', reference: row.note_number ?? '', amount }]
    }
    const onInvoice = row.invoice_id !== null && invoices.has(row.invoice_id) ? row.amount_minor : 0
    const onCredit = accountIds.has(row.account_id) ? -row.amount_minor : 0
    const amount = onInvoice + onCredit
    return amount === 0 ? [] : [{ ...posting, kind: 'credit_applied', reference: row.invoice_number ?? '', amount }]
  })
}

/** What credit notes took off what was still to be paid. */
const notePostings = async (db: ScopedDb, people: People, timezone: string): Promise<Posting[]> => {
  const notes = await readBounded(
    db
      .selectFrom('invoice')
      .innerJoin('credit_note', 'credit_note.invoice_id', 'invoice.id')
      .select(['credit_note.id', 'credit_note.number', 'credit_note.settled_minor', 'credit_note.created_at'])
      .select(['invoice.id as invoice_id', 'invoice.student_id', 'invoice.currency'])
      .where('credit_note.settled_minor', '>', 0)
      .where((eb) => isOwed(eb as never, people)),
    'credit_note.id',
  )
  return notes.map((note) => ({
    date: localDate(note.created_at, timezone),
    kind: 'credit_note',
    reference: note.number,
    invoiceId: note.invoice_id,
    receiptId: null,
    creditNoteId: note.id,
    studentId: note.student_id,
    currency: note.currency,
    amount: -note.settled_minor,
    at: note.created_at,
    id: note.id,
  }))
}

/** What is held in cheques: those of these people, and what others’ are for of the invoices that count here. */
const heldOf = async (
  db: ScopedDb,
  people: People,
  invoices: readonly InvoiceRow[],
): Promise<{ currency: Currency; amount: number }[]> => {
  const { guardianIds, payingStudentIds } = people
  const held = db.selectFrom('cheque').select(['id', 'currency', 'amount_minor as amount']).where('status', '=', 'held')
  const own = await readBounded(
    held.where((eb) =>
      eb.or([
        ...(guardianIds.length > 0 ? [eb('guardian_id', 'in', guardianIds)] : []),
        ...(payingStudentIds.length > 0 ? [eb('student_id', 'in', payingStudentIds)] : []),
      ]),
    ),
    'cheque.id',
  )
  if (invoices.length === 0) return own
  const ofOthers = await readBounded(
    db
      .selectFrom('cheque_part')
      .innerJoin('cheque', 'cheque.id', 'cheque_part.cheque_id')
      .innerJoin('invoice', 'invoice.id', 'cheque_part.invoice_id')
      .select(['cheque_part.id', 'cheque.id as cheque_id', 'cheque.currency', 'cheque_part.amount_minor as amount'])
      .where('cheque.status', '=', 'held')
      .where((eb) => isOwed(eb as never, people)),
    'cheque_part.id',
  )
  const ownIds = new Set(own.map(({ id }) => id))
  return [...own, ...ofOthers.filter((part) => !ownIds.has(part.cheque_id))]
}

/** Ids are given in the order of time; only a void has that of its invoice. */
const keyOf = ({ date, at, kind, id }: Posting): string => `${date} ${at} ${id} ${Number(kind === 'void')}`

interface Asked {
  db: ScopedDb
  whole: ScopedDb
  tenant: TenantInfo
  cursors: Cursors
  query: AccountQuery
}

/** In which people an account is read, and in which currency. */
interface Gathering extends Pick<Asked, 'db' | 'whole' | 'tenant'> {
  query: Pick<AccountQuery, 'scope' | 'currency'>
}

/** Each with the balance after it, oldest first. */
const balanced = (postings: readonly Posting[], currency: Currency) => {
  let balance = 0
  return postings
    .filter((posting) => posting.currency === currency)
    .map((posting) => ({ posting, key: keyOf(posting) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ posting, key }) => {
      const { amount, kind, date, reference, invoiceId, receiptId, studentId } = posting
      const { creditNoteId = null, refundId = null } = posting
      balance = exactSum([balance, amount])
      const owes = amount > 0 || kind === 'invoice'
      const entry: Omit<AccountEntry, 'studentName'> = {
        date,
        kind,
        reference,
        invoiceId,
        receiptId,
        creditNoteId,
        refundId,
        studentId,
        debit: money(owes ? amount : 0, currency),
        credit: money(owes ? 0 : -amount, currency),
        balance: money(balance, currency),
      }
      return { entry, key }
    })
}

/** All that happened in an account, and what it comes to. @throws NotFound, SumTooLarge */
export const gather = async ({ db, whole, tenant, query }: Gathering, of: Of) => {
  const { currency = tenant.currency, scope } = query
  await ('guardianId' in of ? checkReached(db, 'guardian', of.guardianId) : checkReached(db, 'student', of.studentId))
  const people = await peopleOf(whole, of, scope)
  const invoices = await readBounded(invoicesOf(db, people), 'invoice.id')
  const accounts = (await ofHolders(
    db.selectFrom('payer_account').select(['id', 'currency', 'credit_minor']) as never,
    people,
  ).execute()) as { id: string; currency: Currency; credit_minor: number }[]
  const held = await heldOf(db, people, invoices)
  const { timezone } = tenant
  const postings = [
    ...invoicePostings(invoices, timezone),
    ...(await paymentPostings(db, people, timezone)),
    ...(await notePostings(db, people, timezone)),
    ...(await creditPostings({
      db,
      people,
      timezone,
      accountIds: new Set(accounts.map(({ id }) => id)),
      invoices: new Map(invoices.map((invoice) => [invoice.id, invoice])),
    })),
  ]
  const sumsIn = (one: Currency) => {
    const open = invoices.filter((row) => row.currency === one && row.status !== 'void')
    const owed = exactSum(open.map((row) => row.total_minor - row.paid_minor))
    const credit = exactSum(accounts.filter((row) => row.currency === one).map((row) => row.credit_minor))
    const kept = exactSum(held.filter((row) => row.currency === one).map((row) => row.amount))
    return {
      currency: one,
      balance: money(owed - credit, one),
      owed: money(owed, one),
      credit: money(credit, one),
      held: money(kept, one),
    }
  }
  const others = CURRENCIES.filter(
    (one) => one !== currency && [...postings, ...held].some((posting) => posting.currency === one),
  )
  return {
    currency,
    people,
    sums: sumsIn(currency),
    others: others.map(sumsIn),
    balanced: balanced(postings, currency),
  }
}

const studentsById = compiledByIds((whole, ids) =>
  whole.selectFrom('student').select(['id', 'first_name', 'last_name']).where('id', 'in', ids),
)

type Entry = ReturnType<typeof balanced>[number]['entry']

/** Adds to entries the names of the students whose invoices they are of. */
export const withNames = async (whole: ScopedDb, entries: readonly Entry[]): Promise<AccountEntry[]> => {
  const rows = await studentsById(whole, [...new Set(entries.flatMap(({ studentId }) => studentId ?? []))])
  const names = new Map(rows.map((row) => [row.id, fullName(row)]))
  return entries.map((entry) => ({ ...entry, studentName: names.get(entry.studentId ?? '') ?? null }))
}

type Gathered = Awaited<ReturnType<typeof gather>>

/** One page of the entries, newest first. @throws VALIDATION_ERROR for a foreign cursor */
const pageOfEntries = async ({ whole, cursors, query: { cursor, limit } }: Asked, { balanced: all }: Gathered) => {
  const before = cursor === undefined ? undefined : String(cursors.decode(cursor)[0])
  const newest = all.toReversed().filter(({ key }) => before === undefined || key < before)
  const shown = newest.slice(0, limit)
  const last = newest.length > limit ? shown.at(-1) : undefined
  return {
    data: await withNames(
      whole,
      shown.map(({ entry }) => entry),
    ),
    nextCursor: last === undefined ? null : cursors.encode([last.key]),
  }
}

/** The account of a payer, or of their family. @throws NotFound, SumTooLarge, VALIDATION_ERROR for a foreign cursor */
export const readAccount = async (asked: Asked, of: Of): Promise<Account> => {
  const gathered = await gather(asked, of)
  const { sums, others } = gathered
  return { ...sums, otherCurrencies: others, entries: await pageOfEntries(asked, gathered) }
}

/** Its entries alone. @throws as `readAccount` */
export const readEntries = async (asked: Asked, of: Of): Promise<Page<AccountEntry>> =>
  pageOfEntries(asked, await gather(asked, of))
