import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Currency } from '#kernel/values/money.ts'

/**
 * What the journal is made of: the records that are never changed, and the invoices that were issued. They are read in
 * small pieces, so that nobody waits. What others refer to is read last, so that it is there whatever is recorded
 * meanwhile.
 */

const PIECE = 1000
/** No id comes before it. */
const LEAST_ID = '00000000-0000-0000-0000-000000000000'

/** All rows in the order of their ids. @param read the next rows after an id */
export async function* inPieces<Row extends { id: string }>(
  read: (after: string, most: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let rows = await read(LEAST_ID, PIECE)
  while (rows.length > 0) {
    yield rows
    if (rows.length < PIECE) return
    rows = await read((rows.at(-1) as Row).id, PIECE)
  }
}

export const readPayments = (db: ScopedDb, currency: Currency) =>
  inPieces((after, most) =>
    db
      .selectFrom('payment')
      .leftJoin('receipt_payment', 'receipt_payment.payment_id', 'payment.id')
      .leftJoin('receipt', 'receipt.id', 'receipt_payment.receipt_id')
      .select(['payment.id', 'payment.invoice_id', 'payment.amount_minor', 'payment.method', 'payment.created_at'])
      .select(['payment.received_at', 'payment.reverses_payment_id', 'receipt.number'])
      .where('payment.currency', '=', currency)
      .where('payment.id', '>', after)
      .orderBy('payment.id')
      .limit(most)
      .execute(),
  )

export const readCreditEntries = (db: ScopedDb, currency: Currency) =>
  inPieces((after, most) =>
    db
      .selectFrom('credit_entry')
      .innerJoin('payer_account', 'payer_account.id', 'credit_entry.account_id')
      .leftJoin('receipt', 'receipt.id', 'credit_entry.receipt_id')
      .leftJoin('refund', 'refund.id', 'credit_entry.refund_id')
      .leftJoin('credit_note', 'credit_note.id', 'credit_entry.credit_note_id')
      .select(['credit_entry.id', 'credit_entry.kind', 'credit_entry.amount_minor', 'credit_entry.invoice_id'])
      .select(['credit_entry.at', 'credit_entry.created_at', 'payer_account.branch_id'])
      .select(['payer_account.guardian_id', 'payer_account.student_id'])
      .select(['receipt.number as receipt_number', 'receipt.method as receipt_method'])
      .select(['refund.number as refund_number', 'refund.method as refund_method'])
      .select(['credit_note.number as note_number', 'credit_entry.reference'])
      .where('payer_account.currency', '=', currency)
      .where('credit_entry.id', '>', after)
      .orderBy('credit_entry.id')
      .limit(most)
      .execute(),
  )

export const readCreditNotes = (db: ScopedDb, currency: Currency) =>
  inPieces((after, most) =>
    db
      .selectFrom('credit_note')
      .innerJoin('invoice', 'invoice.id', 'credit_note.invoice_id')
      .select(['credit_note.id', 'credit_note.invoice_id', 'credit_note.number', 'credit_note.amount_minor'])
      .select(['credit_note.issue_date', 'credit_note.created_at'])
      .where('invoice.currency', '=', currency)
      .where('credit_note.id', '>', after)
      .orderBy('credit_note.id')
      .limit(most)
      .execute(),
  )

/** What invoices were before they were moved to another payer. */
export const readMoves = (db: ScopedDb) =>
  inPieces((after, most) =>
    db
      .selectFrom('replaced_invoice')
      .select(['id', 'created_at', 'invoice_id', 'payer_guardian_id'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(most)
      .execute(),
  )

export const readInvoices = (db: ScopedDb, currency: Currency) =>
  inPieces((after, most) =>
    db
      .selectFrom('invoice')
      .select(['id', 'number', 'branch_id', 'student_id', 'payer_guardian_id', 'issue_date', 'total_minor'])
      .select(['issued_at', 'voided_at'])
      .where('currency', '=', currency)
      .where('issued_at', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(most)
      .execute(),
  )

/** What the lines of these invoices come to, and for which courses they are. */
export const readLines = (db: ScopedDb, invoiceIds: readonly string[]) =>
  db
    .selectFrom('invoice_line')
    .leftJoin('enrollment', 'enrollment.id', 'invoice_line.enrollment_id')
    .leftJoin('group', 'group.id', 'enrollment.group_id')
    .leftJoin('course_enrollment', 'course_enrollment.id', 'invoice_line.course_enrollment_id')
    .select(['invoice_line.invoice_id', 'invoice_line.total_minor', 'invoice_line.tax_minor'])
    .select(['group.course_id', 'course_enrollment.course_id as video_course_id'])
    .where('invoice_line.invoice_id', 'in', invoiceIds)
    .orderBy('invoice_line.invoice_id')
    .orderBy('invoice_line.position')
    .execute()

/** How many invoices of a period are in other currencies. */
export const countInOtherCurrencies = async (
  db: ScopedDb,
  { currency, from, to }: { currency: Currency; from: string; to: string },
): Promise<number> => {
  let count = 0
  const pieces = inPieces((after, most) =>
    db
      .selectFrom('invoice')
      .select('id')
      .where('currency', '!=', currency)
      .where('issued_at', 'is not', null)
      .where('issue_date', '>=', from)
      .where('issue_date', '<=', to)
      .where('id', '>', after)
      .orderBy('id')
      .limit(most)
      .execute(),
  )
  for await (const rows of pieces) count += rows.length
  return count
}

type RowOf<Read extends (...given: never[]) => AsyncIterable<unknown[]>> =
  ReturnType<Read> extends AsyncIterable<(infer Row)[]> ? Row : never

export type PaymentRow = RowOf<typeof readPayments>
export type CreditEntryRow = RowOf<typeof readCreditEntries>
export type CreditNoteRow = RowOf<typeof readCreditNotes>
export type MoveRow = RowOf<typeof readMoves>
export type InvoiceRow = RowOf<typeof readInvoices>
export type LineRow = Awaited<ReturnType<typeof readLines>>[number]
