import { expressionBuilder } from 'kysely'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'

/*
 * An active grant counts as pending, and its lessons are closed, while an unpaid invoice line refers to it. Each read
 * looks at the invoices, so the code of payments, reversals and voids need not know of grants.
 */

/**
 * The unpaid lines, also of drafts, that refer to the grant of a query on course_enrollment. They are found through the
 * student’s invoices, which are few: a line refers only to grants of its own student.
 */
export const unpaidLine = () =>
  expressionBuilder<Tables, 'course_enrollment'>()
    .selectFrom('invoice')
    .innerJoin('invoice_line', 'invoice_line.invoice_id', 'invoice.id')
    .select('invoice_line.id')
    .whereRef('invoice.student_id', '=', 'course_enrollment.student_id')
    .where('invoice.status', 'not in', ['paid', 'void'])
    .whereRef('invoice_line.course_enrollment_id', '=', 'course_enrollment.id')

/** Those of these grants that are pending. */
const pendingAmong = async (whole: ScopedDb, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await whole
    .selectFrom('course_enrollment')
    .select('course_enrollment.id')
    .where('course_enrollment.id', 'in', ids)
    .where((eb) => eb.exists(unpaidLine()))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Gives the grants the status that they have now. It does not depend on the caller: an unpaid line counts even if its
 * invoice is not within the caller's reach.
 * @param idOf the id of a grant
 */
export const withPending = async <G extends { status: string }>(
  whole: ScopedDb,
  grants: readonly G[],
  idOf: (grant: G) => string,
): Promise<(Omit<G, 'status'> & { status: G['status'] | 'pending' })[]> => {
  const active = grants.filter(({ status }) => status === 'active')
  const pending = await pendingAmong(whole, active.map(idOf))
  return grants.map((grant) => (pending.has(idOf(grant)) ? { ...grant, status: 'pending' } : grant))
}
