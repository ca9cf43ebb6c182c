import { compiledByIds, compiledInTenant } from '#db/queries/compiled.ts'
import { found } from '#kernel/values/errors.ts'
import { money } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { fullName } from '#modules/people/index.ts'
import { recordOf } from '#runtime/records/records.ts'
import type { ChequeRow } from './rows.ts'
import type { Cheque } from './schemas.ts'
import type { ChequeStatus } from './tables.ts'

const receiptsById = compiledByIds((whole, ids) =>
  whole.selectFrom('receipt').select(['id', 'number']).where('id', 'in', ids).orderBy('id'),
)
const guardiansById = compiledByIds((whole, ids) =>
  whole.selectFrom('guardian').select(['id', 'first_name', 'last_name']).where('id', 'in', ids).orderBy('id'),
)
const studentsById = compiledByIds((whole, ids) =>
  whole.selectFrom('student').select(['id', 'first_name', 'last_name']).where('id', 'in', ids).orderBy('id'),
)
const partsById = compiledByIds((whole, ids) =>
  whole
    .selectFrom('cheque_part')
    .innerJoin('invoice', 'invoice.id', 'cheque_part.invoice_id')
    .select(['cheque_part.cheque_id', 'cheque_part.invoice_id', 'cheque_part.amount_minor', 'invoice.number'])
    .where('cheque_part.cheque_id', 'in', ids)
    .orderBy('cheque_part.id'),
)

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.flatMap((id) => id ?? []))]

const ifAny = async <T>(ids: string[], read: (ids: string[]) => Promise<T[]>): Promise<T[]> =>
  ids.length === 0 ? [] : read(ids)

/** Shows cheques, with whom they are from and what they are for, however many, in the same few statements. */
/** Whether a cheque bounced, also one that was replaced since: no other that was paid and is replaced has a reason. */
export const cameBack = ({ status, reason }: { status: ChequeStatus | null; reason: string | null }): boolean =>
  status === 'bounced' || (status === 'replaced' && reason !== null)

/** What takes back what a cheque paid; of other money, it has none. */
export const reversalOf = (row: { cheque_status: ChequeStatus | null; cheque_reason: string | null }) =>
  cameBack({ status: row.cheque_status, reason: row.cheque_reason }) ? ('bounced' as const) : ('reversal' as const)

export const showCheques = async (whole: ScopedDb, rows: readonly ChequeRow[]): Promise<Cheque[]> => {
  const of = (pick: (row: ChequeRow) => string | null) => distinct(rows.map(pick))
  const receipts = await ifAny(
    of((row) => row.receipt_id),
    (ids) => receiptsById(whole, ids),
  )
  const guardians = await ifAny(
    of((row) => row.guardian_id),
    (ids) => guardiansById(whole, ids),
  )
  const students = await ifAny(
    of((row) => row.student_id),
    (ids) => studentsById(whole, ids),
  )
  const parts = Map.groupBy(
    await ifAny(
      of((row) => row.id),
      (ids) => partsById(whole, ids),
    ),
    (part) => part.cheque_id,
  )
  const numbers = new Map(receipts.map(({ id, number }) => [id, number]))
  const names = new Map([...guardians, ...students].map((person) => [person.id, fullName(person)]))
  return rows.map((row) => ({
    id: row.id,
    branchId: row.branch_id,
    receiptId: row.receipt_id,
    receiptNumber: numbers.get(row.receipt_id) ?? '',
    guardianId: row.guardian_id,
    studentId: row.student_id,
    payerName: names.get(row.guardian_id ?? row.student_id ?? '') ?? '',
    bank: row.bank,
    branch: row.bank_branch,
    account: row.account,
    number: row.number,
    amount: money(row.amount_minor, row.currency),
    dueOn: row.due_on,
    status: row.status,
    allocations: (parts.get(row.id) ?? []).map((part) => ({
      invoiceId: part.invoice_id,
      invoiceNumber: part.number,
      amount: money(part.amount_minor, row.currency),
    })),
    depositId: row.deposit_id,
    reason: row.reason,
    feeInvoiceId: row.fee_invoice_id,
    replacedByReceiptId: row.replaced_by_receipt_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }))
}

const chequeById = compiledInTenant((db, { id }: { id: string }) =>
  db.selectFrom('cheque').selectAll().where('id', '=', id),
)

/** @throws NotFound */
export const readCheque = async (db: ScopedDb, whole: ScopedDb, id: string): Promise<Cheque> =>
  (await showCheques(whole, [found((await chequeById(db, { id }))[0])]))[0] as Cheque

export const chequeRecord = recordOf('cheque', { read: (db, id) => readCheque(db, db, id) })
