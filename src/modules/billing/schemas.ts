import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  currency,
  date,
  day,
  emptyable,
  emptyableProse,
  expectedVersion,
  id,
  instant,
  integer,
  list,
  Money,
  orNull,
  pageQuery,
  prose,
  searched,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { MAX_INVOICE_TOTAL_MINOR } from '#shared/amounts.ts'
import { Unreached } from './reach.ts'
import { INVOICE_STATUSES, PAYMENT_METHODS, PAYMENT_PROVIDERS } from './tables.ts'

export const invoiceWords = {
  number: 'INV-, the year of issue and 6 digits. It is given with the draft and stays.',
  issueDate: 'The day on which it is issued; today where it is left out.',
  dueDate: 'The day by which it is to be paid; where it is left out, it follows from the setting invoiceDueDays.',
  subtotal: 'The lines, before discount and tax.',
  discount: 'What is taken off.',
  tax: 'The tax on what is left.',
  total: 'What is to be paid.',
  paid: 'What was paid, also from credit, less what was taken back.',
  credited: 'What credit notes took off.',
  balance: 'What is still to be paid: the total, less what was paid and what was credited.',
  lines: 'What is charged for, at most 200 lines.',
  payments: 'The payments and reversals, oldest first.',
  credits: 'What was paid from the credit of its payer, oldest first.',
  replaced: 'Its papers that name a former payer, the first one first.',
  voidReason: 'Why it was voided; null: it was not.',
  payerGuardianId:
    'The guardian who pays it: who was the payer of record when it was issued, or to whom it was moved since; null: a draft, or the student.',
  payerName: 'The name of that guardian, as it was then; null: there is none.',
  footer:
    'The text below its paper: the setting invoiceFooter as it was when the invoice was issued; of a draft, as it is now. null: none.',
  amount: 'What was received. Of a reversal it is negative.',
  provider: 'Through whom the money came: `manual` at the front desk.',
  reference: 'What the payment is found by elsewhere, such as the number of a cheque; null: nothing.',
  reason: 'Why it is done.',
  reversesPaymentId: 'The payment that this one takes back; null: it takes none back.',
  receivedAt: 'When the money was received; now where it is left out.',
  receivedByUserId: 'The account of whoever recorded it; null: an API key.',
  quantity: 'How many units.',
  unitAmount: 'What one unit costs.',
  unitAmountMinor: 'What one unit costs, in the smallest unit of the currency.',
  discountMinor: 'What is taken off the whole line, in the smallest unit of the currency.',
  taxRatePercent: 'The tax on the line, in percent of what is left after the discount.',
  description: 'What is charged for.',
  siblingPlace:
    'As which child of its payer it charges the student, for the discount of siblings, as prices propose it; null: siblings did not matter.',
  firstLine: 'What its first line charges for; empty: it has no line.',
  lineCount: 'How many lines it has.',
  outstanding: 'What is still to be paid of all invoices in the institute’s currency.',
  collectedThisMonth:
    'What was received this month, also ahead, less what was taken back and refunded, in the institute’s currency.',
  overdueCount: 'How many invoices are overdue.',
  overdueTotal: 'What is still to be paid of those, in the institute’s currency.',
  byStatus: 'How many invoices have each status.',
}

const status = named('InvoiceStatus', v.picklist(INVOICE_STATUSES))

const invoiceFields = {
  id,
  branchId: id,
  number: v.string(),
  studentId: id,
  status,
  issueDate: day,
  dueDate: day,
  subtotal: Money,
  discount: Money,
  tax: Money,
  total: Money,
  paid: Money,
  credited: Money,
  footer: orNull(v.string()),
}
export const Invoice = named('Invoice', v.object(invoiceFields), invoiceWords)
export type Invoice = v.InferOutput<typeof Invoice>

export const ListedInvoice = named(
  'ListedInvoice',
  v.object({ ...invoiceFields, studentName: v.string(), balance: Money, firstLine: v.string(), lineCount: count }),
  { ...invoiceWords, studentName: 'The name of the student.' },
)
export type ListedInvoice = v.InferOutput<typeof ListedInvoice>

export const Payment = named(
  'Payment',
  v.object({
    id,
    invoiceId: id,
    amount: Money,
    method: v.picklist(PAYMENT_METHODS),
    provider: v.picklist(PAYMENT_PROVIDERS),
    reference: orNull(v.string()),
    reason: orNull(v.string()),
    reversesPaymentId: orNull(id),
    receivedAt: ts,
    receivedByUserId: orNull(id),
    createdAt: ts,
  }),
  { ...invoiceWords, reason: 'Why a payment was taken back; null: this one takes none back.' },
)
export type Payment = v.InferOutput<typeof Payment>

export const InvoicePayment = named(
  'InvoicePayment',
  v.object({ ...Payment.entries, receiptId: orNull(id), receiptNumber: orNull(v.string()) }),
  {
    ...invoiceWords,
    reason: 'Why a payment was taken back; null: this one takes none back.',
    receiptId: 'The receipt on which it stands; null: it takes a payment back.',
    receiptNumber: 'The number of that receipt; null: it has none.',
  },
)

export const InvoiceLine = named(
  'InvoiceLine',
  v.object({
    id,
    description: v.string(),
    quantity: count,
    unitAmount: Money,
    discount: Money,
    taxRatePercent: v.number(),
    tax: Money,
    total: Money,
    feeScheduleId: orNull(id),
    enrollmentId: orNull(id),
    courseEnrollmentId: orNull(id),
    siblingPlace: orNull(count),
  }),
  invoiceWords,
)

const InvoiceCredit = named('InvoiceCredit', v.object({ id, amount: Money, appliedAt: ts, reversesId: orNull(id) }), {
  amount: 'What the payer’s credit paid; negative where that was taken back.',
  appliedAt: 'When.',
  reversesId: 'What it takes back; null: nothing.',
})

export const InvoiceDetail = named(
  'InvoiceDetail',
  v.object({
    ...invoiceFields,
    lines: list(InvoiceLine),
    payments: list(InvoicePayment),
    credits: list(InvoiceCredit),
    balance: Money,
    payerGuardianId: orNull(id),
    payerName: orNull(v.string()),
    replaced: list(
      named(
        'ReplacedInvoice',
        v.object({
          id,
          payerGuardianId: orNull(id),
          payerName: orNull(v.string()),
          reason: orNull(v.string()),
          replacedAt: ts,
        }),
        {
          payerGuardianId: 'The guardian who was to pay it until then; null: the student was.',
          payerName: 'The name of that guardian, as it was kept; null: the student was to pay it.',
          reason: 'Why it was moved to another payer; null: nobody said.',
          replacedAt: 'When it was moved.',
        },
      ),
    ),
    notes: orNull(v.string()),
    voidReason: orNull(v.string()),
    version: count,
    createdAt: ts,
    updatedAt: ts,
  }),
  invoiceWords,
)
export type InvoiceDetail = v.InferOutput<typeof InvoiceDetail>

export const IssuedInvoice = named(
  'IssuedInvoice',
  v.object({ ...InvoiceDetail.entries, unreached: orNull(Unreached) }),
  { ...invoiceWords, unreached: 'Who is to pay it and is not told of it, and why; null: they are told.' },
)

const amount = integer(0, MAX_INVOICE_TOTAL_MINOR)

const Line = named(
  'NewInvoiceLine',
  v.object({
    description: prose(300),
    quantity: v.optional(integer(1, 10_000), 1),
    unitAmountMinor: amount,
    discountMinor: v.optional(amount, 0),
    taxRatePercent: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100)), 0),
    feeScheduleId: v.optional(uuid),
    enrollmentId: v.optional(uuid),
    courseEnrollmentId: v.optional(uuid),
    siblingPlace: v.optional(v.nullable(integer(1, 1000))),
  }),
  invoiceWords,
)
export type NewLine = v.InferOutput<typeof Line>

const lines = v.pipe(list(Line), v.minLength(1, 'Must have a line.'), v.maxLength(200, 'Must have at most 200 lines.'))

const writable = v.partial(
  v.object({ lines, dueDate: date, issueDate: date, currency, notes: v.nullable(emptyableProse(2000)) }),
)

export const NewInvoice = named(
  'NewInvoice',
  v.object({ studentId: uuid, ...writable.entries, lines, closedYear: v.optional(v.boolean()) }),
  { ...invoiceWords, closedYear: 'true: into a year before the current one, on purpose. Only an owner may.' },
)

export const InvoiceChanges = named(
  'InvoiceChanges',
  v.object({ ...writable.entries, version: expectedVersion }),
  invoiceWords,
)

export const InvoiceQuery = explained(
  pageQuery({
    status: v.optional(v.pipe(v.array(status), v.maxLength(10, 'Must name at most 10 statuses.'))),
    overdue: v.optional(v.boolean()),
    q: v.optional(searched(200)),
    studentId: v.optional(uuid),
    branchId: v.optional(uuid),
    dueFrom: v.optional(date),
    dueTo: v.optional(date),
    issuedFrom: v.optional(date),
    issuedTo: v.optional(date),
    groupId: v.optional(uuid),
    courseId: v.optional(uuid),
    sort: v.optional(v.picklist(['createdAt', 'dueDate'])),
  }),
  {
    status: 'Only invoices with this status, or with one of several where the parameter is repeated.',
    overdue: 'true: only invoices that are overdue.',
    q: 'The beginning or the last part of a number (INV-2026-0001, 123), or words of the student as in the list of students.',
    studentId: 'Only invoices of this student.',
    branchId: 'Only invoices of this branch.',
    dueFrom: 'Only invoices that are due on this day or later.',
    dueTo: 'Only invoices that are due on this day or earlier.',
    issuedFrom: 'Only invoices that were issued with this issue date or a later one, and are not void.',
    issuedTo: 'Only invoices that were issued with this issue date or an earlier one, and are not void.',
    groupId: 'Only invoices all of whose lines are of this group.',
    courseId: 'Only invoices all of whose lines are of groups of this course, as GET /reports/income counts them.',
    sort: '`createdAt`, the usual order: newest first; `dueDate`: first due first.',
  },
)
export type InvoiceQuery = v.InferOutput<typeof InvoiceQuery>

export const InvoicePayer = named(
  'InvoicePayer',
  v.object({ guardianId: v.nullable(uuid), reason: v.optional(prose(500)) }),
  {
    guardianId: 'The guardian of the student who pays it from now on; null: the student.',
    reason: 'Why, for the audit log.',
  },
)

export const Reason = named('Reason', v.object({ reason: prose(500) }), invoiceWords)

export const NewPayment = named(
  'NewPayment',
  v.object({
    amountMinor: integer(1, MAX_INVOICE_TOTAL_MINOR),
    currency,
    method: v.picklist(PAYMENT_METHODS),
    provider: v.optional(v.picklist(PAYMENT_PROVIDERS), 'manual'),
    receivedAt: v.optional(instant),
    reference: v.optional(emptyable(200)),
  }),
  invoiceWords,
)

export const PaymentQuery = explained(
  pageQuery({
    invoiceId: v.optional(uuid),
    studentId: v.optional(uuid),
    from: v.optional(date),
    to: v.optional(date),
    method: v.optional(v.picklist(PAYMENT_METHODS)),
  }),
  {
    from: 'The first day on which money was received, in the institute’s timezone.',
    to: 'The last such day.',
  },
)

export const StatementQuery = explained(
  v.object({ from: v.optional(date), to: v.optional(date), currency: v.optional(currency) }),
  {
    from: 'The first day of the entries, in the institute’s timezone.',
    to: 'Their last day.',
    currency: 'The currency of the invoices; the institute’s where it is left out.',
  },
)

export const Statement = named(
  'Statement',
  v.object({
    studentId: id,
    currency,
    openingBalance: Money,
    entries: list(
      named(
        'StatementEntry',
        v.object({
          date: day,
          kind: v.picklist(['invoice', 'payment', 'credit', 'credit_note', 'reversal', 'void']),
          reference: v.string(),
          debit: Money,
          credit: Money,
          balance: Money,
        }),
        {
          date: 'The day on which it counts, in the institute’s timezone.',
          kind: 'What happened. A void undoes an invoice, a reversal a payment or `credit`, which is what the payer’s credit paid; a credit note takes back what was still to be paid.',
          reference: 'The number of the invoice that it belongs to, or of the credit note.',
          debit: 'What is owed more.',
          credit: 'What is owed less.',
          balance: 'What was owed after it.',
        },
      ),
    ),
    closingBalance: Money,
    held: Money,
    payers: list(
      named('StatementPayer', v.object({ guardianId: orNull(id), name: orNull(v.string()), balance: Money }), {
        guardianId: 'The guardian who pays since the invoices were issued; null: the student does.',
        name: 'The name of that guardian, as the latest of the invoices keeps it; null: the student pays.',
        balance: 'What was owed by them after the last entry: their part of closingBalance.',
      }),
    ),
    footer: orNull(v.string()),
  }),
  {
    openingBalance: 'What was owed before the first entry.',
    entries: 'By day, and within a day as they were recorded.',
    closingBalance: 'What was owed after the last entry.',
    held: 'What cheques are for that are held now until their day. It lowers no balance yet.',
    payers: 'Who pays, as the invoices keep it since they were issued, whoever is the payer of record now.',
    footer: 'The text below the paper: the setting invoiceFooter; null: none.',
  },
)

export const Summary = named(
  'BillingSummary',
  v.object({
    currency,
    outstanding: Money,
    collectedThisMonth: Money,
    overdueCount: count,
    overdueTotal: Money,
    byStatus: named(
      'InvoiceCounts',
      v.object({
        draft: count,
        issued: count,
        partially_paid: count,
        paid: count,
        overdue: count,
        void: count,
      }),
      {
        draft: 'Drafts.',
        issued: 'Issued and not paid yet.',
        partially_paid: 'Paid in part.',
        paid: 'Paid.',
        overdue: 'Not paid by the due date.',
        void: 'Voided.',
      },
    ),
  }),
  invoiceWords,
)
