import type { SelectQueryBuilder, Simplify } from 'kysely'
import { compiledByKeyInTenant } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { yearOf } from '#kernel/time/zone.ts'
import { numbersMeant, type FoundByNumber } from '#modules/billing/index.ts'
import { fullName } from '#modules/people/index.ts'
import type { Find, Hit } from './find.ts'

/** Papers about money are found by their number alone: its beginning, or its last part. */

/** The numbers by their index. */
interface Slots {
  [exact: number]: string
  from: string
  to: string
  limit: number
}

/** More than there are combinations: with and without numbers, with and without a range. The years change once a year. */
const MAX_COMPILED_QUERIES = 8

interface Papers<DB, TB extends keyof DB, Row> {
  series: FoundByNumber
  /** The column of the number. */
  number: string
  from: (db: ScopedDb) => SelectQueryBuilder<DB, TB, Row>
  hit: (row: Simplify<Row>) => Hit
}

/** The highest numbers first. */
const findPapers = <DB, TB extends keyof DB, Row>({ series, number, from, hit }: Papers<DB, TB, Row>) => {
  const numbered = compiledByKeyInTenant<Simplify<Row>>(MAX_COMPILED_QUERIES)
  /** @param today the date at the institute */
  return (today: () => string): Find =>
    async (db, { q, limit }) => {
      const { exact, range } = numbersMeant(q, yearOf(today()), series)
      if (exact.length === 0 && !range) return []
      const query = {
        key: `${exact.length} ${range ? 'range' : ''}`,
        build: (handle: ScopedDb, slots: Slots) =>
          from(handle)
            .where((eb) => {
              const numbers = exact.map((_, index) => slots[index] as string)
              return eb.or([
                ...(exact.length > 0 ? [eb(number as never, 'in', numbers as never)] : []),
                ...(range ? [eb.between(number as never, slots.from as never, slots.to as never)] : []),
              ])
            })
            .orderBy(number as never, 'desc')
            .limit(slots.limit),
      }
      const [first = '', last = ''] = range ?? []
      const asked = { ...Object.fromEntries(exact.entries()), from: first, to: last, limit: limit + 1 }
      return (await numbered(db, query, asked)).map(hit)
    }
}

export const findInvoices = findPapers({
  series: 'INV',
  number: 'invoice.number',
  from: (db) =>
    db
      .selectFrom('invoice')
      .innerJoin('student', 'student.id', 'invoice.student_id')
      .select(['invoice.id', 'invoice.number', 'student.first_name', 'student.last_name']),
  hit: (row) => ({ id: row.id, label: row.number, sublabel: fullName(row) }),
})

/** A receipt without a payer is of one student, who paid alone. */
export const findReceipts = findPapers({
  series: 'R',
  number: 'receipt.number',
  from: (db) =>
    db.selectFrom('receipt').select(['receipt.id', 'receipt.number', 'receipt.payer_name', 'receipt.students']),
  hit: (row) => ({ id: row.id, label: row.number, sublabel: row.payer_name ?? row.students[0]?.fullName ?? null }),
})

export const findCreditNotes = findPapers({
  series: 'CN',
  number: 'credit_note.number',
  from: (db) =>
    db
      .selectFrom('credit_note')
      .innerJoin('invoice', 'invoice.id', 'credit_note.invoice_id')
      .innerJoin('student', 'student.id', 'invoice.student_id')
      .select(['credit_note.id', 'credit_note.number', 'student.first_name', 'student.last_name']),
  hit: (row) => ({ id: row.id, label: row.number, sublabel: fullName(row) }),
})

export const findRefunds = findPapers({
  series: 'RF',
  number: 'refund.number',
  from: (db) => db.selectFrom('refund').select(['refund.id', 'refund.number', 'refund.kept']),
  hit: (row) => ({ id: row.id, label: row.number, sublabel: row.kept.payer?.fullName ?? null }),
})
