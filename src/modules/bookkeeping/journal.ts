import { compareDates, localDate } from '#kernel/time/zone.ts'
import type { Currency } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { Chart, type AccountOf, type Holder } from './accounts.ts'
import { inProportion, partsOf, type Parts } from './parts.ts'
import {
  readCreditEntries,
  readCreditNotes,
  readInvoices,
  readLines,
  readMoves,
  readPayments,
  type CreditEntryRow,
  type CreditNoteRow,
  type InvoiceRow,
  type LineRow,
  type MoveRow,
  type PaymentRow,
} from './rows.ts'
import { inTurns } from '#kernel/basics/turns.ts'

/**
 * The books by double entry: each paper debits accounts and credits others by as much. Made of what is recorded, each
 * time anew; what it says of a day that is over does not change.
 */

export const ENTRY_KINDS = [
  'invoice',
  'void',
  'moved',
  'credit_note',
  'receipt',
  'reversal',
  'refund',
  'credit',
  'opened',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** One account that an entry debits (positive) or credits (negative), in minor units. */
export interface Posting {
  account: string
  amountMinor: number
}

export interface Entry {
  kind: EntryKind
  /** The day for which it counts, in the institute's time zone. */
  date: string
  /** When it was recorded. */
  at: string
  /** The number of the paper. */
  number: string
  branchId: string
  /** They come to 0. */
  postings: Posting[]
}

export interface Journal {
  /** From the first day to the last, in the order of days and then as they were recorded. */
  entries: Entry[]
  /** What was on each account before the first day. */
  opening: ReadonlyMap<string, number>
  accounts: ReadonlyMap<string, AccountOf>
}

interface Asked {
  db: ScopedDb
  currency: Currency
  timezone: string
  /** Dates, both inclusive. */
  from: string
  to: string
}

interface Recorded {
  payments: PaymentRow[]
  entries: CreditEntryRow[]
  notes: CreditNoteRow[]
  moves: MoveRow[]
  invoices: InvoiceRow[]
}

const all = async <Row>(pieces: AsyncIterable<Row[]>): Promise<Row[]> => {
  const rows: Row[] = []
  for await (const piece of pieces) rows.push(...piece)
  return rows
}

const readRecorded = async ({ db, currency }: Asked): Promise<Recorded> => ({
  payments: await all(readPayments(db, currency)),
  entries: await all(readCreditEntries(db, currency)),
  notes: await all(readCreditNotes(db, currency)),
  moves: await all(readMoves(db)),
  invoices: await all(readInvoices(db, currency)),
})

const LINES_OF = 300

const readParts = async (
  db: ScopedDb,
  invoices: readonly InvoiceRow[],
  chart: Chart,
): Promise<ReadonlyMap<string, Parts>> => {
  const lines: LineRow[] = []
  for (let at = 0; at < invoices.length; at += LINES_OF) {
    lines.push(
      ...(await readLines(
        db,
        invoices.slice(at, at + LINES_OF).map(({ id }) => id),
      )),
    )
  }
  return new Map([...Map.groupBy(lines, (line) => line.invoice_id)].map(([id, own]) => [id, partsOf(own, chart)]))
}

/** An invoice with all that happens to it. */
class Bill {
  readonly #row: InvoiceRow
  /** The earliest first. */
  readonly #moves: readonly MoveRow[]
  readonly #chart: Chart
  readonly #owed: { at: string; amount: number }[] = []

  constructor(row: InvoiceRow, moves: readonly MoveRow[], chart: Chart) {
    this.#row = row
    this.#chart = chart
    this.#moves = moves.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))
  }

  get row(): InvoiceRow {
    return this.#row
  }

  /** Who was to pay it then. */
  #holderAt(at: string): Holder {
    const next = this.#moves.find((move) => move.created_at > at)
    const guardianId = next ? next.payer_guardian_id : this.#row.payer_guardian_id
    return { guardianId, studentId: this.#row.student_id }
  }

  /** Debits who was to pay it then; a negative amount credits them. */
  owe(at: string, amountMinor: number): Posting {
    if (this.#moves.length > 0) this.#owed.push({ at, amount: amountMinor })
    return { account: this.#chart.payer(this.#holderAt(at)), amountMinor }
  }

  /** What was open went from one payer to the next. Call it when all is counted. */
  transfers(): { at: string; postings: Posting[] }[] {
    return this.#moves.flatMap(({ created_at: at, payer_guardian_id: guardianId }) => {
      const open = this.#owed.filter((one) => one.at < at).reduce((sum, { amount }) => sum + amount, 0)
      const from = this.#chart.payer({ guardianId, studentId: this.#row.student_id })
      const to = this.#chart.payer(this.#holderAt(at))
      if (open === 0 || from === to) return []
      return [
        {
          at,
          postings: [
            { account: to, amountMinor: open },
            { account: from, amountMinor: -open },
          ],
        },
      ]
    })
  }
}

/** The postings of a sum that has two sides, without those of 0. */
const credited = (parts: Parts): Posting[] => [...parts].map(([account, part]) => ({ account, amountMinor: -part }))
const debited = (parts: Parts): Posting[] => [...parts].map(([account, amountMinor]) => ({ account, amountMinor }))

class Books {
  readonly entries: Entry[] = []
  readonly #timezone: string
  readonly #chart: Chart
  readonly #bills: ReadonlyMap<string, Bill>
  readonly #parts: ReadonlyMap<string, Parts>

  constructor(
    { invoices, moves }: Recorded,
    { parts, chart, timezone }: { parts: ReadonlyMap<string, Parts>; chart: Chart; timezone: string },
  ) {
    const movesOf = Map.groupBy(moves, (move) => move.invoice_id)
    this.#timezone = timezone
    this.#chart = chart
    this.#parts = parts
    this.#bills = new Map(invoices.map((row) => [row.id, new Bill(row, movesOf.get(row.id) ?? [], chart)]))
  }

  #day(at: string): string {
    return localDate(at, this.#timezone)
  }

  #add(entry: Entry): void {
    const postings = entry.postings.filter(({ amountMinor }) => amountMinor !== 0)
    if (postings.length > 0) this.entries.push({ ...entry, postings })
  }

  async #invoices(): Promise<void> {
    for await (const bill of inTurns(this.#bills.values())) {
      const { id, number, branch_id: branchId, issue_date: date, total_minor: total, voided_at, ...row } = bill.row
      const parts = this.#parts.get(id) ?? new Map<string, number>()
      const at = row.issued_at as string
      this.#add({ kind: 'invoice', date, at, number, branchId, postings: [bill.owe(at, total), ...credited(parts)] })
      if (voided_at === null) continue
      // An invoice that is dated ahead cannot be void before it is owed.
      const voidedOn = this.#day(voided_at)
      this.#add({
        kind: 'void',
        date: compareDates(voidedOn, date) < 0 ? date : voidedOn,
        at: voided_at,
        number,
        branchId,
        postings: [...debited(parts), bill.owe(voided_at, -total)],
      })
    }
  }

  async #payments(payments: readonly PaymentRow[]): Promise<void> {
    const numbers = new Map(payments.map((payment) => [payment.id, payment.number]))
    for await (const payment of inTurns(payments)) {
      const bill = this.#bills.get(payment.invoice_id)
      if (!bill) continue
      const { amount_minor: amount, created_at: at, reverses_payment_id: reverses } = payment
      this.#add({
        kind: reverses === null ? 'receipt' : 'reversal',
        date: this.#day(payment.received_at),
        at,
        number: numbers.get(reverses ?? payment.id) ?? bill.row.number,
        branchId: bill.row.branch_id,
        postings: [{ account: this.#chart.money(payment.method), amountMinor: amount }, bill.owe(at, -amount)],
      })
    }
  }

  async #notes(notes: readonly CreditNoteRow[]): Promise<void> {
    for await (const note of inTurns(notes)) {
      const { invoice_id: invoiceId, number, amount_minor: amount, issue_date: date, created_at: at } = note
      const bill = this.#bills.get(invoiceId)
      if (!bill) continue
      const parts = inProportion(this.#parts.get(invoiceId) ?? new Map<string, number>(), amount)
      const postings = [...debited(parts), bill.owe(at, -amount)]
      this.#add({ kind: 'credit_note', date, at, number, branchId: bill.row.branch_id, postings })
    }
  }

  async #creditEntries(entries: readonly CreditEntryRow[]): Promise<void> {
    for await (const entry of inTurns(entries)) {
      const { amount_minor: amount, created_at: at, branch_id: branchId, kind } = entry
      const holder = { guardianId: entry.guardian_id, studentId: entry.student_id }
      const own: Posting = { account: this.#chart.payer(holder), amountMinor: -amount }
      const date = this.#day(entry.at)
      if (kind === 'received') {
        const money = { account: this.#chart.money(entry.receipt_method ?? 'other'), amountMinor: amount }
        const number = entry.receipt_number ?? ''
        this.#add({ kind: amount < 0 ? 'reversal' : 'receipt', date, at, number, branchId, postings: [money, own] })
      } else if (kind === 'opened') {
        const opening = { account: this.#chart.opening(), amountMinor: amount }
        const number = entry.reference ?? ''
        this.#add({ kind: 'opened', date, at, number, branchId, postings: [opening, own] })
      } else if (kind === 'refunded') {
        const money = { account: this.#chart.money(entry.refund_method ?? 'other'), amountMinor: amount }
        this.#add({ kind: 'refund', date, at, number: entry.refund_number ?? '', branchId, postings: [own, money] })
      } else {
        const bill = this.#bills.get(entry.invoice_id ?? '')
        if (!bill) continue
        const postings = [own, bill.owe(at, amount)]
        // Within one account nothing moves.
        if (postings[0]?.account === postings[1]?.account) continue
        this.#add({ kind: 'credit', date, at, number: entry.note_number ?? bill.row.number, branchId, postings })
      }
    }
  }

  async #moved(): Promise<void> {
    for await (const bill of inTurns(this.#bills.values())) {
      for (const { at, postings } of bill.transfers()) {
        const { number, branch_id: branchId } = bill.row
        this.#add({ kind: 'moved', date: this.#day(at), at, number, branchId, postings })
      }
    }
  }

  async keep({ payments, notes, entries }: Recorded): Promise<void> {
    await this.#invoices()
    await this.#payments(payments)
    await this.#notes(notes)
    await this.#creditEntries(entries)
    await this.#moved()
  }
}

const inOrder = (one: Entry, other: Entry): number => {
  const [a, b] = [one, other].map(({ date, at, number, kind }) => `${date} ${at} ${number} ${kind}`) as [string, string]
  return a < b ? -1 : Number(a > b)
}

/** The journal of a period in one currency, with what was on the accounts before. @throws SumTooLarge */
export const readJournal = async (asked: Asked): Promise<Journal> => {
  const recorded = await readRecorded(asked)
  const chart = new Chart()
  const parts = await readParts(asked.db, recorded.invoices, chart)
  const books = new Books(recorded, { parts, chart, timezone: asked.timezone })
  await books.keep(recorded)
  const opening = new Map<string, number>()
  const within: Entry[] = []
  for await (const entry of inTurns(books.entries)) {
    if (compareDates(entry.date, asked.from) >= 0) {
      if (compareDates(entry.date, asked.to) <= 0) within.push(entry)
      continue
    }
    for (const { account, amountMinor } of entry.postings) {
      opening.set(account, exactSum([opening.get(account) ?? 0, amountMinor]))
    }
  }
  return { entries: within.toSorted(inOrder), opening, accounts: chart.accounts }
}
