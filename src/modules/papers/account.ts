import type { InferOutput } from 'valibot'
import type { Money } from '#kernel/values/money.ts'
import { readAccountStatement, type AccountStatement } from '#modules/billing/index.ts'
import type { Block, Column } from '#ports/papers/port.ts'
import { facts, languageOf, type Language, type MakePaper, type PaperContext } from './frame.ts'
import { guardianParty, partyLines, partyOf } from './people.ts'
import type { AccountPaperQuery } from './schemas.ts'
import { amount, code, written } from './text.ts'

type Query = InferOutput<typeof AccountPaperQuery>

/** In a family, each entry says whose it is. */
const entriesOf = ({ entries, students }: AccountStatement, { words, dates }: Language): Block => {
  const { statement, account } = words
  const figure = (head: string): Column => ({ head, align: 'right', width: 'content' })
  const isSome = ({ amountMinor }: Money): boolean => amountMinor !== 0
  return {
    kind: 'table',
    title: null,
    columns: [
      { head: statement.date, align: 'start', width: 'content' },
      { head: statement.entry, align: 'start', width: 'share' },
      { head: account.reference, align: 'start', width: 'content' },
      figure(statement.debit),
      figure(statement.credit),
      figure(statement.balance),
    ],
    rows: entries.map(({ date, kind, reference, studentName, debit, credit, balance }) => [
      dates.day(date),
      [account.kinds[kind], ...(students.length > 1 && studentName !== null ? [written(studentName)] : [])].join('\n'),
      code(reference),
      isSome(debit) ? amount(debit) : '',
      isSome(credit) ? amount(credit) : '',
      amount(balance),
    ]),
  }
}

/** What is open and what lies in credit are told apart where there are both; a balance below nothing is said as credit. */
const sumsOf = ({ closing, now }: AccountStatement, { words: { account } }: Language): Block => {
  const hasBoth = now !== null && now.credit.amountMinor > 0 && now.owed.amountMinor > 0
  const isCredit = closing.amountMinor < 0
  return {
    kind: 'sums',
    sums: [
      ...(hasBoth
        ? [
            { label: account.owed, value: amount(now.owed) },
            { label: account.inCredit, value: amount(now.credit) },
          ]
        : []),
      isCredit
        ? { label: account.credit, value: amount({ ...closing, amountMinor: -closing.amountMinor }) }
        : { label: account.closing, value: amount(closing) },
    ],
  }
}

interface Addressed {
  /** The lines of whom it is for. */
  to: (language: Language) => string
  locale: Language['locale'] | null
  number: string
  branchId: string | null
}

const paper = async (
  { db, whole, tenant }: PaperContext,
  of: { guardianId: string } | { studentId: string },
  { query: { locale, ...query }, addressed }: { query: Query; addressed: Addressed },
): Promise<Awaited<ReturnType<MakePaper<Query>>>> => {
  const statement = await readAccountStatement({ db, whole, tenant }, of, query)
  const language = languageOf(tenant, locale ?? addressed.locale)
  const { words, dates } = language
  const { from, to, scope } = query
  const { students, payers } = statement
  const title = scope === 'family' ? words.account.family : words.statement.title
  const names = (all: readonly string[]) => all.map(written).join('\n')
  return {
    language,
    draft: {
      number: addressed.number,
      fileName: `${title} ${addressed.number}`.trim(),
      title,
      date: to ?? statement.entries.at(-1)?.date ?? null,
      branchId: addressed.branchId,
      footer: statement.footer,
      isOfficial: true,
      blocks: [
        facts(
          [words.payer, addressed.to(language)],
          [words.statement.from, from === undefined ? null : dates.day(from)],
          [students.length === 1 ? words.student : words.students, names(students)],
          [words.statement.to, to === undefined ? null : dates.day(to)],
          [words.account.payers, scope === 'family' && payers.length > 1 ? names(payers) : null],
        ),
        ...(from === undefined ? [] : [facts([words.statement.opening, amount(statement.opening)])]),
        entriesOf(statement, language),
        sumsOf(statement, language),
      ],
    },
  }
}

/** @throws NotFound, SumTooLarge, VALIDATION_ERROR */
export const guardianAccountPaper: MakePaper<Query> = async (context, id, query) => {
  const { party, locale } = await guardianParty(context.db, id)
  const to = (language: Language) => partyLines(party, language)
  return paper(context, { guardianId: id }, { query, addressed: { to, locale, number: '', branchId: null } })
}

/** @throws NotFound, SumTooLarge, VALIDATION_ERROR */
export const studentAccountPaper: MakePaper<Query> = async (context, id, query) => {
  const { student, payer, locale, branchId } = await partyOf(context.db, id)
  const to = (language: Language) => partyLines(payer ?? student, language)
  const addressed = { to, locale, number: code(student.studentNumber), branchId }
  return paper(context, { studentId: id }, { query, addressed })
}
