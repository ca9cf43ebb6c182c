import { money, type Currency } from '#kernel/values/money.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { yearOf } from '#kernel/time/zone.ts'
import { nextNumbers } from '#modules/tenants/index.ts'
import { inBatches } from '#runtime/change/batches.ts'
import { computed, insertLineRows, lineRow } from './drafts.ts'
import { toDetail, toInvoice, toLine } from './invoices.ts'
import { numberOf } from './numbers.ts'
import type { Invoice, NewLine } from './schemas.ts'

/** An invoice that is to be made, issued today. */
export interface PlannedInvoice {
  studentId: string
  branchId: string
  currency: Currency
  dueDate: string
  lines: readonly NewLine[]
}

/** What a planned invoice would be: it has neither id nor number. */
export const previewInvoice = (
  { studentId, branchId, currency, dueDate, lines }: PlannedInvoice,
  { today, invoiceFooter: footer }: { today: string; invoiceFooter: string | null },
) => {
  const { totals } = computed(lines)
  return {
    id: null,
    branchId,
    number: null,
    studentId,
    status: 'draft' as const,
    issueDate: today,
    dueDate,
    subtotal: money(totals.subtotalMinor, currency),
    discount: money(totals.discountMinor, currency),
    tax: money(totals.taxMinor, currency),
    total: money(totals.totalMinor, currency),
    paid: money(0, currency),
    credited: money(0, currency),
    footer,
  }
}

/**
 * Makes drafts with consecutive numbers. The caller has locked the institute's currency and the students, and has
 * checked what the lines refer to.
 * @throws VALIDATION_ERROR for lines that cannot be an invoice; see amountsProblem
 */
export const createDrafts = async (
  tx: Tx,
  planned: readonly PlannedInvoice[],
  { invoiceFooter: footer_now }: { invoiceFooter: string | null },
): Promise<Invoice[]> => {
  if (planned.length === 0) return []
  const year = yearOf(tx.today)
  const last = await nextNumbers(tx.whole, `invoice ${year}`, planned.length)
  const made = planned.map(({ studentId, branchId, currency, dueDate, lines }, index) => {
    const { amounts, totals } = computed(lines)
    const id = tx.id()
    const invoice = {
      id,
      branch_id: branchId,
      student_id: studentId,
      number: numberOf('INV', year, last - planned.length + 1 + index),
      status: 'draft' as const,
      issue_date: tx.today,
      due_date: dueDate,
      currency,
      subtotal_minor: totals.subtotalMinor,
      discount_minor: totals.discountMinor,
      tax_minor: totals.taxMinor,
      total_minor: totals.totalMinor,
      paid_minor: 0,
      credited_minor: 0,
      notes: null,
      void_reason: null,
      footer: null,
      payer_guardian_id: null,
      kept: null,
      issued_at: null,
      voided_at: null,
      version: 1,
      created_at: tx.now,
      updated_at: tx.now,
    }
    return { invoice, lines: lines.map((line, position) => lineRow(tx, id, { line, position, amounts })) }
  })
  await inBatches(made, (batch) =>
    tx.whole
      .insertInto('invoice')
      .values(batch.map(({ invoice }) => invoice))
      .execute(),
  )
  await insertLineRows(
    tx,
    made.flatMap(({ lines }) => lines),
  )
  for (const { invoice, lines } of made) {
    const after = toDetail({
      ...invoice,
      tenant_id: tx.tenant.id,
      lines: lines.map((line) => toLine({ ...line, currency: invoice.currency })),
      payments: [],
      credits: [],
      replaced: [],
      footer_now,
    })
    tx.audit({ entityType: 'invoice', entityId: invoice.id, after })
  }
  return made.map(({ invoice }) => toInvoice({ ...invoice, footer_now }))
}
