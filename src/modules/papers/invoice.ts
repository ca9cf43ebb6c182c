import type { Money } from '#kernel/values/money.ts'
import { keptOfInvoice, keptOfReplaced, readInvoice } from '#modules/billing/index.ts'
import type { Block, Column } from '#ports/papers/port.ts'
import { facts, languageOf, type Language, type MakePaper } from './frame.ts'
import { partyLines, partyOf } from './people.ts'
import type { InvoicePaperQuery } from './schemas.ts'
import { amount, code, percent, written } from './text.ts'

type Invoice = Awaited<ReturnType<typeof readInvoice>>

const isSome = ({ amountMinor }: Money): boolean => amountMinor !== 0

/** The lines. Discount and tax have a column where a line has one. */
const linesOf = ({ lines }: Invoice, { words: { invoice: words } }: Language): Block => {
  const hasDiscount = lines.some(({ discount }) => isSome(discount))
  const hasTax = lines.some(({ taxRatePercent }) => taxRatePercent !== 0)
  const figure = (head: string): Column => ({ head, align: 'right', width: 'content' })
  return {
    kind: 'table',
    title: null,
    columns: [
      { head: code('#'), align: 'start', width: 'content' },
      { head: words.description, align: 'start', width: 'share' },
      figure(words.quantity),
      figure(words.unitAmount),
      ...(hasDiscount ? [figure(words.discount)] : []),
      ...(hasTax ? [figure(words.taxRate)] : []),
      figure(words.amount),
    ],
    rows: lines.map((line, at) => [
      code(at + 1),
      written(line.description),
      code(line.quantity),
      amount(line.unitAmount),
      ...(hasDiscount ? [isSome(line.discount) ? amount(line.discount) : ''] : []),
      ...(hasTax ? [line.taxRatePercent === 0 ? '' : percent(line.taxRatePercent)] : []),
      amount(line.total),
    ]),
  }
}

const sumsOf = (invoice: Invoice, { words: { invoice: words } }: Language): Block => {
  const { subtotal, discount, tax, total } = invoice
  const sum = (label: string, value: Money) => ({ label, value: amount(value) })
  return {
    kind: 'sums',
    sums: [
      ...(isSome(discount) || isSome(tax) ? [sum(words.subtotal, subtotal)] : []),
      ...(isSome(discount) ? [sum(words.discount, discount)] : []),
      ...(isSome(tax) ? [sum(words.tax, tax)] : []),
      sum(words.total, total),
    ],
  }
}

const markOf = ({ status }: Invoice, { words }: Language): string | null => {
  if (status === 'draft') return words.draft
  return status === 'void' ? words.invoice.void : null
}

/** @throws NotFound */
export const invoicePaper: MakePaper<InvoicePaperQuery> = async (context, id, { locale, copy, replaced }) => {
  const invoice = await readInvoice(context.db, id)
  const kept = await (replaced === undefined ? keptOfInvoice(context.db, id) : keptOfReplaced(context.db, id, replaced))
  const party = kept ?? (await partyOf(context.whole, invoice.studentId))
  const { student, payer } = party
  const timezone = kept?.issuer.timezone ?? context.tenant.timezone
  const language = languageOf({ ...context.tenant, timezone }, locale ?? party.locale)
  const { words, dates } = language
  return {
    language,
    draft: {
      number: code(invoice.number),
      fileName: invoice.number,
      title: words.invoice.title,
      date: invoice.issueDate,
      branchId: invoice.branchId,
      mark: replaced === undefined ? markOf(invoice, language) : words.invoice.replaced,
      note: copy ? words.copy : null,
      footer: invoice.footer,
      isOfficial: true,
      issuer: kept?.issuer,
      blocks: [
        facts(
          [words.payer, payer && partyLines(payer, language)],
          [invoice.status === 'draft' ? words.invoice.date : words.invoice.issueDate, dates.day(invoice.issueDate)],
          [
            words.student,
            [payer ? written(student.fullName) : partyLines(student, language), code(student.studentNumber)].join('\n'),
          ],
          [words.invoice.dueDate, dates.day(invoice.dueDate)],
          [words.invoice.voidReason, invoice.voidReason === null ? null : written(invoice.voidReason)],
        ),
        linesOf(invoice, language),
        sumsOf(invoice, language),
        ...(invoice.notes === null
          ? []
          : [{ kind: 'text' as const, title: words.invoice.notes, text: written(invoice.notes) }]),
      ],
    },
  }
}
