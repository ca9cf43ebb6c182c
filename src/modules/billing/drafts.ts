import { isDeepStrictEqual } from 'node:util'
import type { InferOutput } from 'valibot'
import { forKeyShare } from '#db/dialect.ts'
import { Forbidden, invalid, NotFound } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, yearOf } from '#kernel/time/zone.ts'
import { readSettings } from '#modules/settings/index.ts'
import { studentRecord } from '#modules/people/index.ts'
import { lockCurrency, nextNumber } from '#modules/tenants/index.ts'
import { inBatches } from '#runtime/change/batches.ts'
import { changeRecord, findRow, insertRow, lockReferencedRow, lockRow } from '#runtime/records/records.ts'
import { amountsProblem, invoiceTotals, lineAmounts, type LineInput } from '#shared/amounts.ts'
import { ClosedYear, NotADraft } from './failures.ts'
import { invoiceRecord, readInvoice } from './invoices.ts'
import { numberOf } from './numbers.ts'
import type { InvoiceChanges, InvoiceDetail, NewInvoice, NewLine } from './schemas.ts'
import { checkRoomForInvoice } from './sums.ts'

/**
 * Refuses lines that refer to records which do not exist or belong to another student, and locks the others so that they
 * stay.
 * @throws NotFound
 */
const checkLineReferences = async ({ db }: Tx, studentId: string, lines: readonly NewLine[]): Promise<void> => {
  const enrollmentIds = [...new Set(lines.flatMap((line) => line.enrollmentId ?? []))]
  if (enrollmentIds.length > 0) {
    const enrollments = db.selectFrom('enrollment').select('id').where('id', 'in', enrollmentIds)
    const ofStudent = enrollments.where('student_id', '=', studentId).orderBy('id')
    if ((await forKeyShare(db, ofStudent).execute()).length !== enrollmentIds.length) throw NotFound()
  }
  const grantIds = [...new Set(lines.flatMap((line) => line.courseEnrollmentId ?? []))]
  if (grantIds.length > 0) {
    const grants = db.selectFrom('course_enrollment').select('id').where('id', 'in', grantIds)
    const ofStudent = grants.where('student_id', '=', studentId).orderBy('id')
    if ((await forKeyShare(db, ofStudent).execute()).length !== grantIds.length) throw NotFound()
  }
  const scheduleIds = feeScheduleIdsOf(lines)
  if (scheduleIds.length > 0) {
    const schedules = db.selectFrom('fee_schedule').select('id').where('id', 'in', scheduleIds).orderBy('id')
    if ((await forKeyShare(db, schedules).execute()).length !== scheduleIds.length) throw NotFound()
  }
}

const feeScheduleIdsOf = (lines: readonly NewLine[]): string[] => [
  ...new Set(lines.flatMap((line) => line.feeScheduleId ?? [])),
]

/**
 * Locks the student before lines are written. A line with a fee schedule takes the lock that billing runs take too, so
 * that the two run one after the other. Other lines only keep the student from being deleted.
 */
const lockStudent = async (db: ScopedDb, studentId: string, lines: readonly NewLine[]) => {
  return feeScheduleIdsOf(lines).length > 0
    ? lockRow({ db }, studentRecord, studentId)
    : lockReferencedRow({ db }, studentRecord, studentId)
}

/** @throws VALIDATION_ERROR at the wrong line, or at `lines` for an invoice that is too large */
export const computed = (lines: readonly LineInput[]) => {
  const problem = amountsProblem(lines)
  if (problem?.reason === 'discount_above_line') {
    throw invalid(['lines', problem.line, 'discountMinor'], 'Must be at most the line.')
  }
  if (problem) throw invalid(['lines'], 'The invoice must come to at most 1000000000000 minor units.')
  const amounts = lines.map(lineAmounts)
  const totals = invoiceTotals(amounts)
  return {
    amounts,
    totals: {
      subtotalMinor: totals.subtotal,
      discountMinor: totals.discount,
      taxMinor: totals.tax,
      totalMinor: totals.total,
    },
  }
}

/** The row of the line at that position; `amounts` are those of all lines of the invoice. */
export const lineRow = (
  tx: Tx,
  invoiceId: string,
  { line, position, amounts }: { line: NewLine; position: number; amounts: readonly { tax: number; total: number }[] },
) => ({
  id: tx.id(),
  invoice_id: invoiceId,
  position,
  description: line.description,
  quantity: line.quantity,
  unit_amount_minor: line.unitAmountMinor,
  discount_minor: line.discountMinor,
  tax_rate_percent: line.taxRatePercent,
  tax_minor: amounts[position]?.tax ?? 0,
  total_minor: amounts[position]?.total ?? 0,
  enrollment_id: line.enrollmentId ?? null,
  fee_schedule_id: line.feeScheduleId ?? null,
  course_enrollment_id: line.courseEnrollmentId ?? null,
  sibling_place: line.siblingPlace ?? null,
})

export const insertLineRows = (tx: Tx, rows: readonly ReturnType<typeof lineRow>[]): Promise<void> =>
  inBatches(rows, (batch) => tx.db.insertInto('invoice_line').values(batch).execute())

const insertLines = (
  tx: Tx,
  invoiceId: string,
  lines: readonly NewLine[],
  amounts: readonly { tax: number; total: number }[],
): Promise<void> =>
  insertLineRows(
    tx,
    lines.map((line, position) => lineRow(tx, invoiceId, { line, position, amounts })),
  )

/**
 * A year that is over was told to the tax office: nobody writes into it by a slip of the hand.
 * @throws ClosedYear, FORBIDDEN for those who are no owners
 */
export const checkYear = (
  tx: Tx,
  { issueDate, closedYear }: InferOutput<typeof NewInvoice>,
  { isOwner }: { isOwner: boolean },
): void => {
  if (issueDate === undefined || yearOf(issueDate) >= yearOf(tx.today)) return
  if (closedYear !== true) throw ClosedYear()
  if (!isOwner) throw Forbidden({ reason: 'owner_only' })
}

/**
 * Makes a draft. Its number is the next one of the year of its issue date. Numbers have no gaps: the counter is locked
 * until the commit, and drafts are voided, never deleted.
 * @throws NotFound for the student or a record that a line refers to, SumsFull, VALIDATION_ERROR
 */
export const createInvoice = async (tx: Tx, body: InferOutput<typeof NewInvoice>): Promise<InvoiceDetail> => {
  // The institute is locked before the student.
  const currency = await lockCurrency(tx)
  const student = await lockStudent(tx.db, body.studentId, body.lines)
  await checkLineReferences(tx, body.studentId, body.lines)
  const { amounts, totals } = computed(body.lines)
  await checkRoomForInvoice(tx.whole, totals.totalMinor)
  const issueDate = body.issueDate ?? tx.today
  const dueDate = body.dueDate ?? addDays(issueDate, (await readSettings(tx.whole)).invoiceDueDays)
  const year = yearOf(issueDate)
  const serial = await nextNumber(tx.whole, `invoice ${year}`)
  const { id } = await insertRow(tx, invoiceRecord, {
    branchId: student.branch_id,
    studentId: body.studentId,
    number: numberOf('INV', year, serial),
    status: 'draft',
    issueDate,
    dueDate,
    currency: body.currency ?? currency,
    ...totals,
    notes: body.notes,
  })
  await insertLines(tx, id, body.lines, amounts)
  const invoice = await readInvoice(tx.db, id)
  tx.audit({ entityType: 'invoice', entityId: id, after: invoice })
  return invoice
}

/** Whether an invoice already has exactly these lines. */
const hasLines = ({ lines }: InvoiceDetail, given: readonly NewLine[]): boolean =>
  isDeepStrictEqual(
    lines.map((line) => [
      line.description,
      line.quantity,
      line.unitAmount.amountMinor,
      line.discount.amountMinor,
      line.taxRatePercent,
      line.enrollmentId,
      line.feeScheduleId,
      line.courseEnrollmentId,
      line.siblingPlace,
    ]),
    given.map((line) => [
      line.description,
      line.quantity,
      line.unitAmountMinor,
      line.discountMinor,
      line.taxRatePercent,
      line.enrollmentId ?? null,
      line.feeScheduleId ?? null,
      line.courseEnrollmentId ?? null,
      line.siblingPlace ?? null,
    ]),
  )

/** Replaces the invoice's lines. @throws NotFound, VALIDATION_ERROR. @returns the new totals */
const replaceLines = async (tx: Tx, invoice: InvoiceDetail, lines: readonly NewLine[]) => {
  const { amounts, totals } = computed(lines)
  await checkLineReferences(tx, invoice.studentId, lines)
  await tx.db.deleteFrom('invoice_line').where('invoice_id', '=', invoice.id).execute()
  await insertLines(tx, invoice.id, lines, amounts)
  return totals
}

/** @throws NotFound, NotADraft, VersionConflict, SumsFull, VALIDATION_ERROR for an issue date in another year than its number */
export const changeInvoice = async (
  tx: Tx,
  id: string,
  { version, lines, ...body }: InferOutput<typeof InvoiceChanges>,
): Promise<InvoiceDetail> => {
  // The student never changes. Students are locked before their invoices.
  if (lines) await lockStudent(tx.whole, (await findRow(tx.db, invoiceRecord, id)).student_id, lines)
  const row = await lockRow(tx, invoiceRecord, id, version)
  if (row.status !== 'draft') throw NotADraft()
  if (body.issueDate && yearOf(body.issueDate) !== yearOf(row.issue_date)) {
    throw invalid(['issueDate'], 'Must stay in the year of the invoice’s number.')
  }
  const before = await readInvoice(tx.db, id)
  if (lines === undefined || hasLines(before, lines)) return changeRecord(tx, invoiceRecord, row, body, { before })
  const totals = await replaceLines(tx, before, lines)
  await checkRoomForInvoice(tx.whole, totals.totalMinor, row.total_minor)
  return changeRecord(tx, invoiceRecord, row, { ...body, ...totals }, { before, partsChanged: true })
}
