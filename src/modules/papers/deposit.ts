import { readDeposit } from '#modules/billing/index.ts'
import { facts, languageOf, type MakePaper } from './frame.ts'
import type { GroupPaperQuery } from './schemas.ts'
import { amount, code, written } from './text.ts'

/** What goes to the bank with the cheques. @throws NotFound */
export const depositPaper: MakePaper<GroupPaperQuery> = async ({ db, whole, tenant }, id, { locale }) => {
  const deposit = await readDeposit(db, whole, id)
  const language = languageOf(tenant, locale)
  const { words, dates } = language
  const column = (head: string) => ({ head, align: 'start', width: 'content' }) as const
  return {
    language,
    draft: {
      number: code(deposit.number),
      fileName: deposit.number,
      title: words.deposit.title,
      date: deposit.depositedOn,
      branchId: deposit.branchId,
      footer: null,
      isOfficial: true,
      blocks: [
        facts(
          [words.deposit.into, written(deposit.bankAccount)],
          [words.deposit.date, dates.day(deposit.depositedOn)],
          [words.deposit.count, code(deposit.cheques.length)],
        ),
        {
          kind: 'table',
          title: null,
          columns: [
            { head: words.deposit.payer, align: 'start', width: 'share' },
            column(words.cheques.bank),
            column(words.cheques.branch),
            column(words.cheques.account),
            column(words.cheques.number),
            column(words.cheques.dueOn),
            { head: words.cheques.amount, align: 'right', width: 'content' },
          ],
          rows: deposit.cheques.map((cheque) => [
            written(cheque.payerName),
            written(cheque.bank),
            code(cheque.branch),
            code(cheque.account),
            code(cheque.number),
            dates.day(cheque.dueOn),
            amount(cheque.amount),
          ]),
        },
        { kind: 'sums', sums: [{ label: words.deposit.total, value: amount(deposit.amount) }] },
        { kind: 'signatures', labels: [words.deposit.signature] },
      ],
    },
  }
}
