import type { InferOutput } from 'valibot'
import { readStatement } from '#modules/billing/index.ts'
import type { Block, Column } from '#ports/papers/port.ts'
import { facts, languageOf, type Language, type MakePaper } from './frame.ts'
import { partyOf, type Party } from './people.ts'
import type { StatementPaperQuery } from './schemas.ts'
import { amount, code, written } from './text.ts'

type Statement = Awaited<ReturnType<typeof readStatement>>

const entriesOf = ({ entries }: Statement, { words: { statement: words }, dates }: Language): Block => {
  const figure = (head: string): Column => ({ head, align: 'right', width: 'content' })
  return {
    kind: 'table',
    title: null,
    columns: [
      { head: words.date, align: 'start', width: 'content' },
      { head: words.entry, align: 'start', width: 'share' },
      { head: words.reference, align: 'start', width: 'content' },
      figure(words.debit),
      figure(words.credit),
      figure(words.balance),
    ],
    rows: entries.map(({ date, kind, reference, debit, credit, balance }) => [
      dates.day(date),
      words.kinds[kind],
      code(reference),
      debit.amountMinor === 0 ? '' : amount(debit),
      credit.amountMinor === 0 ? '' : amount(credit),
      amount(balance),
    ]),
  }
}

/** To whom it is: those who pay the invoices, by the names that these keep; without an invoice, the payer of record. */
const addressed = ({ payers }: Statement, { payer, student }: Party): string =>
  payers.length === 0
    ? written(payer?.fullName ?? student.fullName)
    : payers.map(({ name }) => written(name ?? student.fullName)).join('\n')

/** What each of several payers owes, and the whole. */
const sumsOf = ({ payers, closingBalance, held }: Statement, { student }: Party, { words }: Language): Block => ({
  kind: 'sums',
  sums: [
    ...(payers.length > 1 ? payers : []).map(({ name, balance }) => ({
      label: written(name ?? student.fullName),
      value: amount(balance),
    })),
    ...(held.amountMinor > 0 ? [{ label: words.statement.held, value: amount(held) }] : []),
    { label: words.statement.closing, value: amount(closingBalance) },
  ],
})

/** @throws NotFound, SumTooLarge, VALIDATION_ERROR */
export const statementPaper: MakePaper<InferOutput<typeof StatementPaperQuery>> = async (
  { db, whole, tenant },
  id,
  { locale, ...query },
) => {
  const statement = await readStatement({ db, tenant }, id, query)
  const party = await partyOf(whole, id)
  const language = languageOf(tenant, locale ?? party.locale)
  const { words, dates } = language
  const { from, to } = query
  return {
    language,
    draft: {
      number: code(party.student.studentNumber),
      fileName: `${words.statement.title} ${party.student.studentNumber}`,
      title: words.statement.title,
      date: to ?? statement.entries.at(-1)?.date ?? null,
      branchId: party.branchId,
      footer: statement.footer,
      isOfficial: true,
      blocks: [
        facts(
          [words.payer, addressed(statement, party)],
          [words.statement.from, from === undefined ? null : dates.day(from)],
          [words.student, written(party.student.fullName)],
          [words.statement.to, to === undefined ? null : dates.day(to)],
        ),
        ...(from === undefined ? [] : [facts([words.statement.opening, amount(statement.openingBalance)])]),
        entriesOf(statement, language),
        sumsOf(statement, party, language),
      ],
    },
  }
}
