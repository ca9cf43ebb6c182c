import { localDate } from '#kernel/time/zone.ts'
import { keptOfRefund, refundRecord } from '#modules/billing/index.ts'
import { readRecord } from '#runtime/records/records.ts'
import { facts, languageOf, type MakePaper } from './frame.ts'
import { partyLines } from './people.ts'
import type { MoneyPaperQuery } from './schemas.ts'
import { spelled } from './spelled/index.ts'
import { amount, code, written } from './text.ts'

/** The voucher of what was paid out, on which whoever got it signs. @throws NotFound */
export const refundPaper: MakePaper<MoneyPaperQuery> = async (context, id, { locale, copy }) => {
  const { db, tenant } = context
  const refund = await readRecord(db, refundRecord, id)
  const { kept, branch_id: branchId } = await keptOfRefund(db, id)
  const { payer, issuer } = kept
  const { timezone } = issuer
  const language = languageOf({ ...tenant, timezone }, locale ?? kept.locale)
  const { words, dates } = language
  const edition = copy ? 'copy' : await context.editionOf({ kind: 'refund', id })
  const { method, reference } = refund
  return {
    language,
    draft: {
      number: code(refund.number),
      fileName: refund.number,
      title: words.refund.title,
      date: localDate(refund.paidAt, timezone),
      branchId,
      note: words[edition],
      footer: null,
      isOfficial: true,
      issuer,
      blocks: [
        facts(
          [words.refund.payer, payer ? partyLines(payer, language) : written(refund.payerName)],
          [words.refund.paidAt, dates.moment(refund.paidAt)],
          [words.refund.reason, written(refund.reason)],
          [words.receipt.method, words.methods[method]],
          [
            method === 'cheque' ? words.receipt.cheque : words.receipt.reference,
            reference === null ? null : written(reference),
          ],
        ),
        { kind: 'sums', sums: [{ label: words.refund.total, value: amount(refund.amount) }] },
        facts([words.receipt.inWords, spelled(language.locale, refund.amount)]),
        { kind: 'signatures', labels: [words.certificate.date, words.refund.signature] },
      ],
    },
  }
}
