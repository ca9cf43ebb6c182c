import * as v from 'valibot'
import { readBounded } from '#db/queries/long-reads.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { money } from '#kernel/values/money.ts'
import { named } from '#kernel/values/named.ts'
import { count, id, list, Money, orNull, ts } from '#kernel/values/schema.ts'
import { exactSum } from '#kernel/values/sums.ts'
import { readInvoiceFooter } from '#modules/settings/index.ts'
import type { Self } from '#modules/people/index.ts'
import { readFirstLines } from './first-lines.ts'
import { OPEN } from './lifecycle.ts'
import { mayHavePaper, moneySightOf, type OwnMoneySight } from './own-papers.ts'
import { showReceipts } from './receipts.ts'
import { Invoice, invoiceWords } from './schemas.ts'
import { PAYMENT_METHODS } from './tables.ts'

/** How many invoices, and how many receipts, of a student. */
export const LATEST_PAPERS = 100

const { number, status, issueDate, dueDate, total, paid } = Invoice.entries

const paperWords = {
  hasPaper:
    'Whether the caller may have its PDF: it is made out to them, or to nobody but the student. Of a paper that is made out to another guardian they see the sum alone.',
}

const OwnInvoice = named(
  'OwnInvoice',
  v.object({
    id,
    number,
    status,
    issueDate,
    dueDate,
    total,
    paid,
    balance: Money,
    firstLine: v.string(),
    lineCount: count,
    hasPaper: v.boolean(),
  }),
  {
    ...invoiceWords,
    ...paperWords,
    firstLine: 'What its first line charges for; empty: it has no line, or the caller may not have its PDF.',
    lineCount: 'How many lines it has; 0 where the caller may not have its PDF.',
  },
)

const OwnReceipt = named(
  'OwnReceipt',
  v.object({
    id,
    number: v.string(),
    receivedAt: ts,
    method: v.picklist(PAYMENT_METHODS),
    amount: Money,
    cancelledAt: orNull(ts),
    hasPaper: v.boolean(),
  }),
  {
    ...paperWords,
    number: 'R-, the year and 6 digits.',
    receivedAt: 'When it was received.',
    method: 'How it was paid.',
    amount: 'What was received; of a receipt that is made out to another guardian, what of it was for this student.',
    cancelledAt: 'When all of it was taken back; null: it was not.',
  },
)

export const OwnMoney = v.object({
  balance: Money,
  invoices: list(OwnInvoice),
  receipts: list(OwnReceipt),
  howToPay: orNull(v.string()),
})
export type OwnMoney = v.InferOutput<typeof OwnMoney>

export const ownMoneyWords = {
  balance: 'What is still to be paid for the student, in the institute’s currency.',
  invoices: `The latest ${LATEST_PAPERS} invoices that were issued, latest first; without those that are void.`,
  receipts: `The latest ${LATEST_PAPERS} receipts for the student, latest first.`,
  howToPay: 'What the institute writes below its invoices, such as where money is sent; null: nothing.',
}

const issuedInvoices = (whole: ScopedDb, studentId: string) =>
  whole
    .selectFrom('invoice')
    .select(['id', 'number', 'status', 'issue_date', 'due_date', 'currency', 'total_minor', 'paid_minor'])
    .select('payer_guardian_id')
    .where('student_id', '=', studentId)
    .where('status', 'in', [...OPEN, 'paid'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LATEST_PAPERS)
    .execute()

const openOf = (whole: ScopedDb, studentId: string, { currency }: TenantInfo) =>
  readBounded(
    whole
      .selectFrom('invoice')
      .select(['id', 'total_minor', 'paid_minor'])
      .where('student_id', '=', studentId)
      .where('status', 'in', OPEN)
      .where('currency', '=', currency),
    'invoice.id',
  )

const receiptsFor = async (whole: ScopedDb, studentId: string, sight: OwnMoneySight) => {
  const rows = await whole
    .selectFrom('receipt')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb(
          'id',
          'in',
          eb
            .selectFrom('receipt_payment')
            .innerJoin('invoice', 'invoice.id', 'receipt_payment.invoice_id')
            .select('receipt_payment.receipt_id')
            .where('invoice.student_id', '=', studentId),
        ),
        // What was paid ahead, or with cheques of later days, is on no invoice yet.
        ...(sight.guardianId === null ? [] : [eb('payer_guardian_id', '=', sight.guardianId)]),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LATEST_PAPERS)
    .execute()
  return rows.filter(({ students }) => students.some((student) => student.id === studentId))
}

/** What is to be paid and was paid for a student, as the family may know it. @throws NotFound, SumTooLarge */
export const ownMoney = async (
  { whole, caller, tenant }: { whole: ScopedDb; caller: Self; tenant: TenantInfo },
  studentId: string,
): Promise<OwnMoney> => {
  const sight = await moneySightOf(whole, caller)
  if (!sight.studentIds.has(studentId)) throw NotFound()
  const issued = await issuedInvoices(whole, studentId)
  const open = await openOf(whole, studentId, tenant)
  const rows = await receiptsFor(whole, studentId, sight)
  const ofStudent = new Set(issued.map((invoice) => invoice.id))
  const receipts = await showReceipts(whole, rows)
  const mayRead = (row: (typeof issued)[number]): boolean =>
    mayHavePaper(sight, { payerGuardianId: row.payer_guardian_id, studentIds: [studentId] })
  const firstLineOf = await readFirstLines(
    whole,
    issued.filter(mayRead).map((row) => row.id),
  )
  return {
    balance: money(exactSum(open.map((row) => row.total_minor - row.paid_minor)), tenant.currency),
    invoices: issued.map(({ currency, ...row }) => ({
      id: row.id,
      number: row.number,
      status: row.status,
      issueDate: row.issue_date,
      dueDate: row.due_date,
      total: money(row.total_minor, currency),
      paid: money(row.paid_minor, currency),
      balance: money(row.total_minor - row.paid_minor, currency),
      ...firstLineOf(row.id),
      hasPaper: mayRead({ currency, ...row }),
    })),
    receipts: receipts.map(({ amount, payments, payerGuardianId, ...receipt }, at) => {
      const studentIds = (rows[at] as (typeof rows)[number]).students.map((student) => student.id)
      const isTheirs = mayHavePaper(sight, { payerGuardianId, studentIds })
      const forStudent = payments.filter(({ invoiceId }) => ofStudent.has(invoiceId))
      return {
        id: receipt.id,
        number: receipt.number,
        receivedAt: receipt.receivedAt,
        method: receipt.method,
        amount: isTheirs
          ? amount
          : money(exactSum(forStudent.map((payment) => payment.amount.amountMinor)), amount.currency),
        cancelledAt: receipt.cancelledAt,
        hasPaper: isTheirs,
      }
    }),
    howToPay: await readInvoiceFooter(whole),
  }
}
