import { actingUserId } from '#kernel/who/actor.ts'
import { found, invalid } from '#kernel/values/errors.ts'
import { money } from '#kernel/values/money.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { yearOf } from '#kernel/time/zone.ts'
import { fullName } from '#modules/people/index.ts'
import { nextNumber } from '#modules/tenants/index.ts'
import { recordOf, type Row } from '#runtime/records/records.ts'
import { AboveCredit, NoCredit } from '../failures.ts'
import { keptForReceipt } from '../keep.ts'
import { numberOf } from '../numbers.ts'
import { addToTill } from '../tills/entries.ts'
import { holderWho } from './ahead.ts'
import { addEntry, creditOf, lockAccounts, lockPaidOut } from './credit.ts'
import type { NewRefund, Refund } from './note-schemas.ts'

export const showRefund = (row: Row<'refund'>): Refund => ({
  id: row.id,
  number: row.number,
  guardianId: row.guardian_id,
  studentId: row.student_id,
  payerName: row.kept.payer?.fullName ?? '',
  amount: money(row.amount_minor, row.currency),
  method: row.method,
  reference: row.reference,
  reason: row.reason,
  paidAt: row.paid_at,
  createdAt: row.created_at,
})

export const refundRecord = recordOf('refund', { show: showRefund, withoutUpdatedAt: true })

/** A student without a guardian, as a paper names them. */
const partyOfStudent = async (tx: Tx, id: string) => {
  const row = found(
    await tx.whole
      .selectFrom('student')
      .select(['first_name', 'last_name', 'national_id', 'address'])
      .where('id', '=', id)
      .executeTakeFirst(),
  )
  return { fullName: fullName(row), nationalId: row.national_id, address: row.address }
}

/** Pays out of a payer's credit. @throws NotFound, NoCredit, AboveCredit, VALIDATION_ERROR for a time that is still to come */
export const refundCredit = async (tx: Tx, body: NewRefund): Promise<Refund> => {
  const { amountMinor, method, reference = null, reason, paidAt = tx.now } = body
  if (paidAt > tx.now) throw invalid(['paidAt'], 'Must not be in the future.')
  const holder = holderWho(body, [])
  const currency = body.currency ?? tx.tenant.currency
  await lockPaidOut(tx, holder)
  const accounts = await lockAccounts(tx.db, holder, currency)
  const credit = creditOf(accounts)
  if (credit === 0) throw NoCredit()
  if (amountMinor > credit) {
    throw AboveCredit({ issues: [{ path: ['amountMinor'], message: `Must be at most the credit: ${credit}.` }] })
  }
  const largest = accounts.reduce((most, account) => (account.credit_minor > most.credit_minor ? account : most))
  const year = yearOf(tx.today)
  const kept = await keptForReceipt(tx, largest.branch_id, holder.guardianId)
  const row: Omit<Row<'refund'>, 'tenant_id'> = {
    id: tx.id(),
    branch_id: largest.branch_id,
    guardian_id: holder.guardianId,
    student_id: holder.studentId,
    number: numberOf('RF', year, await nextNumber(tx.whole, `refund ${year}`)),
    amount_minor: amountMinor,
    currency,
    method,
    reference,
    reason,
    kept: holder.studentId === null ? kept : { ...kept, payer: await partyOfStudent(tx, holder.studentId) },
    paid_at: paidAt,
    by_user_id: actingUserId(tx.actor),
    created_at: tx.now,
  }
  await tx.db.insertInto('refund').values(row).execute()
  await addToTill(tx, { branch_id: row.branch_id, method, currency, amount_minor: -amountMinor, refund_id: row.id })
  let left = amountMinor
  for (const account of [largest, ...accounts.filter(({ id }) => id !== largest.id)]) {
    const part = Math.min(left, account.credit_minor)
    left -= part
    if (part > 0) {
      await addEntry(tx, account, { kind: 'refunded', amount_minor: -part, refund_id: row.id, reference, at: paidAt })
    }
  }
  const shown = showRefund({ ...row, tenant_id: tx.tenant.id })
  tx.audit({ entityType: 'refund', entityId: row.id, after: shown })
  return shown
}
