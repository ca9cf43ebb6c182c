import { compiledInTenant } from '#db/compiled.ts'
import { localDate } from '#kernel/time/zone.ts'
import { keptOfReceipt, readReceipt } from '#modules/billing/index.ts'
import type { Block } from '#ports/papers/port.ts'
import { facts, languageOf, type Language, type MakePaper } from './frame.ts'
import { localeOfGuardian, partyLines } from './people.ts'
import type { ReceiptPaperQuery } from './schemas.ts'
import { amount, code, written } from './text.ts'

type Receipt = Awaited<ReturnType<typeof readReceipt>>

const invoiceById = compiledInTenant((db, { id }: { id: string }) =>
  db.selectFrom('invoice').select('branch_id').where('id', '=', id),
)

const paymentsOf = ({ payments, credit }: Receipt, { words: { receipt: words } }: Language): Block => ({
  kind: 'table',
  title: null,
  columns: [
    { head: words.invoice, align: 'start', width: 'share' },
    { head: words.amount, align: 'right', width: 'content' },
  ],
  rows: [
    ...payments.map(({ invoiceNumber, amount: paid }) => [code(invoiceNumber), amount(paid)]),
    ...(credit === null ? [] : [[words.ahead, amount(credit)]]),
  ],
})

/** @throws NotFound */
export const receiptPaper: MakePaper<ReceiptPaperQuery> = async ({ db, whole, tenant }, id, { locale, copy, size }) => {
  const receipt = await readReceipt(db, id)
  const kept = await keptOfReceipt(db, id)
  const payersLocale = kept ? kept.locale : await localeOfGuardian(whole, receipt.payerGuardianId)
  const timezone = kept?.issuer.timezone ?? tenant.timezone
  const language = languageOf({ ...tenant, timezone }, locale ?? payersLocale)
  const { words, dates } = language
  const { students } = receipt
  const first = receipt.payments[0]
  const [invoice] = first ? await invoiceById(db, { id: first.invoiceId }) : []
  return {
    language,
    draft: {
      number: code(receipt.number),
      fileName: receipt.number,
      title: words.receipt.title,
      date: localDate(receipt.receivedAt, timezone),
      branchId: invoice?.branch_id ?? null,
      size,
      mark: receipt.cancelledAt === null ? null : words.receipt.cancelled,
      note: copy ? words.copy : null,
      footer: null,
      isOfficial: true,
      issuer: kept?.issuer,
      blocks: [
        facts(
          [words.receipt.payer, kept?.payer ? partyLines(kept.payer) : receipt.payerName && written(receipt.payerName)],
          [words.receipt.receivedAt, dates.moment(receipt.receivedAt)],
          [
            students.length === 1 ? words.student : words.students,
            students.map(({ fullName }) => written(fullName)).join('\n'),
          ],
          [words.receipt.method, words.methods[receipt.method]],
          [words.receipt.reference, receipt.reference === null ? null : written(receipt.reference)],
          [words.receipt.cancelledAt, receipt.cancelledAt === null ? null : dates.moment(receipt.cancelledAt)],
        ),
        paymentsOf(receipt, language),
        { kind: 'sums', sums: [{ label: words.receipt.total, value: amount(receipt.amount) }] },
      ],
    },
  }
}
