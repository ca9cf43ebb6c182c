import { money } from '#kernel/values/money.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { listOf, newestFirst, type ListContext } from '#runtime/records/lists.ts'
import { findCloseRow, showClose, tillOwner, type ClosesSeen } from './close.ts'
import type { TillClose, TillCloseQuery, TillEntry, TillEntryQuery } from './schemas.ts'

const closes = listOf({
  order: newestFirst('till_close'),
  filters: { userId: 'till_close.user_id' },
  from: (db) => db.selectFrom('till_close').selectAll('till_close'),
  show: showClose,
})

/** All that are within reach by reports.read; without it, the caller’s own. */
export const listCloses = async ({
  query,
  ...context
}: ListContext<ScopedDb> & ClosesSeen & { query: TillCloseQuery }): Promise<Page<TillClose>> => {
  const { caller, whole, cursors, reachedBy } = context
  const own = tillOwner(caller)
  const reports = query.userId === own ? undefined : await reachedBy('reports.read')
  if (reports) return closes({ db: reports, cursors, query })
  if (query.userId !== undefined && query.userId !== own) return { data: [], nextCursor: null }
  return closes({ db: whole, cursors, query: { ...query, userId: own } })
}

const entriesWithPapers = (db: ScopedDb) =>
  db
    .selectFrom('till_entry')
    .leftJoin('payment', 'payment.id', 'till_entry.payment_id')
    .leftJoin('receipt_payment', (join) =>
      join.on((eb) =>
        eb('receipt_payment.payment_id', '=', eb.fn.coalesce('payment.reverses_payment_id', 'payment.id')),
      ),
    )
    .leftJoin('credit_entry', 'credit_entry.id', 'till_entry.credit_entry_id')
    .leftJoin('cheque', 'cheque.id', 'till_entry.cheque_id')
    .leftJoin('receipt', (join) =>
      join.on((eb) =>
        eb(
          'receipt.id',
          '=',
          eb.fn.coalesce('receipt_payment.receipt_id', 'credit_entry.receipt_id', 'cheque.receipt_id'),
        ),
      ),
    )
    .leftJoin('refund', 'refund.id', 'till_entry.refund_id')
    .selectAll('till_entry')
    .select(['receipt.id as receipt_id', 'receipt.number as receipt_number', 'receipt.payer_name', 'receipt.students'])
    .select(['refund.number as refund_number', 'refund.kept'])

type EntryRow = Awaited<ReturnType<ReturnType<typeof entriesWithPapers>['execute']>>[number]

const kindOf = ({ refund_id: refundId, cheque_id: chequeId, amount_minor: amount }: EntryRow): TillEntry['kind'] => {
  if (chequeId !== null) return amount < 0 ? 'given_back' : 'held'
  if (refundId !== null) return 'refunded'
  return amount < 0 ? 'reversed' : 'received'
}

const showEntry = (row: EntryRow): TillEntry => ({
  id: row.id,
  kind: kindOf(row),
  method: row.method,
  amount: money(row.amount_minor, row.currency),
  number: row.refund_number ?? row.receipt_number,
  payerName: row.kept?.payer?.fullName ?? row.payer_name ?? row.students?.[0]?.fullName ?? null,
  receiptId: row.receipt_id,
  createdAt: row.created_at,
})

const counted = listOf({
  order: newestFirst('till_entry'),
  filters: { closeId: 'till_entry.close_id' },
  from: (db) => entriesWithPapers(db).where('till_entry.close_id', 'is not', null),
  show: showEntry,
})

const open = listOf({
  order: newestFirst('till_entry'),
  filters: { userId: 'till_entry.user_id' },
  from: (db) => entriesWithPapers(db).where('till_entry.close_id', 'is', null),
  show: showEntry,
})

/** What a close counted that the caller may see, or what lies in the caller’s till now. */
export const listEntries = async ({
  query: { closeId, ...query },
  ...context
}: ListContext<ScopedDb> & ClosesSeen & { query: TillEntryQuery }): Promise<Page<TillEntry>> => {
  const { caller, whole, cursors } = context
  if (closeId === undefined) return open({ db: whole, cursors, query: { ...query, userId: tillOwner(caller) } })
  if (!(await findCloseRow(context, closeId))) return { data: [], nextCursor: null }
  return counted({ db: whole, cursors, query: { ...query, closeId } })
}
