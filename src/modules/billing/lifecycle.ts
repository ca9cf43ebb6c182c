import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { readInvoiceFooter } from '#modules/settings/index.ts'
import { keepPace } from '#runtime/queue/pace.ts'
import { mustReach, type FindUnreached } from '#runtime/queue/reached.ts'
import { changeRecord, lockRow } from '#runtime/records/records.ts'
import { lockCreditAtIssue, takeForInvoice } from './accounts/apply.ts'
import { creditOf, holderOf } from './accounts/credit.ts'
import { coverAtIssue, isCovered } from './cheques/covering.ts'
import { CannotVoid, NotADraft, NotOpen } from './failures.ts'
import { invoiceRecord, readInvoice, type InvoiceRow } from './invoices.ts'
import { keptForInvoice } from './keep.ts'
import { addresseeOf } from './reach.ts'
import type { InvoiceDetail } from './schemas.ts'
import type { InvoiceStatus } from './tables.ts'

/** The statuses in which an invoice takes payments. */
export const OPEN: readonly InvoiceStatus[] = ['issued', 'partially_paid', 'overdue']

/** The data of events about an open invoice. */
export const openInvoiceEvent = (row: InvoiceRow) => ({
  invoiceId: row.id,
  studentId: row.student_id,
  number: row.number,
  totalMinor: row.total_minor,
  paidMinor: row.paid_minor,
  currency: row.currency,
  dueDate: row.due_date,
})

/**
 * Issues a draft, which keeps the footer, the people and the institute of now. What its payer has in credit pays it, where
 * the institute wants that; an invoice of 0 is paid at once. @throws NotFound, NotADraft
 */
export const issueInvoice = async (tx: Tx, id: string): Promise<InvoiceDetail> => {
  const credit = await lockCreditAtIssue(tx, id)
  const row = await lockRow(tx, invoiceRecord, id)
  if (row.status !== 'draft') throw NotADraft()
  const kept = await keptForInvoice(tx, row)
  // Who pays may have changed until the invoice was locked.
  const isTheirs = credit !== undefined && credit.holder.guardianId === kept.payerGuardianId
  const applied = isTheirs ? Math.min(creditOf(credit.accounts), row.total_minor) : 0
  const isPaid = applied === row.total_minor
  tx.emit('invoice.issued', {
    invoiceId: row.id,
    studentId: row.student_id,
    number: row.number,
    totalMinor: row.total_minor,
    currency: row.currency,
    dueDate: row.due_date,
    status: isPaid ? 'paid' : 'issued',
  })
  const footer = (await readInvoiceFooter(tx.db)) ?? ''
  const before = applied > 0 ? { before: await readInvoice(tx.db, id) } : {}
  if (credit && applied > 0) await takeForInvoice(tx, credit.accounts, { invoice: row, amountMinor: applied })
  const status = isPaid ? 'paid' : applied > 0 ? 'partially_paid' : 'issued'
  if (!isPaid) {
    const owed = row.total_minor - applied
    await coverAtIssue(tx, row, { holder: holderOf(kept.payerGuardianId, row.student_id), owed })
  }
  const changes = { status, paidMinor: applied, issuedAt: tx.now, footer, ...kept } as const
  return changeRecord(tx, invoiceRecord, row, changes, before)
}

/**
 * An invoice of 0 can be voided, although it counts as paid. @throws NotFound, CannotVoid when it is void, or anything
 * was paid or credited
 */
export const voidInvoice = async (tx: Tx, id: string, reason: string): Promise<InvoiceDetail> => {
  const row = await lockRow(tx, invoiceRecord, id)
  if (row.status === 'void' || row.paid_minor > 0 || row.credited_minor > 0) throw CannotVoid()
  return changeRecord(tx, invoiceRecord, row, { status: 'void', voidReason: reason, voidedAt: tx.now })
}

/** Voids an invoice that was not issued. @throws NotFound, NotADraft */
export const voidDraft = async (tx: Tx, id: string, reason: string): Promise<InvoiceDetail> => {
  const { status } = await lockRow(tx, invoiceRecord, id)
  if (status !== 'draft') throw NotADraft()
  return voidInvoice(tx, id, reason)
}

/**
 * Records an event that asks for a reminder.
 * @param toCall whether the office calls who is not reached
 * @throws NotFound, NotOpen, NobodyReached, RecordSentOften, PersonSentOften
 */
export const remindOfInvoice = async (
  tx: Tx,
  id: string,
  { findUnreached, toCall }: { findUnreached: FindUnreached; toCall: boolean },
): Promise<void> => {
  const row = await lockRow(tx, invoiceRecord, id)
  if (!OPEN.includes(row.status) || (await isCovered(tx.whole, row))) throw NotOpen()
  const to = addresseeOf(row)
  await mustReach(findUnreached, tx, { text: 'invoice.reminder_requested', to: [to], toCall })
  await keepPace(tx, { recordId: id, personId: to.id })
  tx.emit('invoice.reminder_requested', openInvoiceEvent(row))
  tx.audit({ entityType: 'invoice', entityId: id })
}
