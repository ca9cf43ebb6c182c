import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  currency,
  date,
  day,
  emptyable,
  id,
  instant,
  integer,
  list,
  Money,
  orNull,
  pageQuery,
  prose,
  text,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { MAX_INVOICE_TOTAL_MINOR } from '#shared/amounts.ts'
import { PaidBy } from '../receipt-schemas.ts'
import { PAYMENT_METHODS } from '../tables.ts'

const amountMinor = integer(1, MAX_INVOICE_TOTAL_MINOR)

const noteWords = {
  number: 'CN-, the year in which it was made and 6 digits, without gaps.',
  invoiceId: 'The invoice of which it takes back a part.',
  invoiceNumber: 'The number of that invoice.',
  studentId: 'Whose invoice it is.',
  payerGuardianId: 'The guardian who pays the invoice; null: the student.',
  payerName: 'The name of that guardian, as the invoice keeps it; null: there is none.',
  amount: 'What it takes back.',
  toCredit: 'What of it had been paid, and became credit of the payer.',
  lines: 'What is taken back.',
  reason: 'Why, as the payer reads it.',
  issueDate: 'The day on which it was made.',
}

export const CreditNote = named(
  'CreditNote',
  v.object({
    id,
    number: v.string(),
    invoiceId: id,
    invoiceNumber: v.string(),
    studentId: id,
    payerGuardianId: orNull(id),
    payerName: orNull(v.string()),
    amount: Money,
    toCredit: Money,
    lines: list(
      named('CreditNoteLine', v.object({ description: v.string(), amount: Money }), {
        description: 'What it is.',
        amount: 'What is taken back of it.',
      }),
    ),
    reason: v.string(),
    issueDate: day,
    createdAt: ts,
  }),
  noteWords,
)
export type CreditNote = v.InferOutput<typeof CreditNote>

export const NewCreditNote = named(
  'NewCreditNote',
  v.object({
    amountMinor: v.optional(amountMinor),
    lines: v.optional(
      v.pipe(
        list(
          named('NewCreditNoteLine', v.object({ description: prose(300), amountMinor }), {
            description: 'What it is.',
            amountMinor: 'What is taken back of it, with its tax, in the smallest unit of the currency.',
          }),
        ),
        v.minLength(1, 'Must have a line.'),
        v.maxLength(50, 'Must have at most 50 lines.'),
      ),
    ),
    reason: prose(300),
  }),
  {
    amountMinor: 'What is taken back, with its tax, in the smallest unit of the currency. Either this or `lines`.',
    lines: 'What is taken back, line by line.',
    reason: 'Why, as the payer reads it.',
  },
)
export type NewCreditNote = v.InferOutput<typeof NewCreditNote>

export const NoteQuery = explained(
  pageQuery({
    invoiceId: v.optional(uuid),
    number: v.optional(text(40)),
    from: v.optional(date),
    to: v.optional(date),
    branchId: v.optional(uuid),
    groupId: v.optional(uuid),
    courseId: v.optional(uuid),
  }),
  {
    invoiceId: 'Only credit notes of this invoice.',
    number: 'Only the one of this number.',
    from: 'Only those of this day or later.',
    to: 'Only those of this day or earlier.',
    branchId: 'Only those of invoices of this branch.',
    groupId: 'Only those of invoices all of whose lines are of this group.',
    courseId: 'Only those of invoices all of whose lines are of groups of this course.',
  },
)

const refundWords = {
  number: 'RF-, the year in which it was paid out and 6 digits, without gaps.',
  guardianId: 'The guardian whose credit it was; null: a student’s.',
  studentId: 'The student whose credit it was; null: a guardian’s.',
  payerName: 'The name of that person, as it was then.',
  amount: 'What was paid out.',
  reference: 'What it is found by elsewhere; null: nothing.',
  reason: 'Why.',
  paidAt: 'When.',
}

export const Refund = named(
  'Refund',
  v.object({
    id,
    number: v.string(),
    guardianId: orNull(id),
    studentId: orNull(id),
    payerName: v.string(),
    amount: Money,
    method: v.picklist(PAYMENT_METHODS),
    reference: orNull(v.string()),
    reason: v.string(),
    paidAt: ts,
    createdAt: ts,
  }),
  refundWords,
)
export type Refund = v.InferOutput<typeof Refund>

export const NewRefund = named(
  'NewRefund',
  v.object({
    ...PaidBy.entries,
    amountMinor,
    currency: v.optional(currency),
    method: v.picklist(PAYMENT_METHODS),
    reference: v.optional(emptyable(200)),
    reason: prose(300),
    paidAt: v.optional(instant),
  }),
  {
    ...refundWords,
    guardianId: 'The guardian whose credit it is. Either this or studentId.',
    studentId: 'The student whose credit it is.',
    amountMinor: 'What is paid out, in the smallest unit of the currency: at most the credit.',
    currency: 'Default: the institute’s.',
    paidAt: 'Default: now.',
  },
)
export type NewRefund = v.InferOutput<typeof NewRefund>

export const RefundQuery = explained(
  pageQuery({ guardianId: v.optional(uuid), studentId: v.optional(uuid), number: v.optional(text(40)) }),
  {
    number: 'Only the one of this number.',
    guardianId: 'Only what was paid out to this guardian.',
    studentId: 'Only what was paid out to this student.',
  },
)
