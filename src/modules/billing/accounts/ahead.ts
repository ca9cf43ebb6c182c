import type { InferOutput } from 'valibot'
import { found, invalid, NotFound } from '#kernel/values/errors.ts'
import { inPart } from '#kernel/values/parts.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockReferenced, type Row } from '#runtime/records/records.ts'
import { fullName } from '#modules/people/index.ts'
import { readPayer } from '../keep.ts'
import type { NewReceipt, PaidBy } from '../receipt-schemas.ts'
import { payersOf, type Payers } from '../receipts.ts'
import {
  accountIn,
  addEntry,
  lockAccounts,
  lockHolder,
  type AccountRow,
  type CreditEntryRow,
  type Holder,
} from './credit.ts'

/** Who stands at the desk, where the request says so: they get the receipt, whoever pays the invoices by record. */

type Owed = Pick<Row<'invoice'>, 'student_id' | 'payer_guardian_id'>

/** @throws VALIDATION_ERROR unless it names one of the two */
export const holderWho = (
  { guardianId, studentId }: InferOutput<typeof PaidBy>,
  path: readonly string[] = ['paidBy'],
): Holder => {
  if ((guardianId === undefined) === (studentId === undefined)) {
    throw invalid([...path], 'Must be a guardian or a student.')
  }
  return { guardianId: guardianId ?? null, studentId: studentId ?? null }
}

/** @throws VALIDATION_ERROR where a guardian is none of each student, or a student not the only one */
const checkFamily = async (tx: Tx, holder: Holder, studentIds: readonly string[]): Promise<void> => {
  if (holder.guardianId === null) {
    if (studentIds.some((id) => id !== holder.studentId)) {
      throw invalid(['paidBy', 'studentId'], 'Must be the student of the invoices.')
    }
    return
  }
  if (studentIds.length === 0) return
  const links = await tx.whole
    .selectFrom('guardian_link')
    .select('student_id')
    .where('guardian_id', '=', holder.guardianId)
    .where('student_id', 'in', studentIds)
    .execute()
  if (links.length < studentIds.length) {
    throw invalid(['paidBy', 'guardianId'], 'Must be a guardian of each student of the invoices.')
  }
}

const studentOf = async (tx: Tx, id: string) =>
  found(
    await tx.whole
      .selectFrom('student')
      .select(['id', 'first_name', 'last_name', 'branch_id'])
      .where('id', '=', id)
      .executeTakeFirst(),
  )

/** The students of invoices, and who pays: whom the request names, else whoever pays them by record. @throws as `payersOf` */
export const payersWho = async (
  tx: Tx,
  invoices: readonly Owed[],
  paidBy: NewReceipt['paidBy'],
): Promise<Payers & { holder: Holder }> => {
  if (paidBy === undefined) {
    const payers = await payersOf(tx.whole, invoices)
    const guardianId = payers.payer?.id ?? null
    return {
      ...payers,
      holder: { guardianId, studentId: guardianId === null ? (payers.students[0]?.id ?? null) : null },
    }
  }
  const holder = holderWho(paidBy)
  const { guardianId, studentId } = holder
  await inPart([], () => lockHolder(tx, holder), { not_found: 'paidBy' })
  const ids = [...new Set(invoices.map(({ student_id: id }) => id))]
  await checkFamily(tx, holder, ids)
  const students = []
  for (const id of ids.length === 0 && studentId !== null ? [studentId] : ids.toSorted()) {
    const row = await studentOf(tx, id)
    students.push({ id, fullName: fullName(row) })
  }
  const payer = await readPayer(tx.whole, guardianId)
  return {
    holder,
    students,
    payer: guardianId === null || !payer ? null : { id: guardianId, fullName: payer.party.fullName },
  }
}

/** Keeps the branch that a request names from being deleted meanwhile. @throws NotFound */
export const lockBranchOf = async (tx: Tx, { branchId }: Pick<NewReceipt, 'branchId'>): Promise<void> => {
  if (branchId === undefined) return
  await inPart([], () => lockReferenced(tx, 'branch', branchId), { not_found: 'branchId' })
}

/** The branch at which money is paid ahead: that of the request, of the invoices, of the student or the first child. */
const branchAhead = async (
  tx: Tx,
  { branchId }: Pick<NewReceipt, 'branchId'>,
  { holder, invoices }: { holder: Holder; invoices: readonly Pick<Row<'invoice'>, 'branch_id'>[] },
): Promise<string> => {
  const known = branchId ?? invoices[0]?.branch_id
  if (known !== undefined) return known
  const students = tx.db.selectFrom('student').select('student.branch_id')
  const own =
    holder.guardianId === null
      ? students.where('student.id', '=', holder.studentId)
      : students
          .innerJoin('guardian_link', 'guardian_link.student_id', 'student.id')
          .where('guardian_link.guardian_id', '=', holder.guardianId)
          .orderBy('guardian_link.created_at')
          .orderBy('guardian_link.id')
          .limit(1)
  const student = await own.executeTakeFirst()
  if (!student) throw invalid(['branchId'], 'Must be given for a guardian without students.')
  return student.branch_id
}

export interface Ahead {
  payers: Payers
  holder: Holder
  branchId: string
  currency: NewReceipt['currency']
  accounts: readonly AccountRow[]
}

/**
 * Finds whose credit it becomes what goes to no invoice, and locks their accounts. The invoices are not locked yet.
 * @throws NotFound, PayersDiffer, VALIDATION_ERROR
 */
export const lockAhead = async (
  tx: Tx,
  body: Pick<NewReceipt, 'allocations' | 'currency' | 'paidBy' | 'branchId'>,
): Promise<Ahead> => {
  const { allocations, currency, paidBy } = body
  const ids = allocations.map(({ invoiceId }) => invoiceId)
  const invoices =
    ids.length === 0
      ? []
      : await tx.db
          .selectFrom('invoice')
          .select(['id', 'student_id', 'payer_guardian_id', 'branch_id'])
          .where('id', 'in', ids)
          .execute()
  if (invoices.length < ids.length) throw NotFound()
  if (ids.length === 0 && paidBy === undefined) throw invalid(['paidBy'], 'Must be given where no invoice is paid.')
  const { holder, ...payers } = await payersWho(tx, invoices, paidBy)
  const inOrder = ids.map((id) => invoices.find((invoice) => invoice.id === id) as (typeof invoices)[number])
  const branchId = await branchAhead(tx, body, { holder, invoices: inOrder })
  return { payers, holder, branchId, currency, accounts: await lockAccounts(tx.db, holder, currency) }
}

/** Adds to the credit what a receipt has beyond its payments. @returns the id of the entry */
export const keepAhead = async (
  tx: Tx,
  { accounts, holder, branchId, currency }: Pick<Ahead, 'accounts' | 'holder' | 'branchId' | 'currency'>,
  entry: Pick<CreditEntryRow, 'amount_minor' | 'receipt_id' | 'reference' | 'at'>,
): Promise<string> => {
  const account = await accountIn(tx, accounts, { holder, branchId, currency })
  return (await addEntry(tx, account, { kind: 'received', ...entry })).id
}
