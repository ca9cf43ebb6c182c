import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { foldQuery } from '#shared/text.ts'
import { listOf, type Conditions, type ListContext } from '#runtime/records/lists.ts'
import { showCheques } from './cheque.ts'
import type { Cheque, ChequeQuery } from './schemas.ts'

const ofStudent = (eb: Conditions, studentId: string) =>
  eb.or([
    eb('cheque.student_id', '=', studentId),
    eb(
      'cheque.id',
      'in',
      eb
        .selectFrom('cheque_part')
        .innerJoin('invoice', 'invoice.id', 'cheque_part.invoice_id')
        .select('cheque_part.cheque_id')
        .where('invoice.student_id', '=', studentId),
    ),
  ])

const cheques = listOf({
  search: { table: 'cheque', fold: foldQuery },
  filters: {
    status: 'cheque.status',
    dueFrom: (eb: Conditions, from: string) => eb('cheque.due_on', '>=', from),
    dueTo: (eb: Conditions, to: string) => eb('cheque.due_on', '<=', to),
    guardianId: 'cheque.guardian_id',
    studentId: ofStudent,
    branchId: 'cheque.branch_id',
    receiptId: 'cheque.receipt_id',
    depositId: 'cheque.deposit_id',
  },
  from: (db) => db.selectFrom('cheque').selectAll('cheque'),
  order: {
    columns: ['cheque.due_on', 'cheque.id'],
    direction: 'asc',
    position: (row) => [row.due_on, row.id],
  },
  show: (row) => row,
})

/** By their day. */
export const listCheques = async (
  context: ListContext<ScopedDb> & { query: ChequeQuery; whole: ScopedDb },
): Promise<Page<Cheque>> => {
  const page = await cheques(context)
  return { ...page, data: await showCheques(context.whole, page.data) }
}
