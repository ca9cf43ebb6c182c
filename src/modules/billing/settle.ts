import { compiledByIds, compiledInTenant } from '#db/queries/compiled.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { InvoiceRow } from './invoices.ts'
import type { InvoiceStatus } from './tables.ts'

const invoicesById = compiledByIds((db, ids) =>
  forNoKeyUpdate(db, db.selectFrom('invoice').selectAll().where('id', 'in', ids).orderBy('id')),
)

/** Locks several invoices, in one order for all who do. */
export const lockInvoices = async (db: ScopedDb, ids: readonly string[]): Promise<ReadonlyMap<string, InvoiceRow>> =>
  new Map(ids.length === 0 ? [] : (await invoicesById(db, [...ids])).map((invoice) => [invoice.id, invoice]))

type Paid = Pick<InvoiceRow, 'id' | 'paid_minor' | 'credited_minor' | 'status' | 'version' | 'updated_at'>

const updateOne = compiledInTenant((db, { id, paid_minor, credited_minor, status, version, updated_at }: Paid) =>
  db.updateTable('invoice').set({ paid_minor, credited_minor, status, version, updated_at }).where('id', '=', id),
)

/** Writes what was settled of several invoices, each with its own figures, in one statement. */
const updateSeveral = (db: ScopedDb, rows: readonly Paid[]): Promise<unknown> =>
  db
    .updateTable('invoice')
    .set((eb) => {
      const eachWith = <C extends Exclude<keyof Paid, 'id'>>(column: C) => {
        const [first, ...others] = rows as [Paid, ...Paid[]]
        let of = eb.case('id').when(first.id).then(first[column])
        for (const row of others) of = of.when(row.id).then(row[column])
        // Postgres takes the values for ones of the column’s type.
        return of.else(eb.ref(column)).end()
      }
      return {
        paid_minor: eachWith('paid_minor'),
        credited_minor: eachWith('credited_minor'),
        status: eachWith('status'),
        version: eachWith('version'),
        updated_at: eachWith('updated_at'),
      }
    })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()

/** The status of an invoice of which this is paid. A payment does not make it overdue: the sweep does, with its event. */
const statusOf = (
  invoice: InvoiceRow,
  { settled, credited, isMore, today }: { settled: number; credited: number; isMore: boolean; today: string },
): InvoiceStatus => {
  if (settled === invoice.total_minor) return 'paid'
  const isOverdue = isMore ? invoice.status === 'overdue' : invoice.due_date < today
  if (isOverdue) return 'overdue'
  return settled > credited ? 'partially_paid' : 'issued'
}

/** A locked invoice, by how much less its balance is, or with a minus more, and how much more of it was credited. */
interface Settled {
  invoice: InvoiceRow
  byMinor: number
  creditedMinor?: number
}

const changedBy = (tx: Tx, { invoice, byMinor, creditedMinor = 0 }: Settled) => {
  const settled = invoice.paid_minor + byMinor
  const credited = invoice.credited_minor + creditedMinor
  return {
    paid_minor: settled,
    credited_minor: credited,
    status: statusOf(invoice, { settled, credited, isMore: byMinor >= 0, today: tx.today }),
    version: invoice.version + 1,
    updated_at: tx.now,
  }
}

/** Writes what is settled of several invoices, none of which stands there twice. @returns them as they are then */
export const settleAll = async (tx: Tx, all: readonly Settled[]): Promise<InvoiceRow[]> => {
  const settled = all.map((one) => ({ ...one.invoice, ...changedBy(tx, one) }))
  const [first, second] = settled
  if (second) await updateSeveral(tx.whole, settled)
  else if (first) await updateOne(tx.whole, first)
  return settled
}

/** Writes what is settled of one invoice. @returns it as it is then */
export const settle = async (tx: Tx, invoice: InvoiceRow, byMinor: number, creditedMinor = 0): Promise<InvoiceRow> => {
  const [settled] = await settleAll(tx, [{ invoice, byMinor, creditedMinor }])
  return settled as InvoiceRow
}
