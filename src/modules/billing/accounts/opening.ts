import { found } from '#kernel/values/errors.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockCurrency } from '#modules/tenants/index.ts'
import { readPayersOfRecord } from '../keep.ts'
import { accountIn, addEntry, holderOf, lockAccountOf, lockAccounts, lockHolder } from './credit.ts'

/** Credit with which a family comes from another program: nobody received it here. */

interface Opening {
  studentId: string
  currency: Currency
  amountMinor: number
  /** What it is said to be. */
  reference: string
}

/**
 * Adds a balance that a student came with to the credit of whoever pays for the student.
 * @returns the id of the entry @throws NotFound for a student or a payer out of reach
 */
export const openCredit = async (tx: Tx, { studentId, currency, amountMinor, reference }: Opening): Promise<string> => {
  await lockCurrency(tx)
  const student = tx.db.selectFrom('student').select('branch_id').where('id', '=', studentId)
  const { branch_id: branchId } = found(await student.executeTakeFirst())
  const payerId = (await readPayersOfRecord(tx.whole, [studentId])).get(studentId) ?? null
  const holder = holderOf(payerId, studentId)
  await lockHolder(tx, holder)
  const account = await accountIn(tx, await lockAccounts(tx.db, holder, currency), { holder, branchId, currency })
  return (await addEntry(tx, account, { kind: 'opened', amount_minor: amountMinor, reference })).id
}

/** Takes such a balance back. @returns whether it could be: its credit was not used */
export const takeBackOpening = async (tx: Tx, entryId: string): Promise<boolean> => {
  const entry = tx.whole.selectFrom('credit_entry').select(['account_id', 'amount_minor', 'reference'])
  const {
    account_id,
    amount_minor: amount,
    reference,
  } = await entry.where('id', '=', entryId).executeTakeFirstOrThrow()
  const account = await lockAccountOf(tx, account_id)
  if (account.credit_minor < amount) return false
  await addEntry(tx, account, { kind: 'opened', amount_minor: -amount, reverses_entry_id: entryId, reference })
  return true
}
