import { compiledByIds, compiledInTenant } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { localDate } from '#kernel/time/zone.ts'
import { keptOfReceipt, readReceipt } from '#modules/billing/index.ts'
import type { Block } from '#ports/papers/port.ts'
import { facts, languageOf, type Language, type MakePaper } from './frame.ts'
import { localeOfGuardian, partyLines } from './people.ts'
import type { ReceiptPaperQuery } from './schemas.ts'
import { spelled } from './spelled/index.ts'
import { amount, code, written } from './text.ts'

type Receipt = Awaited<ReturnType<typeof readReceipt>>

const invoiceById = compiledInTenant((db, { id }: { id: string }) =>
  db.selectFrom('invoice').select('branch_id').where('id', '=', id),
)

/** What the invoices are for, which nobody changes once they are issued. */
const linesOfInvoices = compiledByIds((db, ids) =>
  db
    .selectFrom('invoice_line')
    .innerJoin('invoice', 'invoice.id', 'invoice_line.invoice_id')
    .select(['invoice_line.invoice_id', 'invoice_line.description', 'invoice.student_id'])
    .where('invoice_line.invoice_id', 'in', ids)
    .orderBy('invoice_line.invoice_id')
    .orderBy('invoice_line.position'),
)

type LineOfInvoice = Awaited<ReturnType<typeof linesOfInvoices>>[number]

/** So many kinds of lines say what an invoice is for. */
const MOST_SAID = 4

/** For what a payment is: the lines of its invoice, the student where there are several, and the number of the invoice. */
const paidFor = (
  lines: readonly LineOfInvoice[],
  { students }: Receipt,
  { invoiceNumber, words }: { invoiceNumber: string; words: Language['words'] },
): string => {
  const said = [...new Set(lines.map(({ description }) => description))]
  const student = students.length > 1 ? students.find(({ id }) => id === lines[0]?.student_id) : undefined
  return [
    ...said.slice(0, MOST_SAID).map(written),
    ...(said.length > MOST_SAID ? ['…'] : []),
    ...(student ? [written(student.fullName)] : []),
    `${words.receipt.invoice} ${code(invoiceNumber)}`,
  ].join('\n')
}

const paymentsOf = (receipt: Receipt, lines: readonly LineOfInvoice[], { words }: Language): Block => {
  const byInvoice = Map.groupBy(lines, (line) => line.invoice_id)
  return {
    kind: 'table',
    title: null,
    columns: [
      { head: words.receipt.paidFor, align: 'start', width: 'share' },
      { head: words.receipt.amount, align: 'right', width: 'content' },
    ],
    rows: [
      ...receipt.payments.map(({ invoiceId, invoiceNumber, amount: paid }) => [
        paidFor(byInvoice.get(invoiceId) ?? [], receipt, { invoiceNumber, words }),
        amount(paid),
      ]),
      ...(receipt.credit === null ? [] : [[words.receipt.ahead, amount(receipt.credit)]]),
    ],
  }
}

/** The cheques that were handed over, each with its day. */
const chequesOf = ({ cheques }: Receipt, { words: { cheques: words }, dates }: Language): Block[] => {
  if (cheques.length === 0) return []
  const column = (head: string) => ({ head, align: 'start', width: 'content' }) as const
  return [
    {
      kind: 'table',
      title: words.title,
      columns: [
        { head: words.bank, align: 'start', width: 'share' },
        column(words.branch),
        column(words.account),
        column(words.number),
        column(words.dueOn),
        { head: words.amount, align: 'right', width: 'content' },
      ],
      rows: cheques.map((cheque) => [
        written(cheque.bank),
        code(cheque.branch),
        code(cheque.account),
        code(cheque.number),
        dates.day(cheque.dueOn),
        amount(cheque.amount),
      ]),
    },
  ]
}

/** Whether the caller sees a part of it alone: that is not the paper that was handed out. */
const isPart = async (whole: ScopedDb, { id, amount: seen }: Receipt): Promise<boolean> =>
  seen.amountMinor !== (await readReceipt(whole, id)).amount.amountMinor

/** @throws NotFound */
export const receiptPaper: MakePaper<ReceiptPaperQuery> = async (context, id, { locale, copy, size }) => {
  const { db, whole, tenant } = context
  const receipt = await readReceipt(db, id)
  const kept = await keptOfReceipt(db, id)
  const payersLocale = kept ? kept.locale : await localeOfGuardian(whole, receipt.payerGuardianId)
  const timezone = kept?.issuer.timezone ?? tenant.timezone
  const language = languageOf({ ...tenant, timezone }, locale ?? payersLocale)
  const { words, dates } = language
  const { students } = receipt
  const lines = await linesOfInvoices(
    db,
    receipt.payments.map(({ invoiceId }) => invoiceId),
  )
  const first = receipt.payments[0]
  const [invoice] = first ? await invoiceById(db, { id: first.invoiceId }) : []
  const receivedOn = localDate(receipt.receivedAt, timezone)
  // What cheques became since they were handed over is no part of the paper that says that they were.
  const isOfCheques = receipt.cheques.length > 0
  const edition = copy || (await isPart(whole, receipt)) ? 'copy' : await context.editionOf({ kind: 'receipt', id })
  return {
    language,
    draft: {
      number: code(receipt.number),
      fileName: receipt.number,
      title: words.receipt.title,
      date: receivedOn,
      branchId: invoice?.branch_id ?? null,
      size,
      mark: receipt.cancelledAt === null ? null : words.receipt.cancelled,
      note: words[edition],
      footer: null,
      isOfficial: true,
      issuer: kept?.issuer,
      blocks: [
        facts(
          [
            words.receipt.payer,
            kept?.payer ? partyLines(kept.payer, language) : receipt.payerName && written(receipt.payerName),
          ],
          [words.receipt.receivedAt, dates.moment(receipt.receivedAt)],
          [
            students.length === 1 ? words.student : words.students,
            students.map(({ fullName }) => written(fullName)).join('\n'),
          ],
          [words.receipt.method, words.methods[receipt.method]],
          [
            receipt.method === 'cheque' ? words.receipt.cheque : words.receipt.reference,
            receipt.reference === null || receipt.cheques.length > 0 ? null : written(receipt.reference),
          ],
          [words.receipt.cancelledAt, receipt.cancelledAt === null ? null : dates.moment(receipt.cancelledAt)],
        ),
        ...chequesOf(receipt, language),
        ...(isOfCheques ? [] : [paymentsOf(receipt, lines, language)]),
        { kind: 'sums', sums: [{ label: words.receipt.total, value: amount(receipt.amount) }] },
        facts([words.receipt.inWords, spelled(language.locale, receipt.amount)]),
        ...(receipt.cheques.some(({ dueOn }) => dueOn > receivedOn)
          ? [{ kind: 'text', title: null, text: words.cheques.later } as const]
          : []),
      ],
    },
  }
}
