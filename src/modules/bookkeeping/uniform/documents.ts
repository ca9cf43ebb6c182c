import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Address } from '#kernel/values/schema.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { Holder, Method } from '../accounts.ts'
import { inPieces } from '../rows.ts'

/** The papers of a period that the authority asks for. */

/** Their numbers in the list of the authority (appendix 1). */
export const TYPES = { invoice: 300, creditNote: 300, receipt: 400, refund: 410 } as const
export type DocumentKind = keyof typeof TYPES

export interface DocumentLine {
  description: string
  quantity: number
  /** In minor units, without tax. */
  unitPrice: number
  discount: number
  net: number
  taxRatePercent: number
}

/** A paper. Amounts are in minor units; those of a credit note are negative. */
export interface Document {
  kind: DocumentKind
  number: string
  /** The date on the paper, in the institute's time zone. */
  date: string
  /** When it was made. */
  at: string
  branchId: string
  holder: Holder
  name: string
  nationalId: string | null
  address: Address | null
  beforeDiscount: number
  discount: number
  tax: number
  total: number
  isVoid: boolean
  /** Of invoices and credit notes. */
  lines: DocumentLine[]
  /** The invoice that a credit note takes back. */
  base: { number: string; branchId: string } | null
  /** Of receipts and refunds: how it was paid, cheque by cheque. */
  money: Money[]
}

interface Money {
  method: Method
  amount: number
  cheque: { bank: string; branch: string; account: string; number: string; dueOn: string } | null
}

export interface Period {
  currency: Currency
  timezone: string
  /** Dates, both inclusive. */
  from: string
  to: string
}

interface Party {
  fullName: string
  nationalId: string | null
  address: Address | null
}

const partyOf = (party: Party | null | undefined, otherwise: string) => ({
  name: party?.fullName ?? otherwise,
  nationalId: party?.nationalId ?? null,
  address: party?.address ?? null,
})

const linesOf = async (db: ScopedDb, invoiceIds: readonly string[]) =>
  Map.groupBy(
    await db
      .selectFrom('invoice_line')
      .select(['invoice_id', 'description', 'quantity', 'unit_amount_minor', 'discount_minor', 'tax_rate_percent'])
      .select(['tax_minor', 'total_minor'])
      .where('invoice_id', 'in', invoiceIds)
      .orderBy('invoice_id')
      .orderBy('position')
      .execute(),
    (line) => line.invoice_id,
  )

async function* invoiceDocuments(db: ScopedDb, { currency, from, to }: Period): AsyncGenerator<Document> {
  const pieces = inPieces((after, most) =>
    db
      .selectFrom('invoice')
      .select(['id', 'number', 'branch_id', 'student_id', 'payer_guardian_id', 'issue_date', 'issued_at', 'voided_at'])
      .select(['subtotal_minor', 'discount_minor', 'tax_minor', 'total_minor', 'kept'])
      .where('currency', '=', currency)
      .where('issued_at', 'is not', null)
      .where('issue_date', '>=', from)
      .where('issue_date', '<=', to)
      .where('id', '>', after)
      .orderBy('id')
      .limit(most)
      .execute(),
  )
  for await (const rows of pieces) {
    const lines = await linesOf(
      db,
      rows.map(({ id }) => id),
    )
    for (const row of rows) {
      yield {
        kind: 'invoice',
        number: row.number,
        date: row.issue_date,
        at: row.issued_at as string,
        branchId: row.branch_id,
        holder: { guardianId: row.payer_guardian_id, studentId: row.student_id },
        ...partyOf(row.kept?.payer ?? row.kept?.student, ''),
        beforeDiscount: row.subtotal_minor,
        discount: row.discount_minor,
        tax: row.tax_minor,
        total: row.total_minor,
        isVoid: row.voided_at !== null,
        lines: (lines.get(row.id) ?? []).map((line) => ({
          description: line.description,
          quantity: line.quantity,
          unitPrice: line.unit_amount_minor,
          discount: line.discount_minor,
          net: line.total_minor - line.tax_minor,
          taxRatePercent: line.tax_rate_percent,
        })),
        base: null,
        money: [],
      }
    }
  }
}

/** The tax in a part of an invoice, rounded half up. */
const taxIn = (amount: number, { tax_minor: tax, total_minor: total }: { tax_minor: number; total_minor: number }) =>
  total === 0 ? 0 : Number((2n * BigInt(amount) * BigInt(tax) + BigInt(total)) / (2n * BigInt(total)))

async function* creditNoteDocuments(db: ScopedDb, { currency, from, to }: Period): AsyncGenerator<Document> {
  const pieces = inPieces((after, most) =>
    db
      .selectFrom('credit_note')
      .innerJoin('invoice', 'invoice.id', 'credit_note.invoice_id')
      .select(['credit_note.id', 'credit_note.number', 'credit_note.amount_minor', 'credit_note.issue_date'])
      .select(['credit_note.created_at', 'credit_note.reason', 'credit_note.kept', 'invoice.branch_id'])
      .select(['invoice.number as invoice_number', 'invoice.student_id', 'invoice.payer_guardian_id'])
      .select(['invoice.tax_minor', 'invoice.total_minor'])
      .where('invoice.currency', '=', currency)
      .where('credit_note.issue_date', '>=', from)
      .where('credit_note.issue_date', '<=', to)
      .where('credit_note.id', '>', after)
      .orderBy('credit_note.id')
      .limit(most)
      .execute(),
  )
  for await (const rows of pieces) {
    for (const row of rows) {
      const tax = taxIn(row.amount_minor, row)
      const net = tax - row.amount_minor
      yield {
        kind: 'creditNote',
        number: row.number,
        date: row.issue_date,
        at: row.created_at,
        branchId: row.branch_id,
        holder: { guardianId: row.payer_guardian_id, studentId: row.student_id },
        ...partyOf(row.kept.payer ?? row.kept.student, ''),
        beforeDiscount: net,
        discount: 0,
        tax: -tax,
        total: -row.amount_minor,
        isVoid: false,
        lines: [{ description: row.reason, quantity: 1, unitPrice: net, discount: 0, net, taxRatePercent: 0 }],
        base: { number: row.invoice_number, branchId: row.branch_id },
        money: [],
      }
    }
  }
}

/** The instants between which a day of the period lies. */
const instants = ({ from, to, timezone }: Period): { since: string; until: string } => ({
  since: startOfLocalDay(from, timezone),
  until: startOfLocalDay(addDays(to, 1), timezone),
})

const paidWith = async (db: ScopedDb, receiptIds: readonly string[]) => {
  const payments = await db
    .selectFrom('receipt_payment')
    .innerJoin('payment', 'payment.id', 'receipt_payment.payment_id')
    .innerJoin('invoice', 'invoice.id', 'payment.invoice_id')
    .select(['receipt_payment.receipt_id', 'payment.amount_minor', 'payment.currency', 'invoice.branch_id'])
    .where('receipt_payment.receipt_id', 'in', receiptIds)
    .orderBy('payment.id')
    .execute()
  const ahead = await db
    .selectFrom('credit_entry')
    .innerJoin('payer_account', 'payer_account.id', 'credit_entry.account_id')
    .select(['credit_entry.receipt_id', 'credit_entry.amount_minor', 'payer_account.currency'])
    .select('payer_account.branch_id')
    .where('credit_entry.receipt_id', 'in', receiptIds)
    .where('credit_entry.kind', '=', 'received')
    .where('credit_entry.amount_minor', '>', 0)
    .orderBy('credit_entry.id')
    .execute()
  return Map.groupBy([...payments, ...ahead], (part) => part.receipt_id as string)
}

/** The cheques that receipts list, whatever became of them since. */
const chequesOf = async (db: ScopedDb, receiptIds: readonly string[]) =>
  Map.groupBy(
    await db
      .selectFrom('cheque')
      .select(['receipt_id', 'branch_id', 'currency', 'amount_minor', 'bank', 'bank_branch', 'account', 'number'])
      .select('due_on')
      .where('receipt_id', 'in', receiptIds)
      .orderBy('receipt_id')
      .orderBy('due_on')
      .orderBy('id')
      .execute(),
    (cheque) => cheque.receipt_id,
  )

/** A paper about money that was received or paid out. */
const moneyPaper = (amount: number) => ({
  beforeDiscount: amount,
  discount: 0,
  tax: 0,
  total: amount,
  lines: [],
  base: null,
})

async function* receiptDocuments(db: ScopedDb, period: Period): AsyncGenerator<Document> {
  const { since, until } = instants(period)
  const pieces = inPieces((after, most) =>
    db
      .selectFrom('receipt')
      .select(['id', 'number', 'payer_guardian_id', 'payer_name', 'students', 'method', 'kept', 'received_at'])
      .select(['cancelled_at', 'created_at'])
      .where('received_at', '>=', since)
      .where('received_at', '<', until)
      .where('id', '>', after)
      .orderBy('id')
      .limit(most)
      .execute(),
  )
  for await (const rows of pieces) {
    const ids = rows.map(({ id }) => id)
    const [parts, cheques] = [await paidWith(db, ids), await chequesOf(db, ids)]
    for (const row of rows) {
      const listed = cheques.get(row.id) ?? []
      const own = listed.length > 0 ? listed : (parts.get(row.id) ?? [])
      const [first] = own
      if (first?.currency !== period.currency) continue
      const [student] = row.students
      const amount = own.reduce((sum, part) => sum + part.amount_minor, 0)
      yield {
        kind: 'receipt',
        number: row.number,
        date: localDate(row.received_at, period.timezone),
        at: row.created_at,
        branchId: first.branch_id,
        holder: { guardianId: row.payer_guardian_id, studentId: student?.id ?? null },
        ...partyOf(row.kept?.payer, row.payer_name ?? student?.fullName ?? ''),
        ...moneyPaper(amount),
        isVoid: row.cancelled_at !== null,
        money:
          listed.length === 0
            ? [{ method: row.method, amount, cheque: null }]
            : listed.map(({ amount_minor, bank, bank_branch: branch, account, number, due_on: dueOn }) => ({
                method: 'cheque',
                amount: amount_minor,
                cheque: { bank, branch, account, number, dueOn },
              })),
      }
    }
  }
}

async function* refundDocuments(db: ScopedDb, period: Period): AsyncGenerator<Document> {
  const { since, until } = instants(period)
  const pieces = inPieces((after, most) =>
    db
      .selectFrom('refund')
      .select(['id', 'number', 'branch_id', 'guardian_id', 'student_id', 'amount_minor', 'method', 'kept', 'paid_at'])
      .select('created_at')
      .where('currency', '=', period.currency)
      .where('paid_at', '>=', since)
      .where('paid_at', '<', until)
      .where('id', '>', after)
      .orderBy('id')
      .limit(most)
      .execute(),
  )
  for await (const rows of pieces) {
    for (const row of rows) {
      yield {
        kind: 'refund',
        number: row.number,
        date: localDate(row.paid_at, period.timezone),
        at: row.created_at,
        branchId: row.branch_id,
        holder: { guardianId: row.guardian_id, studentId: row.student_id },
        ...partyOf(row.kept.payer, ''),
        ...moneyPaper(row.amount_minor),
        isVoid: false,
        money: [{ method: row.method, amount: row.amount_minor, cheque: null }],
      }
    }
  }
}

/** The papers of a period, kind by kind. */
export async function* documentsOf(db: ScopedDb, period: Period): AsyncGenerator<Document> {
  yield* invoiceDocuments(db, period)
  yield* creditNoteDocuments(db, period)
  yield* receiptDocuments(db, period)
  yield* refundDocuments(db, period)
}
