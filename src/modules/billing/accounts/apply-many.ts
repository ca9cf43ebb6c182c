import { found, invalid } from '#kernel/values/errors.ts'
import { money, type Currency } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { spread } from '#shared/allocate.ts'
import { AboveBalance, AboveCredit, InvoiceNamedTwice, NoCredit, TakesNoPayment } from '../failures.ts'
import type { InvoiceRow } from '../invoices.ts'
import { OPEN } from '../lifecycle.ts'
import { lockInvoices, settle } from '../settle.ts'
import { holderWho } from './ahead.ts'
import { takeForInvoice } from './apply.ts'
import { creditOf, lockAccounts, lockHolder, type Holder } from './credit.ts'
import type { AppliedCredit, ApplyCredit } from './schemas.ts'

/** As many invoices as one request pays. */
const MOST = 50

/** The open invoices that this person pays, first due first. */
export const openOf = async (
  db: ScopedDb,
  { guardianId, studentId }: Holder,
  currency: Currency,
): Promise<string[]> => {
  const open = db
    .selectFrom('invoice')
    .select('id')
    .where('status', 'in', OPEN)
    .where('currency', '=', currency)
    .orderBy('due_date')
    .orderBy('id')
    .limit(MOST)
  const own =
    guardianId === null
      ? open.where('student_id', '=', studentId as string).where('payer_guardian_id', 'is', null)
      : open.where('payer_guardian_id', '=', guardianId)
  return (await own.execute()).map(({ id }) => id)
}

/** A guardian's credit pays what that guardian pays, and what their children owe; a student's, what the student owes. */
const checkTheirs = async (tx: Tx, { guardianId, studentId }: Holder, invoices: readonly InvoiceRow[]) => {
  const links =
    guardianId === null
      ? []
      : await tx.whole.selectFrom('guardian_link').select('student_id').where('guardian_id', '=', guardianId).execute()
  const children = new Set(guardianId === null ? [studentId] : links.map((link) => link.student_id))
  const foreign = invoices.findIndex(
    (invoice) => !children.has(invoice.student_id) && (guardianId === null || invoice.payer_guardian_id !== guardianId),
  )
  if (foreign !== -1) throw invalid(['allocations', foreign, 'invoiceId'], 'Must be an invoice of the family.')
}

/**
 * Pays invoices from the credit of a payer. Accounts are locked before the invoices.
 * @throws NotFound, NoCredit, AboveCredit, InvoiceNamedTwice, TakesNoPayment, AboveBalance, VALIDATION_ERROR
 */
export const applyCredit = async (tx: Tx, body: ApplyCredit): Promise<AppliedCredit> => {
  const holder = holderWho(body, [])
  const currency = body.currency ?? tx.tenant.currency
  await lockHolder(tx, holder)
  let accounts = await lockAccounts(tx.db, holder, currency)
  const credit = creditOf(accounts)
  if (credit === 0) throw NoCredit()
  const named = body.allocations
  const ids = named ? named.map(({ invoiceId }) => invoiceId) : await openOf(tx.db, holder, currency)
  const again = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (again !== -1) {
    const path = ['allocations', String(again), 'invoiceId']
    throw InvoiceNamedTwice({ issues: [{ path, message: 'Must not name an invoice twice.' }] })
  }
  const locked = await lockInvoices(tx.db, ids)
  const invoices = ids.map((id) => found(locked.get(id)))
  if (named) await checkTheirs(tx, holder, invoices)
  const parts = named ?? spread(invoices.filter(({ status }) => OPEN.includes(status)).map(toOpen), credit)
  const sum = parts.reduce((all, { amountMinor }) => all + amountMinor, 0)
  if (sum > credit) {
    throw AboveCredit({ issues: [{ path: ['allocations'], message: `Must come to at most the credit: ${credit}.` }] })
  }
  const allocations: AppliedCredit['allocations'] = []
  for (const [index, { invoiceId, amountMinor }] of parts.entries()) {
    const invoice = locked.get(invoiceId) as InvoiceRow
    if (!OPEN.includes(invoice.status)) throw TakesNoPayment({ invoiceId, status: invoice.status })
    if (invoice.currency !== currency) {
      throw invalid(['allocations', index, 'invoiceId'], `Must be an invoice in ${currency}.`)
    }
    const { openMinor: balance } = toOpen(invoice)
    if (amountMinor > balance) {
      const path = ['allocations', String(index), 'amountMinor']
      throw AboveBalance({ issues: [{ path, message: `Must be at most the balance: ${balance}.` }] })
    }
    accounts = await takeForInvoice(tx, accounts, { invoice, amountMinor })
    const { status } = await settle(tx, invoice, amountMinor)
    tx.audit({
      entityType: 'invoice',
      entityId: invoiceId,
      metadata: { creditMinor: amountMinor, status: [invoice.status, status] },
    })
    allocations.push({ invoiceId, number: invoice.number, amount: money(amountMinor, currency) })
  }
  return { allocations, credit: money(creditOf(accounts), currency) }
}

const toOpen = ({ id, due_date: dueDate, total_minor: total, paid_minor: paid }: InvoiceRow) => ({
  id,
  dueDate,
  openMinor: total - paid,
})
