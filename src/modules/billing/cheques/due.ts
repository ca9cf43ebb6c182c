import { compiled, compiledInTenant } from '#db/queries/compiled.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { found } from '#kernel/values/errors.ts'
import { readSettings } from '#modules/settings/index.ts'
import { findTenants } from '#modules/tenants/index.ts'
import { changeRecord, findRow, lockRow } from '#runtime/records/records.ts'
import { keepAhead } from '../accounts/ahead.ts'
import { openOf } from '../accounts/apply-many.ts'
import { lockAccounts, type Holder } from '../accounts/credit.ts'
import type { InvoiceRow } from '../invoices.ts'
import { OPEN } from '../lifecycle.ts'
import { addPayments } from '../payments.ts'
import type { NewReceiptRow, ReceiptRow } from '../receipts.ts'
import { lockInvoices } from '../settle.ts'
import { addToTill } from '../tills/entries.ts'
import { chequeRecord } from './cheque.ts'
import { heldFor } from './covering.ts'
import { addEntries, partsOf, type ChequeRow, type NewEntry } from './rows.ts'

export const sweepChequesJob = declareJob('billing.sweep-cheques', noPayload)

const holderOfCheque = ({ guardian_id: guardianId, student_id: studentId }: ChequeRow): Holder => ({
  guardianId,
  studentId,
})

const receiptById = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('receipt')
    .select(['id', 'number', 'students', 'payer_guardian_id', 'payer_name'])
    .where('id', '=', id),
)

type Known = Pick<ReceiptRow, 'id' | 'number' | 'students' | 'payer_guardian_id' | 'payer_name'>

const toNew = ({ id, number, students, payer_guardian_id: payerId, payer_name: name }: Known): NewReceiptRow => ({
  id,
  number,
  payers: { students, payer: payerId === null ? null : { id: payerId, fullName: name ?? '' } },
})

/**
 * Makes a cheque that is held what it is on its day: payments of its receipt, on the invoices that it is for and, where the
 * institute applies what is paid ahead, on what else its payer owes, the first due first; the rest is credit. Accounts are
 * locked before the cheque, and that before the invoices.
 * @returns whether it was held until now
 */
export const becomeDue = async (tx: Tx, id: string, receivedAt: string): Promise<boolean> => {
  const seen = await findRow(tx.whole, chequeRecord, id)
  const { currency, number: reference } = seen
  const holder = holderOfCheque(seen)
  const accounts = await lockAccounts(tx.whole, holder, currency)
  const cheque = await lockRow({ db: tx.whole }, chequeRecord, id)
  if (cheque.status !== 'held') return false
  const parts = await partsOf(tx.whole, id)
  const open = (await readSettings(tx.whole)).applyCredit ? await openOf(tx.db, holder, currency) : []
  const ids = [...new Set([...parts.map((part) => part.invoice_id), ...open])]
  const invoices = new Map(await lockInvoices(tx.whole, ids))
  const held = await heldFor(tx.whole, open, id)
  const receipt = toNew(found((await receiptById(tx.whole, { id: cheque.receipt_id }))[0]))
  const manner = { currency, method: 'cheque', provider: 'manual', reference, receivedAt } as const
  const entries: NewEntry[] = []
  let left = cheque.amount_minor
  const pay = async (invoiceId: string, most: number): Promise<void> => {
    const invoice = invoices.get(invoiceId) as InvoiceRow
    const amountMinor = Math.min(left, most, invoice.total_minor - invoice.paid_minor)
    if (!OPEN.includes(invoice.status) || amountMinor <= 0) return
    for (const paid of await addPayments(tx, [{ invoice, amountMinor }], { manner, receipt })) {
      invoices.set(invoiceId, paid.invoice)
      entries.push({ payment_id: paid.payment.id })
    }
    left -= amountMinor
  }
  for (const part of parts) await pay(part.invoice_id, part.amount_minor)
  for (const invoiceId of open) {
    const { total_minor: total, paid_minor: paid } = invoices.get(invoiceId) as InvoiceRow
    // What other cheques are held for is left to them.
    await pay(invoiceId, total - paid - (held.get(invoiceId) ?? 0))
  }
  if (left > 0) {
    const kept = { accounts, holder, branchId: cheque.branch_id, currency }
    const entry = { amount_minor: left, receipt_id: receipt.id, reference, at: receivedAt }
    const entryId = await keepAhead(tx, kept, entry)
    entries.push({ credit_entry_id: entryId })
    // Of a cheque of today, as of what is paid ahead otherwise: it lies in the till of who took it.
    const taken = { branch_id: cheque.branch_id, method: 'cheque', currency, amount_minor: left } as const
    await addToTill(tx, { ...taken, credit_entry_id: entryId })
  }
  await addEntries(tx, id, entries)
  await changeRecord(tx.within('all'), chequeRecord, cheque, { status: 'due' })
  return true
}

/** The position of a cheque in the index that the sweep follows. */
interface Position {
  due_on: string
  tenant_id: string
  id: string
}

const NOBODY = '00000000-0000-0000-0000-000000000000'
/** Before all others. */
const BEGINNING: Position = { due_on: '0001-01-01', tenant_id: NOBODY, id: NOBODY }
const BATCH = 50

const nextAfter = compiled((db, { latest, due_on, tenant_id, id }: Position & { latest: string }) =>
  db
    .selectFrom('cheque')
    .select(['due_on', 'tenant_id', 'id'])
    .where('status', '=', 'held')
    .where('due_on', '<=', latest)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('due_on', 'tenant_id', 'id'), '>', tuple(due_on, tenant_id, id)))
    .orderBy('due_on')
    .orderBy('tenant_id')
    .orderBy('id')
    .limit(BATCH),
)

/**
 * Makes payments of the cheques whose day has come in their institute's time zone, each in a transaction of its own: of two
 * sweeps at once the lock on the cheque lets one do it, and one that is killed leaves the rest to the next.
 */
export const sweepCheques = async ({ db, everywhere, now, change }: JobContext): Promise<void> => {
  // No time zone is further ahead than tomorrow's date in UTC.
  const latest = addDays(now.slice(0, 10), 1)
  let after = BEGINNING
  for (;;) {
    const batch = await nextAfter(everywhere, { latest, ...after })
    const last = batch.at(-1)
    if (!last) return
    const tenants = await findTenants(db, [...new Set(batch.map((one) => one.tenant_id))])
    for (const { due_on: dueOn, tenant_id: tenantId, id } of batch) {
      const tenant = tenants.get(tenantId)
      if (!tenant || tenant.status === 'archived' || dueOn > localDate(now, tenant.timezone)) continue
      await change((system) => becomeDue(system.inTenant(tenant), id, startOfLocalDay(dueOn, tenant.timezone)))
    }
    after = { due_on: last.due_on, tenant_id: last.tenant_id, id: last.id }
  }
}
