import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { listOf, newestFirst, type ListContext } from '#runtime/records/lists.ts'
import type { InferOutput } from 'valibot'
import { showNote } from './credit-notes.ts'
import type { CreditNote, NoteQuery, RefundQuery } from './note-schemas.ts'
import { showRefund } from './refunds.ts'

const notes = listOf({
  order: newestFirst('credit_note'),
  filters: { invoiceId: 'credit_note.invoice_id' },
  from: (db) =>
    db
      .selectFrom('credit_note')
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
  filters: { guardianId: 'refund.guardian_id', studentId: 'refund.student_id' },
  from: (db) => db.selectFrom('refund').selectAll('refund'),
  show: showRefund,
})

export const listRefunds = (context: ListContext<ScopedDb> & { query: InferOutput<typeof RefundQuery> }) =>
  refunds(context)
