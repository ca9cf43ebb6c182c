import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
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
import { invoiceWords, NewPayment, Payment } from './schemas.ts'
import { PAYMENT_METHODS } from './tables.ts'

const words = {
  ...invoiceWords,
  number: 'R-, the year in which it was recorded at the institute, and 6 digits, without gaps.',
  payerGuardianId: 'The guardian who pays its invoices; null: no guardian does.',
  payerName: 'The name of that guardian, as it was when the receipt was made; null: there is none.',
  studentIds: 'The students whose invoices were paid.',
  students: 'The same students by name, as their names were when the receipt was made.',
  amount: 'What was received: the sum of its payments.',
  cancelledAt: 'When the last of its payments was reversed; null: not all of them are.',
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
    method: v.picklist(PAYMENT_METHODS),
    receivedAt: ts,
    cancelledAt: orNull(ts),
    payments: list(ReceiptPayment),
  }),
  words,
)
export type Receipt = v.InferOutput<typeof Receipt>

const Allocation = named(
  'Allocation',
  v.object({ invoiceId: uuid, amountMinor: integer(1, MAX_INVOICE_TOTAL_MINOR) }),
  { amountMinor: 'What goes to this invoice, in the smallest unit of the currency: at most its balance.' },
)

const { method, provider, reference, receivedAt } = NewPayment.entries

export const NewReceipt = named(
  'NewReceipt',
  v.object({
    allocations: v.pipe(
      list(Allocation),
      v.minLength(1, 'Must name an invoice.'),
      v.maxLength(50, 'Must name at most 50 invoices.'),
    ),
    currency,
    method,
    provider,
    reference,
    receivedAt,
  }),
  { ...invoiceWords, allocations: 'What goes to which invoice, each invoice once.' },
)
export type NewReceipt = v.InferOutput<typeof NewReceipt>

export const ReceiptQuery = explained(
  pageQuery({ from: v.optional(date), to: v.optional(date), q: v.optional(searched(200)) }),
  {
    from: 'The first day on which money was received, in the institute’s timezone.',
    to: 'The last such day.',
    q: 'The beginning or the last part of a number (R-2026-0001, 123), or words of the names of a student or the payer.',
  },
)
export type ReceiptQuery = v.InferOutput<typeof ReceiptQuery>
