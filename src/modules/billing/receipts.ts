import type { Insertable } from 'kysely'
import { compiledByIds, compiledInsert, compiledInTenant } from '#db/compiled.ts'
import { found } from '#kernel/values/errors.ts'
import { money, type Currency } from '#kernel/values/money.ts'
import { searchedText } from '#shared/names.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { yearOf } from '#kernel/time/zone.ts'
import { fullName } from '#modules/people/index.ts'
import { nextNumber } from '#modules/tenants/index.ts'
import { lockRow, recordOf, type Row } from '#runtime/records/records.ts'
import { PayersDiffer } from './failures.ts'
import { toPayment, type PaymentRow } from './invoices.ts'
import { numberOf } from './numbers.ts'
import type { Receipt } from './receipt-schemas.ts'

export type ReceiptRow = Row<'receipt'>

const studentsWithPayers = compiledByIds((db, ids) =>
  db
    .selectFrom('student')
    .leftJoin('guardian_link', (join) =>
      join.onRef('guardian_link.student_id', '=', 'student.id').on('guardian_link.is_payer', '=', true),
    )
    .leftJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select(['student.id', 'student.first_name', 'student.last_name'])
    .select(['guardian.id as payer_id', 'guardian.first_name as payer_first', 'guardian.last_name as payer_last'])
    .where('student.id', 'in', ids)
    .orderBy('student.id'),
)

/** Whose invoices are paid, and by whom. */
export interface Payers {
  students: { id: string; fullName: string }[]
  payer: { id: string; fullName: string } | null
}

/**
 * The students, whatever branch they are in now, and the guardian who is the payer of record of each of them.
 * @throws PayersDiffer for several students who have not all the same one
 */
export const payersOf = async (whole: ScopedDb, studentIds: readonly string[]): Promise<Payers> => {
  const rows = await studentsWithPayers(whole, studentIds)
  const first = found(rows[0])
  if (rows.length > 1 && (first.payer_id === null || rows.some(({ payer_id: id }) => id !== first.payer_id))) {
    throw PayersDiffer({
      issues: [{ path: ['allocations'], message: 'Must be invoices of one student, or of students with one payer.' }],
    })
  }
  const payer = { first_name: first.payer_first ?? '', last_name: first.payer_last ?? '' }
  return {
    students: rows.map((row) => ({ id: row.id, fullName: fullName(row) })),
    payer: first.payer_id === null ? null : { id: first.payer_id, fullName: fullName(payer) },
  }
}

const searchedBy = (students: Payers['students'], payer: Payers['payer']): string =>
  searchedText([...students, ...(payer ? [payer] : [])].map((person) => person.fullName).join(' '))

const insertReceipt = compiledInsert((db: ScopedDb, rows: Omit<ReceiptRow, 'tenant_id'>[]) =>
  db.insertInto('receipt').values(rows),
)

export type NewReceiptRow = Pick<ReceiptRow, 'id' | 'number'> & { payers: Payers }

/**
 * Makes a receipt, to which its payments are added. Its number is the next one of this year: the counter stays locked
 * until the commit, so callers lock the invoices before.
 */
export const addReceipt = async (
  tx: Tx,
  payers: Payers,
  { method, receivedAt }: { method: ReceiptRow['method']; receivedAt: string },
): Promise<NewReceiptRow> => {
  const { students, payer } = payers
  const year = yearOf(tx.today)
  const receipt = { id: tx.id(), number: numberOf('R', year, await nextNumber(tx.whole, `receipt ${year}`)) }
  await insertReceipt(tx.db, [
    {
      ...receipt,
      payer_guardian_id: payer?.id ?? null,
      payer_name: payer?.fullName ?? null,
      students,
      method,
      received_at: receivedAt,
      cancelled_at: null,
      created_at: tx.now,
      search_text: searchedBy(students, payer),
    },
  ])
  return { ...receipt, payers }
}

const insertReceiptPayment = compiledInsert(
  (db: ScopedDb, rows: Omit<Insertable<Tables['receipt_payment']>, 'tenant_id'>[]) =>
    db.insertInto('receipt_payment').values(rows),
)

/** Adds a payment on an invoice of one of the receipt's students. */
export const addToReceipt = async (
  tx: Tx,
  receipt: NewReceiptRow,
  { paymentId, invoice }: { paymentId: string; invoice: { id: string; student_id: string } },
): Promise<void> => {
  const { students, payer } = receipt.payers
  const own = students.filter(({ id }) => id === invoice.student_id)
  const row = { receipt_id: receipt.id, payment_id: paymentId, invoice_id: invoice.id }
  await insertReceiptPayment(tx.db, [{ ...row, search_text: searchedBy(own, payer) }])
}

const paymentsOf = compiledByIds((db, ids) =>
  db
    .selectFrom('receipt_payment')
    .innerJoin('payment', 'payment.id', 'receipt_payment.payment_id')
    .innerJoin('invoice', 'invoice.id', 'receipt_payment.invoice_id')
    .selectAll('payment')
    .select(['receipt_payment.receipt_id', 'invoice.number as invoice_number', 'invoice.student_id'])
    .where('receipt_payment.receipt_id', 'in', ids)
    .orderBy('payment.id'),
)

type Paid = PaymentRow & { receipt_id: string; invoice_number: string; student_id: string }

const toReceipt = (row: ReceiptRow, paid: readonly Paid[]): Receipt => {
  const { currency } = paid[0] as { currency: Currency }
  const ofStudents = new Set(paid.map((payment) => payment.student_id))
  const students = row.students.filter(({ id }) => ofStudents.has(id))
  return {
    id: row.id,
    number: row.number,
    payerGuardianId: row.payer_guardian_id,
    payerName: row.payer_name,
    studentIds: students.map(({ id }) => id),
    students,
    amount: money(
      paid.reduce((sum, payment) => sum + payment.amount_minor, 0),
      currency,
    ),
    method: row.method,
    receivedAt: row.received_at,
    cancelledAt: row.cancelled_at,
    payments: paid.map((payment) => ({ ...toPayment(payment), invoiceNumber: payment.invoice_number })),
  }
}

/** Shows receipts with the payments, and the students, that are within reach. */
export const showReceipts = async (db: ScopedDb, rows: readonly ReceiptRow[]): Promise<Receipt[]> => {
  const ids = rows.map(({ id }) => id)
  const paid = Map.groupBy(await paymentsOf(db, ids), (payment) => payment.receipt_id)
  return rows.map((row) => toReceipt(row, paid.get(row.id) ?? []))
}

const receiptById = compiledInTenant((db, { id }: { id: string }) =>
  db.selectFrom('receipt').selectAll().where('id', '=', id),
)

/** @throws NotFound */
export const readReceipt = async (db: ScopedDb, id: string): Promise<Receipt> =>
  found((await showReceipts(db, [found((await receiptById(db, { id }))[0])]))[0])

const receiptRecord = recordOf('receipt', { read: readReceipt, withoutUpdatedAt: true })

const receiptIdOf = compiledInTenant((whole, { paymentId }: { paymentId: string }) =>
  whole.selectFrom('receipt_payment').select('receipt_id').where('payment_id', '=', paymentId),
)

/** The receipt of a payment. @throws NotFound */
export const receiptOfPayment = async (whole: ScopedDb, paymentId: string): Promise<Receipt> =>
  readReceipt(whole, found((await receiptIdOf(whole, { paymentId }))[0]).receipt_id)

const notReversedOf = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('receipt_payment')
    .leftJoin('payment as reversal', 'reversal.reverses_payment_id', 'receipt_payment.payment_id')
    .select('receipt_payment.payment_id')
    .where('receipt_payment.receipt_id', '=', id)
    .where('reversal.id', 'is', null)
    .limit(1),
)

const cancel = compiledInTenant((db, { id, at }: { id: string; at: string }) =>
  db.updateTable('receipt').set({ cancelled_at: at }).where('id', '=', id),
)

/**
 * Cancels the receipt of a payment that was just reversed, unless another of its payments still holds. The lock on the
 * receipt makes two reversals of its last payments see each other.
 */
export const cancelReceiptOf = async (tx: Tx, paymentId: string): Promise<void> => {
  const { receipt_id: id } = found((await receiptIdOf(tx.whole, { paymentId }))[0])
  const { number } = await lockRow(tx, receiptRecord, id)
  if ((await notReversedOf(tx.whole, { id })).length > 0) return
  await cancel(tx.whole, { id, at: tx.now })
  tx.audit({
    entityType: 'receipt',
    entityId: id,
    before: { id, number, cancelledAt: null },
    after: { id, number, cancelledAt: tx.now },
  })
}
