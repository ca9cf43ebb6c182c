import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  currency,
  date,
  day,
  id,
  integer,
  list,
  Money,
  orNull,
  pageOf,
  pageQuery,
  uuid,
} from '#kernel/values/schema.ts'
import { MAX_INVOICE_TOTAL_MINOR } from '#shared/amounts.ts'
import { PaidBy } from '../receipt-schemas.ts'

const words = {
  currency: 'The currency of the amounts.',
  balance: 'What is owed in all, less the credit; negative where there is more credit.',
  owed: 'What is still to be paid on invoices that were issued.',
  credit: 'What was received, or came from another program, and lies on no invoice yet.',
  held: 'What cheques come to that are held until their day: theirs, and those that are for their invoices. It lowers nothing yet.',
}

export const ENTRY_KINDS = [
  'invoice',
  'void',
  'payment',
  'reversal',
  'bounced',
  'paid_ahead',
  'opening_balance',
  'credit_applied',
  'credit_note',
  'refund',
] as const

export const AccountEntry = named(
  'AccountEntry',
  v.object({
    date: day,
    kind: v.picklist(ENTRY_KINDS),
    reference: v.string(),
    invoiceId: orNull(id),
    receiptId: orNull(id),
    creditNoteId: orNull(id),
    refundId: orNull(id),
    studentId: orNull(id),
    studentName: orNull(v.string()),
    debit: Money,
    credit: Money,
    balance: Money,
  }),
  {
    date: 'The day on which it counts, in the institute’s timezone.',
    kind: 'What happened. A void undoes an invoice, a reversal what was paid; `bounced` is the reversal of what a cheque paid that came back; `paid_ahead` became credit; `opening_balance` is credit that came from another program; `credit_note` took back a part of an invoice; `refund` was paid out; `credit_applied` is credit that paid an invoice where only one of the two belongs to this account.',
    reference:
      'The number of the invoice; of what was paid ahead, of the receipt; of a credit note or a refund, its own; of an opening balance, what it is said to be.',
    invoiceId: 'The invoice; null: it is of none.',
    receiptId: 'The receipt of a payment; null: it has none.',
    creditNoteId: 'The credit note; null: it is none.',
    refundId: 'The refund; null: it is none.',
    studentId: 'Whose invoice it is; null: nobody’s.',
    studentName: 'The name of that student, as it is now; null: it is nobody’s.',
    debit: 'What is owed more.',
    credit: 'What is owed less.',
    balance: 'The balance after it.',
  },
)
export type AccountEntry = v.InferOutput<typeof AccountEntry>

const Sums = { currency, balance: Money, owed: Money, credit: Money, held: Money }
const OtherCurrency = named('AccountInCurrency', v.object(Sums), words)

export const Account = named(
  'Account',
  v.object({ ...Sums, otherCurrencies: list(OtherCurrency), entries: pageOf(AccountEntry) }),
  {
    ...words,
    otherCurrencies: 'The same in each other currency in which there is anything.',
    entries: 'All that happened in this currency, newest first.',
  },
)
export type Account = v.InferOutput<typeof Account>

const asked = { currency: v.optional(currency), scope: v.optional(v.picklist(['own', 'family']), 'own') }
const askedWords = {
  currency: 'Default: the institute’s.',
  scope:
    '`own`, the usual one: what this person pays; `family`: all children of the family, and all guardians of those children.',
}

export const AccountQuery = explained(pageQuery(asked), askedWords)
export type AccountQuery = v.InferOutput<typeof AccountQuery>

export const AccountStatementQuery = explained(v.object({ ...asked, from: v.optional(date), to: v.optional(date) }), {
  ...askedWords,
  from: 'The first day of the entries, in the institute’s timezone.',
  to: 'Their last day.',
})

const Part = named(
  'CreditAllocation',
  v.object({ invoiceId: uuid, amountMinor: integer(1, MAX_INVOICE_TOTAL_MINOR) }),
  { amountMinor: 'What this invoice takes, in the smallest unit of the currency: at most its balance.' },
)

export const ApplyCredit = named(
  'ApplyCredit',
  v.object({
    ...PaidBy.entries,
    currency: v.optional(currency),
    allocations: v.optional(
      v.pipe(list(Part), v.minLength(1, 'Must name an invoice.'), v.maxLength(50, 'Must name at most 50 invoices.')),
    ),
  }),
  {
    guardianId: 'The guardian whose credit it is. Either this or studentId.',
    studentId: 'The student whose credit it is.',
    currency: 'Default: the institute’s.',
    allocations: 'What goes to which invoice; the payer’s open invoices, first due first, where it is left out.',
  },
)
export type ApplyCredit = v.InferOutput<typeof ApplyCredit>

export const AppliedCredit = named(
  'AppliedCredit',
  v.object({
    allocations: list(
      named('AppliedPart', v.object({ invoiceId: id, number: v.string(), amount: Money }), {
        invoiceId: 'The invoice that it paid.',
        number: 'Its number.',
        amount: 'What it took.',
      }),
    ),
    credit: Money,
  }),
  { allocations: 'What the credit paid, first due first.', credit: 'What is left of it.' },
)
export type AppliedCredit = v.InferOutput<typeof AppliedCredit>
