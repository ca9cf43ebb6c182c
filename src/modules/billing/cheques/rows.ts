import { compiledInsert, compiledInTenant } from '#db/queries/compiled.ts'
import { actingUserId } from '#kernel/who/actor.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Row } from '#runtime/records/records.ts'
import { searchedText } from '#shared/names.ts'
import { plainDigits } from '#shared/typed.ts'
import type { Holder } from '../accounts/credit.ts'
import type { NewReceiptRow } from '../receipts.ts'
import { ChequeKnown } from './failures.ts'
import type { ChequeDetails } from './written.ts'

export type ChequeRow = Row<'cheque'>

/** What stands on a cheque in one form, whatever signs, spaces and zeros one of two who type it leaves out. */
export const sameAs = ({ bank, branch, account, number }: ChequeDetails): string =>
  [bank, branch, account, number]
    .map((part) =>
      plainDigits(part)
        .toLowerCase()
        .replaceAll(/[\s./-]/g, '')
        .replace(/^0+(?=\d+$)/, ''),
    )
    .join('/')

const insertRows = compiledInsert((db: ScopedDb, rows: Omit<ChequeRow, 'tenant_id'>[]) =>
  db
    .insertInto('cheque')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)

/** A cheque as it is taken, and where it stands in the request. */
type Drawn = ChequeDetails & { amountMinor: number; dueOn: string; path: string[] }

interface Taken {
  receipt: NewReceiptRow
  holder: Holder
  branchId: string
  currency: Currency
  status: 'held' | 'due'
}

/** Keeps a cheque. The database decides whether it was taken before. @returns its id @throws ChequeKnown */
export const insertCheque = async (
  tx: Tx,
  { path, ...drawn }: Drawn,
  { receipt, holder, branchId, currency, status }: Taken,
): Promise<string> => {
  const { bank, branch, account, number, amountMinor, dueOn } = drawn
  const names = [...receipt.payers.students, ...(receipt.payers.payer ? [receipt.payers.payer] : [])]
  const row = {
    id: tx.id(),
    branch_id: branchId,
    receipt_id: receipt.id,
    guardian_id: holder.guardianId,
    student_id: holder.studentId,
    bank,
    bank_branch: branch,
    account,
    number,
    same_as: sameAs(drawn),
    amount_minor: amountMinor,
    currency,
    due_on: dueOn,
    status,
    reason: null,
    deposit_id: null,
    fee_invoice_id: null,
    replaced_by_receipt_id: null,
    by_user_id: actingUserId(tx.actor),
    version: 1,
    created_at: tx.now,
    updated_at: tx.now,
    search_text: searchedText([...names.map(({ fullName }) => fullName), bank, account, number].join(' ')),
  }
  const [inserted] = await insertRows(tx.db, [row])
  if (!inserted) {
    throw ChequeKnown({ issues: [{ path, message: 'Must not be the number of a cheque that was taken before.' }] })
  }
  tx.audit({
    entityType: 'cheque',
    entityId: row.id,
    after: { ...drawn, currency, status },
    metadata: { receipt: { id: receipt.id, number: receipt.number }, guardianId: holder.guardianId },
  })
  return row.id
}

/** What a cheque became: either a payment or an entry of credit. */
export type NewEntry = { payment_id: string } | { credit_entry_id: string }

const insertEntries = compiledInsert((db: ScopedDb, rows: Omit<Row<'cheque_entry'>, 'tenant_id'>[]) =>
  db.insertInto('cheque_entry').values(rows),
)

export const addEntries = async (tx: Tx, chequeId: string, entries: readonly NewEntry[]): Promise<void> => {
  if (entries.length === 0) return
  const empty = { payment_id: null, credit_entry_id: null, cheque_id: chequeId, created_at: tx.now }
  const rows = entries.map((entry) => ({ ...empty, ...entry, id: tx.id() }))
  await insertEntries(tx.whole, rows)
}

const entryOfPayment = compiledInTenant((whole, { paymentId }: { paymentId: string }) =>
  whole.selectFrom('cheque_entry').select('id').where('payment_id', '=', paymentId),
)

/** Whether a payment is what a cheque became. */
export const isOfCheque = async (whole: ScopedDb, paymentId: string): Promise<boolean> =>
  (await entryOfPayment(whole, { paymentId })).length > 0

const entriesById = compiledInTenant((whole, { id }: { id: string }) =>
  whole.selectFrom('cheque_entry').select(['payment_id', 'credit_entry_id']).where('cheque_id', '=', id),
)

/** The ids of the payments and entries of credit that a cheque became. */
export const entriesOf = async (
  whole: ScopedDb,
  id: string,
): Promise<{ payments: Set<string>; credits: Set<string> }> => {
  const rows = await entriesById(whole, { id })
  return {
    payments: new Set(rows.flatMap((row) => row.payment_id ?? [])),
    credits: new Set(rows.flatMap((row) => row.credit_entry_id ?? [])),
  }
}

const insertParts = compiledInsert((db: ScopedDb, rows: Omit<Row<'cheque_part'>, 'tenant_id'>[]) =>
  db.insertInto('cheque_part').values(rows),
)

/** Says what of a cheque is for which invoice. */
export const addPart = (
  tx: Tx,
  { chequeId, invoiceId, amountMinor }: { chequeId: string; invoiceId: string; amountMinor: number },
): Promise<unknown> =>
  insertParts(tx.whole, [
    { id: tx.id(), cheque_id: chequeId, invoice_id: invoiceId, amount_minor: amountMinor, created_at: tx.now },
  ])

const partsById = compiledInTenant((whole, { id }: { id: string }) =>
  whole.selectFrom('cheque_part').select(['invoice_id', 'amount_minor']).where('cheque_id', '=', id).orderBy('id'),
)

export const partsOf = (whole: ScopedDb, id: string): Promise<{ invoice_id: string; amount_minor: number }[]> =>
  partsById(whole, { id })
