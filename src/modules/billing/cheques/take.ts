import { found, invalid } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays } from '#kernel/time/zone.ts'
import { lockAhead, lockBranchOf } from '../accounts/ahead.ts'
import type { InvoiceRow } from '../invoices.ts'
import { allocated, checkTakes } from '../payments.ts'
import type { Receipt } from '../receipt-schemas.ts'
import { addReceipt, readReceipt } from '../receipts.ts'
import { lockInvoices } from '../settle.ts'
import { holdInTill } from '../tills/entries.ts'
import { heldFor, isCovered } from './covering.ts'
import { becomeDue } from './due.ts'
import { AllocationsAboveCheques, ChequeNamedTwice, ChequeStale } from './failures.ts'
import { addPart, insertCheque, sameAs } from './rows.ts'
import type { NewCheque, NewCheques } from './schemas.ts'

/** Banks take a cheque for so many days after its date. */
const STALE_DAYS = 180
/** A day further ahead is a year that was mistyped. */
const FURTHEST_DAYS = 1096

/** @throws ChequeNamedTwice, ChequeStale, VALIDATION_ERROR for a day that is too far ahead */
const checkCheques = ({ today }: Tx, cheques: readonly NewCheque[]): void => {
  const known = cheques.map(sameAs)
  const [earliest, latest] = [addDays(today, -STALE_DAYS), addDays(today, FURTHEST_DAYS)]
  for (const [index, { dueOn }] of cheques.entries()) {
    if (known.indexOf(known[index] as string) !== index) {
      const path = ['cheques', String(index), 'number']
      throw ChequeNamedTwice({
        issues: [{ path, message: 'Must not be the number of another cheque of the same account.' }],
      })
    }
    const path = ['cheques', String(index), 'dueOn']
    if (dueOn < earliest) throw ChequeStale({ issues: [{ path, message: `Must be ${earliest} or later.` }] })
    if (dueOn > latest) throw invalid(path, `Must be ${latest} or earlier.`)
  }
}

/** An invoice that was overdue is not while cheques that are held come to what is still to be paid of it. */
const markCovered = async (tx: Tx, invoice: InvoiceRow): Promise<void> => {
  if (invoice.status !== 'overdue' || !(await isCovered(tx.whole, invoice))) return
  const status = invoice.paid_minor > invoice.credited_minor ? 'partially_paid' : 'issued'
  const version = invoice.version + 1
  await tx.whole
    .updateTable('invoice')
    .set({ status, version, updated_at: tx.now })
    .where('id', '=', invoice.id)
    .execute()
  tx.audit({
    entityType: 'invoice',
    entityId: invoice.id,
    before: { status: invoice.status, version: invoice.version },
    after: { status, version },
  })
}

/**
 * Takes cheques with one receipt. Those of today or earlier are due at once; the others are held until their day. What
 * goes to invoices is spread over them by their day.
 * @throws ChequeNamedTwice, ChequeStale, ChequeKnown, AllocationsAboveCheques, InvoiceNamedTwice, NotFound, TakesNoPayment,
 * CurrencyDiffers, AboveBalance, PayersDiffer, VALIDATION_ERROR
 */
export const takeCheques = async (tx: Tx, body: NewCheques): Promise<Receipt> => {
  const { cheques, allocations, currency } = body
  checkCheques(tx, cheques)
  const sum = cheques.reduce((all, { amountMinor }) => all + amountMinor, 0)
  if (allocated(allocations) > sum) {
    throw AllocationsAboveCheques({
      issues: [{ path: ['allocations'], message: `Must come to at most what the cheques do: ${sum}.` }],
    })
  }
  await lockBranchOf(tx, body)
  const { payers, holder, branchId } = await lockAhead(tx, body)
  const ids = allocations.map(({ invoiceId }) => invoiceId)
  const invoices = await lockInvoices(tx.db, ids)
  const held = await heldFor(tx.whole, ids)
  for (const [index, { invoiceId, amountMinor }] of allocations.entries()) {
    const invoice = found(invoices.get(invoiceId))
    const amount = ['allocations', String(index), 'amountMinor']
    // What other cheques are held for is not paid twice.
    const open = { ...invoice, paid_minor: invoice.paid_minor + (held.get(invoiceId) ?? 0) }
    checkTakes(open, { amountMinor, currency }, { amount, currency: ['currency'] })
  }
  const { receipt } = await addReceipt(tx, payers, { method: 'cheque', receivedAt: tx.now, branchId })
  const inOrder = cheques
    .map((cheque, index) => ({ ...cheque, path: ['cheques', String(index), 'number'] }))
    .toSorted((one, other) => (one.dueOn < other.dueOn ? -1 : Number(one.dueOn > other.dueOn)))
  const left = allocations.map(({ invoiceId, amountMinor }) => ({ invoiceId, amountMinor }))
  const due: string[] = []
  for (const drawn of inOrder) {
    const chequeId = await insertCheque(tx, drawn, { receipt, holder, branchId, currency, status: 'held' })
    let free = drawn.amountMinor
    for (const part of left) {
      const amountMinor = Math.min(free, part.amountMinor)
      if (amountMinor === 0) continue
      await addPart(tx, { chequeId, invoiceId: part.invoiceId, amountMinor })
      part.amountMinor -= amountMinor
      free -= amountMinor
    }
    if (drawn.dueOn <= tx.today) due.push(chequeId)
    else {
      await holdInTill(tx, { id: chequeId, branch_id: branchId, currency, amount_minor: drawn.amountMinor })
    }
  }
  for (const invoice of invoices.values()) await markCovered(tx, invoice)
  for (const id of due) await becomeDue(tx, id, tx.now)
  return readReceipt(tx.db, receipt.id)
}
