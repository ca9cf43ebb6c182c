import type { Insertable } from 'kysely'
import { compiledByIds, compiledInsert, compiledInTenant } from '#db/queries/compiled.ts'
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
import { keptForReceipt, readPayer } from './keep.ts'
import { numberOf } from './numbers.ts'
import type { Receipt } from './receipt-schemas.ts'

export type ReceiptRow = Row<'receipt'>

const studentsById = compiledByIds((db, ids) =>
  db.selectFrom('student').select(['id', 'first_name', 'last_name']).where('id', 'in', ids).orderBy('id'),
)

/** Whose invoices are paid, and by whom. */
export interface Payers {
  students: { id: string; fullName: string }[]
  payer: { id: string; fullName: string } | null
}

type Owed = Pick<Row<'invoice'>, 'student_id' | 'payer_guardian_id'>

/**
 * The students of issued invoices, whatever branch they are in now, and the guardian who pays them: whom they keep, and
 * nobody but the student where they keep none, whoever is the payer of record today.
 * @throws PayersDiffer for those of several payers, or of several students without one
 */
export const payersOf = async (whole: ScopedDb, invoices: readonly Owed[]): Promise<Payers> => {
  const rows = await studentsById(whole, [...new Set(invoices.map(({ student_id: id }) => id))])
  const [first = null, ...others] = new Set(invoices.map((invoice) => invoice.payer_guardian_id))
  if (others.length > 0 || (rows.length > 1 && first === null)) {
    throw PayersDiffer({
      issues: [{ path: ['allocations'], message: 'Must be invoices of one student, or of students with one payer.' }],
    })
  }
  const payer = await readPayer(whole, first)
  return {
    students: rows.map((row) => ({ id: row.id, fullName: fullName(row) })),
    payer: first === null || payer === null ? null : { id: first, fullName: payer.party.fullName },
  }
}

const searchedBy = (students: Payers['students'], payer: Payers['payer']): string =>
  searchedText([...students, ...(payer ? [payer] : [])].map((person) => person.fullName).join(' '))

const insertReceipt = compiledInsert((db: ScopedDb, rows: Omit<ReceiptRow, 'tenant_id'>[]) =>
  db.insertInto('receipt').values(rows),
)

export type NewReceiptRow = Pick<ReceiptRow, 'id' | 'number'> & { payers: Payers }

/** A receipt as its row says. */
type Written = Omit<ReceiptRow, 'tenant_id'>

/**
 * Makes a receipt, to which its payments are added. Its number is the next one of this year: the counter stays locked
 * until the commit, so callers lock the invoices before.
 */
export const addReceipt = async (
  tx: Tx,
  payers: Payers,
  { method, receivedAt, branchId }: { method: ReceiptRow['method']; receivedAt: string; branchId: string },
): Promise<{ receipt: NewReceiptRow; row: Written }> => {
  const { students, payer } = payers
  const year = yearOf(tx.today)
  const receipt = { id: tx.id(), number: numberOf('R', year, await nextNumber(tx.whole, `receipt ${year}`)) }
  const row = {
    ...receipt,
    payer_guardian_id: payer?.id ?? null,
    payer_name: payer?.fullName ?? null,
    students,
    method,
    kept: await keptForReceipt(tx, branchId, payer?.id ?? null),
    received_at: receivedAt,
    cancelled_at: null,
    original_at: null,
    original_to: null,
    created_at: tx.now,
    search_text: searchedBy(students, payer),
  }
  await insertReceipt(tx.db, [row])
  return { receipt: { ...receipt, payers }, row }
}

const insertReceiptPayments = compiledInsert(
  (db: ScopedDb, rows: Omit<Insertable<Tables['receipt_payment']>, 'tenant_id'>[]) =>
    db.insertInto('receipt_payment').values(rows),
)

/** Adds payments on invoices of the receipt's students. */
export const addToReceipt = async (
  tx: Tx,
  receipt: NewReceiptRow,
  payments: readonly { paymentId: string; invoice: { id: string; student_id: string } }[],
): Promise<void> => {
  const { students, payer } = receipt.payers
  const rows = payments.map(({ paymentId, invoice }) => {
    const own = students.filter(({ id }) => id === invoice.student_id)
    const row = { receipt_id: receipt.id, payment_id: paymentId, invoice_id: invoice.id }
    return { ...row, search_text: searchedBy(own, payer) }
  })
  if (rows.length > 0) await insertReceiptPayments(tx.db, rows)
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

type Paid = PaymentRow & { invoice_number: string; student_id: string }

const creditsOf = compiledByIds((db, ids) =>
  db
    .selectFrom('credit_entry')
    .innerJoin('payer_account', 'payer_account.id', 'credit_entry.account_id')
    .select([
      'credit_entry.receipt_id',
      'credit_entry.amount_minor',
      'credit_entry.reference',
      'payer_account.currency',
    ])
    .where('credit_entry.receipt_id', 'in', ids)
    .where('credit_entry.reverses_entry_id', 'is', null),
)

type Credit = Omit<Awaited<ReturnType<typeof creditsOf>>[number], 'receipt_id'>

const chequesOf = compiledByIds((db, ids) =>
  db.selectFrom('cheque').selectAll().where('receipt_id', 'in', ids).orderBy('due_on').orderBy('id'),
)

type Cheques = Awaited<ReturnType<typeof chequesOf>>

interface Parts {
  paid: readonly Paid[]
  credits: readonly Credit[]
  cheques: Cheques
}

/** Shows a receipt with these parts of it. */
export const toReceipt = (row: Written, { paid, credits, cheques }: Parts): Receipt => {
  const { currency } = (paid[0] ?? credits[0] ?? cheques[0]) as { currency: Currency }
  const ofStudents = new Set(paid.map((payment) => payment.student_id))
  // Of what was paid ahead alone, or is still to be, those whom it is for stand on it without a payment.
  const isAhead = paid.length === 0 || cheques.length > 0
  const students = isAhead ? row.students : row.students.filter(({ id }) => ofStudents.has(id))
  const sum = (rows: readonly { amount_minor: number }[]) => rows.reduce((all, one) => all + one.amount_minor, 0)
  return {
    id: row.id,
    number: row.number,
    payerGuardianId: row.payer_guardian_id,
    payerName: row.payer_name,
    studentIds: students.map(({ id }) => id),
    students,
    amount: money(cheques.length > 0 ? sum(cheques) : sum(paid) + sum(credits), currency),
    credit: credits.length === 0 ? null : money(sum(credits), currency),
    method: row.method,
    reference: [...paid, ...credits].find(({ reference }) => reference !== null)?.reference ?? null,
    receivedAt: row.received_at,
    cancelledAt: row.cancelled_at,
    payments: paid.map((payment) => ({ ...toPayment(payment), invoiceNumber: payment.invoice_number })),
    cheques: cheques.map((cheque) => ({
      id: cheque.id,
      bank: cheque.bank,
      branch: cheque.bank_branch,
      account: cheque.account,
      number: cheque.number,
      amount: money(cheque.amount_minor, cheque.currency),
      dueOn: cheque.due_on,
      status: cheque.status,
    })),
  }
}

/** Shows receipts with the payments, and the students, that are within reach. */
export const showReceipts = async (db: ScopedDb, rows: readonly ReceiptRow[]): Promise<Receipt[]> => {
  const ids = rows.map(({ id }) => id)
  const paid = Map.groupBy(await paymentsOf(db, ids), (payment) => payment.receipt_id)
  const credits = Map.groupBy(await creditsOf(db, ids), (credit) => credit.receipt_id)
  const cheques = Map.groupBy(await chequesOf(db, ids), (cheque) => cheque.receipt_id)
  return rows.map((row) =>
    toReceipt(row, {
      paid: paid.get(row.id) ?? [],
      credits: credits.get(row.id) ?? [],
      cheques: cheques.get(row.id) ?? [],
    }),
  )
}

const receiptById = compiledInTenant((db, { id }: { id: string }) =>
  db.selectFrom('receipt').selectAll().where('id', '=', id),
)

/** @throws NotFound */
export const readReceipt = async (db: ScopedDb, id: string): Promise<Receipt> =>
  found((await showReceipts(db, [found((await receiptById(db, { id }))[0])]))[0])

export const receiptRecord = recordOf('receipt', { read: readReceipt, withoutUpdatedAt: true })

const receiptIdOf = compiledInTenant((whole, { paymentId }: { paymentId: string }) =>
  whole.selectFrom('receipt_payment').select('receipt_id').where('payment_id', '=', paymentId),
)

/** The receipt of a payment. @throws NotFound */
export const receiptOfPayment = async (whole: ScopedDb, paymentId: string): Promise<Receipt> =>
  readReceipt(whole, found((await receiptIdOf(whole, { paymentId }))[0]).receipt_id)

const paymentLeftOf = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('receipt_payment')
    .leftJoin('payment as reversal', 'reversal.reverses_payment_id', 'receipt_payment.payment_id')
    .select('receipt_payment.payment_id')
    .where('receipt_payment.receipt_id', '=', id)
    .where('reversal.id', 'is', null)
    .limit(1),
)

const creditLeftOf = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('credit_entry')
    .leftJoin('credit_entry as reversal', 'reversal.reverses_entry_id', 'credit_entry.id')
    .select('credit_entry.id')
    .where('credit_entry.receipt_id', '=', id)
    .where('credit_entry.reverses_entry_id', 'is', null)
    .where('reversal.id', 'is', null)
    .limit(1),
)

const chequeLeftOf = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('cheque')
    .select('id')
    .where('receipt_id', '=', id)
    .where('status', 'not in', ['bounced', 'returned', 'replaced'])
    .limit(1),
)

const cancel = compiledInTenant((db, { id, at }: { id: string; at: string }) =>
  db.updateTable('receipt').set({ cancelled_at: at }).where('id', '=', id),
)

/**
 * Cancels a receipt of which a part was just taken back, unless another part still holds. The lock on the receipt makes
 * two reversals of its last parts see each other.
 */
export const cancelIfNothingHolds = async (tx: Tx, id: string): Promise<void> => {
  const { number } = await lockRow({ db: tx.whole }, receiptRecord, id)
  const left = [
    ...(await paymentLeftOf(tx.whole, { id })),
    ...(await creditLeftOf(tx.whole, { id })),
    ...(await chequeLeftOf(tx.whole, { id })),
  ]
  if (left.length > 0) return
  await cancel(tx.whole, { id, at: tx.now })
  tx.audit({
    entityType: 'receipt',
    entityId: id,
    before: { id, number, cancelledAt: null },
    after: { id, number, cancelledAt: tx.now },
  })
}

/** Cancels the receipt of a payment that was just reversed, unless another part of it still holds. */
export const cancelReceiptOf = async (tx: Tx, paymentId: string): Promise<void> => {
  const { receipt_id: id } = found((await receiptIdOf(tx.whole, { paymentId }))[0])
  await cancelIfNothingHolds(tx, id)
}
