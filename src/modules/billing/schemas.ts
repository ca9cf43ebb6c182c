import * as v from 'valibot'
import {
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
  ts,
  uuid,
} from '#kernel/schema.ts'
import { MAX_INVOICE_TOTAL_MINOR } from './amounts.ts'
import { INVOICE_STATUSES, PAYMENT_METHODS, PAYMENT_PROVIDERS } from './tables.ts'

const status = v.picklist(INVOICE_STATUSES)

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
}
export const Invoice = v.object(invoiceFields)
export type Invoice = v.InferOutput<typeof Invoice>

export const Payment = v.object({
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
})
export type Payment = v.InferOutput<typeof Payment>

export const InvoiceLine = v.object({
  id,
  description: v.string(),
  quantity: v.number(),
  unitAmount: Money,
  discount: Money,
  taxRatePercent: v.number(),
  tax: Money,
  total: Money,
  feeScheduleId: orNull(id),
  enrollmentId: orNull(id),
  courseEnrollmentId: orNull(id),
})

export const InvoiceDetail = v.object({
  ...invoiceFields,
  lines: list(InvoiceLine),
  payments: list(Payment),
  balance: Money,
  notes: orNull(v.string()),
  voidReason: orNull(v.string()),
  version: v.number(),
  createdAt: ts,
  updatedAt: ts,
})
export type InvoiceDetail = v.InferOutput<typeof InvoiceDetail>

const amount = integer(0, MAX_INVOICE_TOTAL_MINOR)

const Line = v.object({
  description: prose(300),
  quantity: v.optional(integer(1, 10_000), 1),
  unitAmountMinor: amount,
  discountMinor: v.optional(amount, 0),
  taxRatePercent: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100)), 0),
  feeScheduleId: v.optional(uuid),
  enrollmentId: v.optional(uuid),
  courseEnrollmentId: v.optional(uuid),
})
export type NewLine = v.InferOutput<typeof Line>

const lines = v.pipe(list(Line), v.minLength(1, 'Must have a line.'), v.maxLength(200, 'Must have at most 200 lines.'))

const writable = v.partial(
  v.object({ lines, dueDate: date, issueDate: date, currency, notes: v.nullable(emptyableProse(2000)) }),
)

export const NewInvoice = v.object({ studentId: uuid, ...writable.entries, lines })

export const InvoiceChanges = v.object({ ...writable.entries, version: expectedVersion })

export const InvoiceQuery = pageQuery({ status: v.optional(status), overdue: v.optional(v.boolean()) })

export const Reason = v.object({ reason: prose(500) })

export const NewPayment = v.object({
  amountMinor: integer(1, MAX_INVOICE_TOTAL_MINOR),
  currency,
  method: v.picklist(PAYMENT_METHODS),
  provider: v.optional(v.picklist(PAYMENT_PROVIDERS), 'manual'),
  receivedAt: v.optional(instant),
  reference: v.optional(emptyable(200)),
})

export const PaymentQuery = pageQuery({
  invoiceId: v.optional(uuid),
  studentId: v.optional(uuid),
  from: v.optional(date),
  to: v.optional(date),
  method: v.optional(v.picklist(PAYMENT_METHODS)),
})

export const Summary = v.object({
  currency,
  outstanding: Money,
  collectedThisMonth: Money,
  overdueCount: v.number(),
  overdueTotal: Money,
  byStatus: v.object({
    draft: v.number(),
    issued: v.number(),
    partially_paid: v.number(),
    paid: v.number(),
    overdue: v.number(),
    void: v.number(),
  }),
})
