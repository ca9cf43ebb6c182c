import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { listOf, newestFirst, usedByFrom, type ListContext } from '#runtime/records/lists.ts'
import type { InferOutput } from 'valibot'
import { linesOfOne } from '../of-one.ts'
import { showNote } from './credit-notes.ts'
import type { CreditNote, NoteQuery, RefundQuery } from './note-schemas.ts'
import { showRefund } from './refunds.ts'

const plainNotes = (db: ScopedDb) => db.selectFrom('credit_note')

/** Those of some days are few: they are found by them, and sorted. */
const notesOf = (db: ScopedDb, { from, to }: { from?: string | undefined; to?: string | undefined }) => {
  if (from === undefined && to === undefined) return plainNotes(db)
  return db
    .with(
      (cte) => cte('_issued').materialized(),
      (query) => {
        let issued = (query as unknown as ScopedDb).selectFrom('credit_note').selectAll()
        if (from !== undefined) issued = issued.where('credit_note.issue_date', '>=', from)
        if (to !== undefined) issued = issued.where('credit_note.issue_date', '<=', to)
        return issued
      },
    )
    .selectFrom('_issued as credit_note') as unknown as ReturnType<typeof plainNotes>
}

const notes = listOf({
  order: newestFirst('credit_note'),
  filters: {
    invoiceId: 'credit_note.invoice_id',
    number: 'credit_note.number',
    from: usedByFrom,
    to: usedByFrom,
    branchId: (eb, branchId: string) =>
      eb.exists(
        eb
          .selectFrom('invoice')
          .select('invoice.id')
          .whereRef('invoice.id', '=', 'credit_note.invoice_id' as never)
          .where('invoice.branch_id', '=', branchId),
      ),
    ...linesOfOne,
  },
  from: (db, time) =>
    notesOf(db, time)
      .innerJoin('invoice', 'invoice.id', 'credit_note.invoice_id')
      .selectAll('credit_note')
      .select([
        'invoice.number as invoice_number',
        'invoice.student_id',
        'invoice.payer_guardian_id',
        'invoice.currency',
      ]),
  show: ({ invoice_number: number, ...row }) => showNote(row, { ...row, number }),
})

export const listNotes = (
  context: ListContext<ScopedDb> & { query: InferOutput<typeof NoteQuery> },
): Promise<Page<CreditNote>> => notes(context)

const refunds = listOf({
  order: newestFirst('refund'),
  filters: { guardianId: 'refund.guardian_id', studentId: 'refund.student_id', number: 'refund.number' },
  from: (db) => db.selectFrom('refund').selectAll('refund'),
  show: showRefund,
})

export const listRefunds = (context: ListContext<ScopedDb> & { query: InferOutput<typeof RefundQuery> }) =>
  refunds(context)
