import type { InferOutput } from 'valibot'
import { readBounded } from '#db/queries/long-reads.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { invalid } from '#kernel/values/errors.ts'
import { money } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { compareDates, localDate } from '#kernel/time/zone.ts'
import { readInvoiceFooter } from '#modules/settings/index.ts'
import { checkReached } from '#runtime/records/records.ts'
import type { Statement, StatementQuery } from './schemas.ts'

/** One entry before it is shown; a positive amount is owed by the student. */
interface Posting {
  date: string
  kind: InferOutput<typeof Statement>['entries'][number]['kind']
  /** The invoice's number. */
  reference: string
  amount: number
  /** Who pays the invoice since it was issued; null: the student. */
  payerId: string | null
  /** When it was recorded: the order within one day, before the kind and the id. */
  at: string
  id: string
}

type Asked = { currency: TenantInfo['currency']; timezone: string }

/** What the student's issued invoices say: each owes its total, and a void one owes it no more. */
const invoicePostings = async (db: ScopedDb, studentId: string, { currency, timezone }: Asked): Promise<Posting[]> => {
  const invoices = await readBounded(
    db
      .selectFrom('invoice')
      .select(['id', 'number', 'issue_date', 'total_minor', 'issued_at', 'voided_at'])
      .select('payer_guardian_id')
      .where('student_id', '=', studentId)
      .where('currency', '=', currency)
      .where('issued_at', 'is not', null),
    'invoice.id',
  )
  return invoices.flatMap(({ id, issue_date: date, total_minor: amount, issued_at, voided_at, ...row }) => {
    const { number: reference, payer_guardian_id: payerId } = row
    const issued: Posting = { date, kind: 'invoice', reference, amount, payerId, at: issued_at as string, id }
    if (voided_at === null) return [issued]
    // An invoice that is dated ahead cannot be void before it is owed.
    const voidedOn = localDate(voided_at, timezone)
    const voidDate = compareDates(voidedOn, date) < 0 ? date : voidedOn
    return [issued, { ...issued, date: voidDate, kind: 'void', amount: -amount, at: voided_at }]
  })
}

const paymentPostings = async (db: ScopedDb, studentId: string, { currency, timezone }: Asked): Promise<Posting[]> => {
  const payments = await readBounded(
    db
      .selectFrom('invoice')
      .innerJoin('payment', 'payment.invoice_id', 'invoice.id')
      .select([
        'invoice.payer_guardian_id',
        'payment.id',
        'invoice.number',
        'payment.amount_minor',
        'payment.received_at',
        'payment.created_at',
      ])
      .where('invoice.student_id', '=', studentId)
      .where('invoice.currency', '=', currency),
    'payment.id',
  )
  return payments.map((payment) => ({
    date: localDate(payment.received_at, timezone),
    kind: payment.amount_minor > 0 ? 'payment' : 'reversal',
    reference: payment.number,
    amount: -payment.amount_minor,
    payerId: payment.payer_guardian_id,
    at: payment.created_at,
    id: payment.id,
  }))
}

/** What credit paid of the student's invoices. */
const creditPostings = async (db: ScopedDb, studentId: string, { currency, timezone }: Asked): Promise<Posting[]> => {
  const entries = await readBounded(
    db
      .selectFrom('invoice')
      .innerJoin('credit_entry', 'credit_entry.invoice_id', 'invoice.id')
      .select(['credit_entry.id', 'invoice.number', 'invoice.payer_guardian_id', 'credit_entry.amount_minor'])
      .select(['credit_entry.at', 'credit_entry.created_at'])
      .where('invoice.student_id', '=', studentId)
      .where('invoice.currency', '=', currency)
      .where('credit_entry.kind', '=', 'applied'),
    'credit_entry.id',
  )
  return entries.map((entry) => ({
    date: localDate(entry.at, timezone),
    kind: entry.amount_minor < 0 ? 'credit' : 'reversal',
    reference: entry.number,
    amount: entry.amount_minor,
    payerId: entry.payer_guardian_id,
    at: entry.created_at,
    id: entry.id,
  }))
}

/** What credit notes took off what was still to be paid of the student's invoices. */
const notePostings = async (db: ScopedDb, studentId: string, { currency, timezone }: Asked): Promise<Posting[]> => {
  const notes = await readBounded(
    db
      .selectFrom('invoice')
      .innerJoin('credit_note', 'credit_note.invoice_id', 'invoice.id')
      .select(['credit_note.id', 'credit_note.number', 'invoice.payer_guardian_id', 'credit_note.settled_minor'])
      .select('credit_note.created_at')
      .where('invoice.student_id', '=', studentId)
      .where('invoice.currency', '=', currency)
      .where('credit_note.settled_minor', '>', 0),
    'credit_note.id',
  )
  return notes.map((note) => ({
    date: localDate(note.created_at, timezone),
    kind: 'credit_note',
    reference: note.number,
    amount: -note.settled_minor,
    payerId: note.payer_guardian_id,
    at: note.created_at,
    id: note.id,
  }))
}

/** What cheques that are held are for of the student’s invoices. */
const heldFor = async (db: ScopedDb, studentId: string, currency: TenantInfo['currency']): Promise<number> => {
  const parts = await readBounded(
    db
      .selectFrom('cheque_part')
      .innerJoin('cheque', 'cheque.id', 'cheque_part.cheque_id')
      .innerJoin('invoice', 'invoice.id', 'cheque_part.invoice_id')
      .select(['cheque_part.id', 'cheque_part.amount_minor'])
      .where('invoice.student_id', '=', studentId)
      .where('invoice.currency', '=', currency)
      .where('cheque.status', '=', 'held'),
    'cheque_part.id',
  )
  return exactSum(parts.map((part) => part.amount_minor))
}

const RANKS = { invoice: 0, payment: 1, credit: 1, credit_note: 1, reversal: 1, void: 2 } as const

const inOrder = (one: Posting, other: Posting): number => {
  const [a, b] = [one, other].map(({ date, at, kind, id }) => `${date} ${at} ${RANKS[kind]} ${id}`) as [string, string]
  return a < b ? -1 : Number(a > b)
}

/** The names by which the latest invoices of the student keep those who pay them. */
const namesOfPayers = async (db: ScopedDb, studentId: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await readBounded(
    db
      .selectFrom('invoice')
      .select(['payer_guardian_id', 'kept'])
      .where('student_id', '=', studentId)
      .where('payer_guardian_id', 'is not', null)
      .orderBy('issued_at')
      .orderBy('id'),
    'invoice.id',
  )
  return new Map(rows.map((row) => [row.payer_guardian_id as string, row.kept?.payer?.fullName ?? '']))
}

/** What each payer owed after the postings, those who stand in `entries` or owe something, the first of them first. */
const payersOf = (
  postings: readonly Posting[],
  names: ReadonlyMap<string, string>,
  { currency, from }: { currency: TenantInfo['currency']; from: string | undefined },
) =>
  [...Map.groupBy(postings, ({ payerId }) => payerId)].flatMap(([guardianId, own]) => {
    const balance = exactSum(own.map(({ amount }) => amount))
    if (balance === 0 && !own.some(({ date }) => from === undefined || date >= from)) return []
    const name = guardianId === null ? null : (names.get(guardianId) ?? null)
    return { guardianId, name, balance: money(balance, currency) }
  })

/**
 * What a student owed and paid from `from` to `to`, both inclusive, in one currency. @throws NotFound for the student,
 * SumTooLarge, VALIDATION_ERROR for a period that ends before it begins
 */
export const readStatement = async (
  { db, tenant }: { db: ScopedDb; tenant: TenantInfo },
  studentId: string,
  query: InferOutput<typeof StatementQuery>,
): Promise<InferOutput<typeof Statement>> => {
  const { from, to, currency = tenant.currency } = query
  if (from !== undefined && to !== undefined && to < from) throw invalid(['to'], 'Must not be earlier than from.')
  await checkReached(db, 'student', studentId)
  const asked = { currency, timezone: tenant.timezone }
  const postings = [
    ...(await invoicePostings(db, studentId, asked)),
    ...(await paymentPostings(db, studentId, asked)),
    ...(await creditPostings(db, studentId, asked)),
    ...(await notePostings(db, studentId, asked)),
  ].toSorted(inOrder)
  const isEarlier = ({ date }: Posting): boolean => from !== undefined && date < from
  const opening = exactSum(postings.filter(isEarlier).map(({ amount }) => amount))
  let balance = opening
  const counted = postings.filter(({ date }) => to === undefined || date <= to)
  const entries = counted
    .filter((posting) => !isEarlier(posting))
    .map(({ date, kind, reference, amount }) => {
      balance = exactSum([balance, amount])
      // A posting of 0 stands on the side of its kind.
      const owes = kind === 'invoice' || kind === 'reversal'
      return {
        date,
        kind,
        reference,
        debit: money(owes ? amount : 0, currency),
        credit: money(owes ? 0 : -amount, currency),
        balance: money(balance, currency),
      }
    })
  return {
    studentId,
    currency,
    openingBalance: money(opening, currency),
    entries,
    closingBalance: money(balance, currency),
    held: money(await heldFor(db, studentId, currency), currency),
    payers: payersOf(counted, await namesOfPayers(db, studentId), { currency, from }),
    footer: await readInvoiceFooter(db),
  }
}
