import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  currency,
  date,
  id,
  integer,
  list,
  Money,
  orNull,
  pageQuery,
  searched,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { MAX_INVOICE_TOTAL_MINOR } from '#shared/amounts.ts'
import { ChequeDetails, ReceiptCheque } from './cheques/written.ts'
import { invoiceWords, NewPayment, Payment } from './schemas.ts'
import { PAYMENT_METHODS } from './tables.ts'

const words = {
  ...invoiceWords,
  number: 'R-, the year in which it was recorded at the institute, and 6 digits, without gaps.',
  payerGuardianId: 'The guardian who paid: who pays its invoices, or whom paidBy named; null: no guardian.',
  payerName: 'The name of that guardian, as it was when the receipt was made; null: there is none.',
  studentIds: 'The students whose invoices were paid.',
  students: 'The same students by name, as their names were when the receipt was made.',
  amount:
    'What was received: its payments, and what went to the credit of its payer. Of one for cheques, what they come to: each is a payment on its day.',
  cheques: 'The cheques that were handed over, by their day.',
  credit: 'What of it went to the credit of its payer; null: nothing.',
  cancelledAt: 'When the last of its payments was reversed, and its credit; null: not all of it is.',
  payments: 'Its payments, in the order of the allocations. Reversals are not among them.',
}

export const ReceiptPayment = named('ReceiptPayment', v.object({ ...Payment.entries, invoiceNumber: v.string() }), {
  ...invoiceWords,
  invoiceNumber: 'The number of the invoice.',
  reason: 'null: a payment takes none back.',
})

const ReceiptStudent = named('ReceiptStudent', v.object({ id, fullName: v.string() }))

export const Receipt = named(
  'Receipt',
  v.object({
    id,
    number: v.string(),
    payerGuardianId: orNull(id),
    payerName: orNull(v.string()),
    studentIds: list(id),
    students: list(ReceiptStudent),
    amount: Money,
    credit: orNull(Money),
    method: v.picklist(PAYMENT_METHODS),
    reference: orNull(v.string()),
    receivedAt: ts,
    cancelledAt: orNull(ts),
    payments: list(ReceiptPayment),
    cheques: list(ReceiptCheque),
  }),
  words,
)
export type Receipt = v.InferOutput<typeof Receipt>

const Allocation = named(
  'Allocation',
  v.object({ invoiceId: uuid, amountMinor: integer(1, MAX_INVOICE_TOTAL_MINOR) }),
  { amountMinor: 'What goes to this invoice, in the smallest unit of the currency: at most its balance.' },
)

const { amountMinor, method, provider, reference, receivedAt } = NewPayment.entries

export const PaidBy = named('PaidBy', v.object({ guardianId: v.optional(uuid), studentId: v.optional(uuid) }), {
  guardianId: 'A guardian of each of the students.',
  studentId: 'The student, who pays alone. Either of the two.',
})

export const NewReceipt = named(
  'NewReceipt',
  v.object({
    allocations: v.optional(v.pipe(list(Allocation), v.maxLength(50, 'Must name at most 50 invoices.')), []),
    amountMinor: v.optional(amountMinor),
    paidBy: v.optional(PaidBy),
    branchId: v.optional(uuid),
    currency,
    method,
    provider,
    reference,
    receivedAt,
    cheque: v.optional(ChequeDetails),
  }),
  {
    ...invoiceWords,
    cheque:
      'What stands on a cheque that is cashed today: with it, it is listed among the cheques, as one that is due.',
    allocations: 'What goes to which invoice, each invoice once.',
    amountMinor:
      'What was received, in the smallest unit of the currency; the sum of the allocations where it is left out. What goes to no invoice is credit of the payer.',
    paidBy: 'Who paid and gets the receipt; who pays the invoices by record, where it is left out.',
    branchId:
      'Where the credit is kept; the branch of the first invoice, of the student or of the guardian’s first student, where it is left out.',
  },
)
export type NewReceipt = v.InferOutput<typeof NewReceipt>

const receiptFilters = {
  from: v.optional(date),
  to: v.optional(date),
  q: v.optional(searched(200)),
  method: v.optional(v.picklist(PAYMENT_METHODS)),
  branchId: v.optional(uuid),
  groupId: v.optional(uuid),
  courseId: v.optional(uuid),
}

const receiptFilterWords = {
  method: 'Only receipts for what was paid so.',
  branchId: 'Only receipts for an invoice of this branch, or for what was paid ahead to it.',
  groupId: 'Only receipts for an invoice all of whose lines are of this group.',
  courseId: 'Only receipts for an invoice all of whose lines are of groups of this course.',
  from: 'The first day on which money was received, in the institute’s timezone.',
  to: 'The last such day.',
  q: 'The beginning or the last part of a number (R-2026-0001, 123), or words of the names of a student or the payer.',
}

export const ReceiptQuery = explained(pageQuery(receiptFilters), receiptFilterWords)
export type ReceiptQuery = v.InferOutput<typeof ReceiptQuery>

export const ReceiptSumsQuery = explained(v.object(receiptFilters), receiptFilterWords)
export type ReceiptSumsQuery = v.InferOutput<typeof ReceiptSumsQuery>

export const ReceiptSums = named(
  'ReceiptSums',
  v.object({ count: orNull(count), cancelled: orNull(count), totals: orNull(list(Money)) }),
  {
    count: 'How many receipts there are; null: too many to be added up.',
    cancelled: 'How many of them are cancelled: they are in no sum; null: there are too many.',
    totals: 'What the others come to, in each currency; the institute’s comes first; null: there are too many.',
  },
)
export type ReceiptSums = v.InferOutput<typeof ReceiptSums>
