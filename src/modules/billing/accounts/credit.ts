import { compiledInsert, compiledInTenant } from '#db/queries/compiled.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { actingUserId } from '#kernel/who/actor.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { guardianRecord, studentRecord } from '#modules/people/index.ts'
import { lockReferencedRow, type Row } from '#runtime/records/records.ts'

/**
 * What payers have in credit. A payer has an account for each branch and currency in which they paid ahead; two of one
 * kind, made at once, count together. Every movement is an entry that is never changed, and the account keeps the sum.
 *
 * Accounts are locked before invoices, several of them by id.
 */

export type AccountRow = Row<'payer_account'>
export type CreditEntryRow = Row<'credit_entry'>

/** Who pays: a guardian, or a student for whom no guardian does. */
export interface Holder {
  guardianId: string | null
  studentId: string | null
}

export const holderOf = (payerGuardianId: string | null, studentId: string): Holder =>
  payerGuardianId === null ? { guardianId: null, studentId } : { guardianId: payerGuardianId, studentId: null }

/** Keeps a payer from being deleted meanwhile. @throws NotFound for somebody out of reach, PersonErased */
export const lockHolder = async (tx: Tx, { guardianId, studentId }: Holder): Promise<void> => {
  if (guardianId !== null) await lockReferencedRow(tx, guardianRecord, guardianId)
  if (studentId !== null) await lockReferencedRow(tx, studentRecord, studentId)
}

interface Asked {
  id: string
  currency: Currency
}

const ofGuardian = compiledInTenant((db, { id, currency }: Asked) =>
  forNoKeyUpdate(
    db,
    db
      .selectFrom('payer_account')
      .selectAll()
      .where('guardian_id', '=', id)
      .where('currency', '=', currency)
      .orderBy('id'),
  ),
)

const ofStudent = compiledInTenant((db, { id, currency }: Asked) =>
  forNoKeyUpdate(
    db,
    db
      .selectFrom('payer_account')
      .selectAll()
      .where('student_id', '=', id)
      .where('currency', '=', currency)
      .orderBy('id'),
  ),
)

/** Locks the accounts of a payer in one currency that are within reach. */
export const lockAccounts = (db: ScopedDb, holder: Holder, currency: Currency): Promise<AccountRow[]> =>
  holder.guardianId === null
    ? ofStudent(db, { id: holder.studentId as string, currency })
    : ofGuardian(db, { id: holder.guardianId, currency })

/** Locks one account, whoever holds it. */
export const lockAccountOf = (tx: Tx, id: string): Promise<AccountRow> =>
  forNoKeyUpdate(
    tx.whole,
    tx.whole.selectFrom('payer_account').selectAll().where('id', '=', id),
  ).executeTakeFirstOrThrow()

export const creditOf = (accounts: readonly Pick<AccountRow, 'credit_minor'>[]): number =>
  accounts.reduce((sum, account) => sum + account.credit_minor, 0)

const insertAccount = compiledInsert((db: ScopedDb, rows: Omit<AccountRow, 'tenant_id'>[]) =>
  db.insertInto('payer_account').values(rows),
)

/** The account among those that are locked which is of this branch; a new one where there is none. */
export const accountIn = async (
  tx: Tx,
  accounts: readonly AccountRow[],
  { holder, branchId, currency }: { holder: Holder; branchId: string; currency: Currency },
): Promise<AccountRow> => {
  const known = accounts.find((account) => account.branch_id === branchId)
  if (known) return known
  const account = {
    id: tx.id(),
    branch_id: branchId,
    guardian_id: holder.guardianId,
    student_id: holder.studentId,
    currency,
    credit_minor: 0,
    created_at: tx.now,
    updated_at: tx.now,
  }
  await insertAccount(tx.db, [account])
  return { ...account, tenant_id: tx.tenant.id }
}

const insertEntry = compiledInsert((db: ScopedDb, rows: Omit<CreditEntryRow, 'tenant_id'>[]) =>
  db.insertInto('credit_entry').values(rows),
)

const setCredit = compiledInTenant((db, { id, credit, now }: { id: string; credit: number; now: string }) =>
  db.updateTable('payer_account').set({ credit_minor: credit, updated_at: now }).where('id', '=', id),
)

type NewEntry = Pick<CreditEntryRow, 'kind' | 'amount_minor'> &
  Partial<
    Pick<
      CreditEntryRow,
      'receipt_id' | 'invoice_id' | 'credit_note_id' | 'refund_id' | 'reverses_entry_id' | 'reference' | 'reason' | 'at'
    >
  >

/** Adds an entry to a locked account. @returns the account as it is then, and the entry's id */
export const addEntry = async (
  tx: Tx,
  account: AccountRow,
  entry: NewEntry,
): Promise<{ account: AccountRow; id: string }> => {
  const id = tx.id()
  await insertEntry(tx.whole, [
    {
      receipt_id: null,
      invoice_id: null,
      credit_note_id: null,
      refund_id: null,
      reverses_entry_id: null,
      reference: null,
      reason: null,
      at: tx.now,
      ...entry,
      id,
      account_id: account.id,
      by_user_id: actingUserId(tx.actor),
      created_at: tx.now,
    },
  ])
  const credit = account.credit_minor + entry.amount_minor
  await setCredit(tx.whole, { id: account.id, credit, now: tx.now })
  tx.audit({
    entityType: 'payer_account',
    entityId: account.id,
    before: { creditMinor: account.credit_minor },
    after: { creditMinor: credit },
    metadata: {
      entryId: id,
      kind: entry.kind,
      guardianId: account.guardian_id,
      studentId: account.student_id,
      currency: account.currency,
      ...(entry.invoice_id && { invoiceId: entry.invoice_id }),
      ...(entry.receipt_id && { receiptId: entry.receipt_id }),
      ...(entry.reverses_entry_id && { reversesEntryId: entry.reverses_entry_id, reason: entry.reason }),
    },
  })
  return { account: { ...account, credit_minor: credit, updated_at: tx.now }, id }
}
