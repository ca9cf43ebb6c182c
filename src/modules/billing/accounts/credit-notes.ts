import { actingUserId } from '#kernel/who/actor.ts'
import { found, invalid } from '#kernel/values/errors.ts'
import { money } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { yearOf } from '#kernel/time/zone.ts'
import { nextNumber } from '#modules/tenants/index.ts'
import { findRow, lockRow, type Row } from '#runtime/records/records.ts'
import { credited } from '#shared/credited.ts'
import { AboveInvoice, NotCreditable } from '../failures.ts'
import { invoiceRecord } from '../invoices.ts'
import { numberOf } from '../numbers.ts'
import { settle } from '../settle.ts'
import { accountIn, addEntry, holderOf, lockAccounts } from './credit.ts'
import type { CreditNote, NewCreditNote } from './note-schemas.ts'

type NoteRow = Row<'credit_note'>

const numbersOf = async (db: ScopedDb, invoiceId: string) =>
  found(
    await db
      .selectFrom('invoice')
      .select(['number', 'student_id', 'payer_guardian_id', 'currency'])
      .where('id', '=', invoiceId)
      .executeTakeFirst(),
  )

type OfInvoice = Awaited<ReturnType<typeof numbersOf>>

/** Shows a credit note with what it takes from its invoice. */
export const showNote = (row: NoteRow, invoice: OfInvoice): CreditNote => ({
  id: row.id,
  number: row.number,
  invoiceId: row.invoice_id,
  invoiceNumber: invoice.number,
  studentId: invoice.student_id,
  payerGuardianId: invoice.payer_guardian_id,
  payerName: row.kept.payer?.fullName ?? null,
  amount: money(row.amount_minor, invoice.currency),
  toCredit: money(row.amount_minor - row.settled_minor, invoice.currency),
  lines: row.lines.map(({ description, amountMinor }) => ({
    description,
    amount: money(amountMinor, invoice.currency),
  })),
  reason: row.reason,
  issueDate: row.issue_date,
  createdAt: row.created_at,
})

/** @throws NotFound */
export const readNote = async (db: ScopedDb, id: string): Promise<CreditNote> => {
  const row = found(await db.selectFrom('credit_note').selectAll().where('id', '=', id).executeTakeFirst())
  return showNote(row, await numbersOf(db, row.invoice_id))
}

/**
 * Takes back a part of an issued invoice. As far as it is not paid, its balance falls; what was paid becomes credit of its
 * payer. Accounts are locked before the invoice.
 * @throws NotFound, NotCreditable, AboveInvoice, VALIDATION_ERROR
 */
export const creditInvoice = async (tx: Tx, invoiceId: string, body: NewCreditNote): Promise<CreditNote> => {
  if ((body.amountMinor === undefined) === (body.lines === undefined)) {
    throw invalid(['amountMinor'], 'Must be given, or lines.')
  }
  const seen = await findRow(tx.db, invoiceRecord, invoiceId)
  const holder = holderOf(seen.payer_guardian_id, seen.student_id)
  const accounts = await lockAccounts(tx.whole, holder, seen.currency)
  const invoice = await lockRow(tx, invoiceRecord, invoiceId)
  const { kept, status, currency, branch_id: branchId } = invoice
  if (status === 'draft' || status === 'void' || kept === null) throw NotCreditable()
  const lines = body.lines ?? [{ description: body.reason, amountMinor: body.amountMinor ?? 0 }]
  const amount = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const left = invoice.total_minor - invoice.credited_minor
  if (amount > left) {
    const path = [body.lines ? 'lines' : 'amountMinor']
    throw AboveInvoice({ issues: [{ path, message: `Must be at most what is left of the invoice: ${left}.` }] })
  }
  const { settledMinor: settled, toCreditMinor } = credited(amount, invoice.total_minor - invoice.paid_minor)
  const year = yearOf(tx.today)
  const changed = await settle(tx, invoice, settled, amount)
  const row = {
    id: tx.id(),
    invoice_id: invoiceId,
    number: numberOf('CN', year, await nextNumber(tx.whole, `credit note ${year}`)),
    amount_minor: amount,
    settled_minor: settled,
    lines,
    reason: body.reason,
    issue_date: tx.today,
    kept,
    by_user_id: actingUserId(tx.actor),
    created_at: tx.now,
  }
  await tx.db.insertInto('credit_note').values(row).execute()
  if (toCreditMinor > 0) {
    const account = await accountIn(tx, accounts, { holder, branchId, currency })
    const entry = {
      kind: 'credited',
      amount_minor: toCreditMinor,
      invoice_id: invoiceId,
      credit_note_id: row.id,
    } as const
    await addEntry(tx, account, entry)
  }
  const shown = await readNote(tx.db, row.id)
  tx.audit({
    entityType: 'credit_note',
    entityId: row.id,
    after: shown,
    metadata: { invoice: { id: invoiceId, number: invoice.number }, status: [status, changed.status] },
  })
  return shown
}
