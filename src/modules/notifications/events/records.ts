import { compiledByIds } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

// What the texts say about the records that events name. Each function takes the ids of at most a few hundred records.

/** Makes a function that reads records by their ids, compiled. */
const byId = <Row extends { id: string }>(build: Parameters<typeof compiledByIds<Row>>[0]) => {
  const rows = compiledByIds(build)
  return async (whole: ScopedDb, ids: readonly string[]): Promise<ReadonlyMap<string, Row>> =>
    new Map((await rows(whole, ids)).map((row) => [row.id, row]))
}

/** With the branch of the student, once there is one. */
export const leadsById = byId((whole, ids) =>
  whole
    .selectFrom('lead')
    .leftJoin('student', 'student.id', 'lead.student_id')
    .select(['lead.id', 'lead.created_at', 'lead.unlinked_branch_id', 'student.branch_id'])
    .where('lead.id', 'in', ids),
)

export const groupsById = byId((whole, ids) =>
  whole
    .selectFrom('group')
    .innerJoin('course', 'course.id', 'group.course_id')
    .select(['group.id', 'group.name', 'group.branch_id', 'group.teacher_staff_id', 'course.name as course_name'])
    .where('group.id', 'in', ids),
)

export const sessionsById = byId((whole, ids) =>
  whole
    .selectFrom('session')
    .select(['id', 'group_id', 'status', 'scheduled_start', 'scheduled_end', 'teacher_staff_id', 'cancelled_by'])
    .where('id', 'in', ids),
)

export const invoicesById = byId((whole, ids) =>
  whole
    .selectFrom('invoice')
    .select(['id', 'number', 'branch_id', 'student_id', 'currency', 'due_date', 'total_minor', 'paid_minor'])
    .select(['payer_guardian_id', 'footer'])
    .where('id', 'in', ids),
)

export const invoiceLinesOf = compiledByIds((whole, ids) =>
  whole
    .selectFrom('invoice_line')
    .select(['invoice_id', 'description'])
    .where('invoice_id', 'in', ids)
    .orderBy('invoice_id')
    .orderBy('position'),
)

/** The payments that stand on the receipts of these, themselves among them, in the order of the receipt. */
export const paymentsBesides = compiledByIds((whole, ids) =>
  whole
    .selectFrom('receipt_payment')
    .innerJoin('payment', 'payment.id', 'receipt_payment.payment_id')
    .select(['payment.id', 'payment.invoice_id', 'payment.amount_minor', 'payment.currency', 'payment.method'])
    .select(['payment.received_at', 'payment.created_at', 'receipt_payment.receipt_id'])
    .where('receipt_payment.receipt_id', 'in', (eb) =>
      eb.selectFrom('receipt_payment as asked').select('asked.receipt_id').where('asked.payment_id', 'in', ids),
    )
    .orderBy('payment.id'),
)

export const chequesById = byId((whole, ids) =>
  whole.selectFrom('cheque').select(['id', 'branch_id', 'guardian_id', 'student_id']).where('id', 'in', ids),
)

export const reportsById = byId((whole, ids) =>
  whole.selectFrom('progress_report').select(['id', 'student_id', 'period_start', 'period_end']).where('id', 'in', ids),
)

/** The invoices of the balances that these students came with; who came with credit has none. */
export const openingBalancesOf = compiledByIds((whole, ids) =>
  whole
    .selectFrom('imported_balance')
    .select(['student_id', 'invoice_id as id'])
    .where('invoice_id', 'is not', null)
    .where('imported_balance.student_id', 'in', ids),
)
