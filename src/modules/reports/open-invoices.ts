import { constant } from '#db/dialect.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { OPEN } from '#modules/billing/index.ts'
import type { DebtsReportQuery } from './schemas.ts'

/** The invoices of which something is still to be paid. */
export const openInvoices = (db: ScopedDb, { branchId, groupId, courseId }: DebtsReportQuery) => {
  let open = db.selectFrom('invoice').where('invoice.status', 'in', OPEN.map(constant))
  if (branchId !== undefined) open = open.where('invoice.branch_id', '=', branchId)
  // A debt is of a group, or a course, where its student is charged for it on the invoice.
  if (groupId !== undefined || courseId !== undefined) {
    open = open.where('invoice.id', 'in', (eb) => {
      const lines = eb
        .selectFrom('invoice_line')
        .innerJoin('enrollment', 'enrollment.id', 'invoice_line.enrollment_id')
        .innerJoin('group', 'group.id', 'enrollment.group_id')
        .select('invoice_line.invoice_id')
      const ofGroup = groupId === undefined ? lines : lines.where('group.id', '=', groupId)
      return courseId === undefined ? ofGroup : ofGroup.where('group.course_id', '=', courseId)
    })
  }
  return open
}
