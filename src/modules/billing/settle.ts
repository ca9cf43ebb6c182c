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

const updatePaid = compiledInTenant((db, { id, paid_minor, credited_minor, status, version, updated_at }: Paid) =>
  db.updateTable('invoice').set({ paid_minor, credited_minor, status, version, updated_at }).where('id', '=', id),
)

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

/**
 * Writes that the balance of a locked invoice is so much less, or more, and so much more of it was credited.
 * @returns it as it is then
 */
export const settle = async (tx: Tx, invoice: InvoiceRow, byMinor: number, creditedMinor = 0): Promise<InvoiceRow> => {
  const settled = invoice.paid_minor + byMinor
  const credited = invoice.credited_minor + creditedMinor
  const changed = {
    paid_minor: settled,
    credited_minor: credited,
    status: statusOf(invoice, { settled, credited, isMore: byMinor >= 0, today: tx.today }),
    version: invoice.version + 1,
    updated_at: tx.now,
  }
  await updatePaid(tx.whole, { id: invoice.id, ...changed })
  return { ...invoice, ...changed }
}
