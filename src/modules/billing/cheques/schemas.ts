import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  currency,
  date,
  day,
  id,
  instant,
  integer,
  list,
  Money,
  orNull,
  pageQuery,
  prose,
  searched,
  text,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { MAX_INVOICE_TOTAL_MINOR } from '#shared/amounts.ts'
import { NewReceipt, PaidBy } from '../receipt-schemas.ts'
import { PAYMENT_METHODS } from '../tables.ts'
import { ChequeStatus, chequeWords, written } from './written.ts'

const MOST_CHEQUES = 60
/** Nobody means more than a million by the fee for a cheque. */
const MOST_FEE_MINOR = 100_000_000

export const NewCheque = named(
  'NewCheque',
  v.object({ ...written, amountMinor: integer(1, MAX_INVOICE_TOTAL_MINOR), dueOn: date }),
  chequeWords,
)
export type NewCheque = v.InferOutput<typeof NewCheque>

const cheques = v.pipe(
  list(NewCheque),
  v.minLength(1, 'Must have a cheque.'),
  v.maxLength(MOST_CHEQUES, `Must have at most ${MOST_CHEQUES} cheques.`),
)

export const NewCheques = named(
  'NewCheques',
  v.object({
    cheques,
    allocations: NewReceipt.entries.allocations,
    paidBy: v.optional(PaidBy),
    branchId: v.optional(uuid),
    currency,
  }),
  {
    ...chequeWords,
    cheques: 'The cheques, at most 60.',
    allocations: 'What goes to which invoice, each invoice once: by the day of the cheques, the first of them first.',
    paidBy: 'Whose cheques they are; who pays the invoices by record, where it is left out.',
    branchId:
      'Which branch holds them; that of the first invoice, of the student or of the guardian’s first student, where it is left out.',
  },
)
export type NewCheques = v.InferOutput<typeof NewCheques>

const ChequePart = named('ChequePart', v.object({ invoiceId: id, invoiceNumber: v.string(), amount: Money }), {
  invoiceNumber: 'The number of the invoice.',
  amount: 'What of the cheque is for it.',
})

export const Cheque = named(
  'Cheque',
  v.object({
    id,
    branchId: id,
    receiptId: id,
    receiptNumber: v.string(),
    guardianId: orNull(id),
    studentId: orNull(id),
    payerName: v.string(),
    bank: v.string(),
    branch: v.string(),
    account: v.string(),
    number: v.string(),
    amount: Money,
    dueOn: day,
    status: ChequeStatus,
    allocations: list(ChequePart),
    depositId: orNull(id),
    reason: orNull(v.string()),
    feeInvoiceId: orNull(id),
    replacedByReceiptId: orNull(id),
    createdAt: ts,
    updatedAt: ts,
  }),
  chequeWords,
)
export type Cheque = v.InferOutput<typeof Cheque>

export const ChequeQuery = explained(
  pageQuery({
    status: v.optional(ChequeStatus),
    dueFrom: v.optional(date),
    dueTo: v.optional(date),
    q: v.optional(searched(200)),
    guardianId: v.optional(uuid),
    studentId: v.optional(uuid),
    branchId: v.optional(uuid),
    receiptId: v.optional(uuid),
    depositId: v.optional(uuid),
  }),
  {
    dueFrom: 'Only those of this day or later.',
    dueTo: 'Only those of this day or earlier.',
    q: 'Words of the payer, of the students, or of the bank, the account or the number.',
    guardianId: 'Only those of this guardian.',
    studentId: 'Only those of this student, or for their invoices.',
    branchId: 'Only those that this branch holds.',
    receiptId: 'Only those on this receipt.',
    depositId: 'Only those on this deposit list.',
  },
)
export type ChequeQuery = v.InferOutput<typeof ChequeQuery>

export const Bounce = named(
  'Bounce',
  v.object({ reason: prose(500), feeMinor: v.optional(integer(1, MOST_FEE_MINOR)) }),
  {
    reason: 'What the bank said.',
    feeMinor: 'What the payer is charged for it, in the smallest unit of the currency.',
  },
)
export type Bounce = v.InferOutput<typeof Bounce>

export const GiveBack = named('GiveBack', v.object({ reason: v.optional(prose(500)) }), {
  reason: 'Why it is given back.',
})

export const Replacement = named(
  'Replacement',
  v.object({
    cheques: v.optional(cheques),
    method: v.optional(v.picklist(PAYMENT_METHODS)),
    reference: NewReceipt.entries.reference,
    receivedAt: v.optional(instant),
  }),
  {
    cheques: 'The cheques that take its place. They come to what it is for. Either these or `method`.',
    method: 'How the money was handed over that takes its place.',
    reference: 'What that payment is found by elsewhere.',
    receivedAt: 'When that money was received; now where it is left out.',
  },
)
export type Replacement = v.InferOutput<typeof Replacement>

export const Deposit = named(
  'ChequeDeposit',
  v.object({
    id,
    number: v.string(),
    branchId: id,
    bankAccount: v.string(),
    depositedOn: day,
    amount: Money,
    cheques: list(Cheque),
    createdAt: ts,
  }),
  {
    number: 'D-, the year and 6 digits, without gaps.',
    branchId: 'The branch that holds them.',
    bankAccount: 'The account of the institute that they are paid into.',
    depositedOn: 'The day on which the list was made.',
    amount: 'What its cheques come to, those that bounced since among them.',
    cheques: 'The cheques on it, by their day.',
  },
)
export type Deposit = v.InferOutput<typeof Deposit>

export const NewDeposit = named(
  'NewChequeDeposit',
  v.object({
    chequeIds: v.pipe(list(uuid), v.minLength(1, 'Must name a cheque.'), v.maxLength(200, 'Must name at most 200.')),
    bankAccount: text(100),
  }),
  {
    chequeIds: 'Cheques that are due, of one branch and in one currency.',
    bankAccount: 'The account of the institute that they are paid into, in its own words.',
  },
)
export type NewDeposit = v.InferOutput<typeof NewDeposit>
