import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { pageOf } from '#kernel/values/schema.ts'
import { SumTooLarge } from '#kernel/values/sums.ts'
import { PersonErased } from '#modules/people/index.ts'
import {
  AboveBalance,
  AboveCredit,
  AlreadyReversed,
  CreditPaidOut,
  InvoiceNamedTwice,
  NoCredit,
  ReceiptReachesFurther,
  TakesNoPayment,
} from '../failures.ts'
import { PaidByCheque } from '../cheques/failures.ts'
import { Receipt } from '../receipt-schemas.ts'
import { Reason } from '../schemas.ts'
import { SumsFull } from '../sums.ts'
import { readAccount, readEntries } from './account.ts'
import { applyCredit } from './apply-many.ts'
import { reverseReceipt } from './reverse-receipt.ts'
import { Account, AccountEntry, AccountQuery, AppliedCredit, ApplyCredit } from './schemas.ts'

const ENTRIES =
  'The balance is what is owed on issued invoices less the credit, and the newest entry closes at it. A payment ahead lowers the balance when it is received, and nothing more when it is applied to an invoice of the same account. Under a role for one branch, only invoices and credit of that branch count.'

export const accountEndpoints = [
  read({
    id: 'accounts.of-guardian',
    path: '/guardians/{id}/account',
    summary: 'Read the account of a guardian, or of the family',
    description: `What the guardian pays: the invoices that name them as payer, and their credit. With scope=family, all invoices of their children, of all guardians of those, and the credit of all of them. ${ENTRIES}`,
    access: 'invoices.read',
    query: AccountQuery,
    reply: Account,
    fails: [NotFound, SumTooLarge],
    handle: ({ params, ...context }) => readAccount(context, { guardianId: params.id }),
  }),
  read({
    id: 'accounts.of-student',
    path: '/students/{id}/account',
    summary: 'Read the account of a student, or of the family',
    description: `All invoices of the student, whoever pays them, and the credit that the student has without a guardian. With scope=family, those of all children of the student’s guardians, and the credit of all of them. ${ENTRIES}`,
    access: 'invoices.read',
    query: AccountQuery,
    reply: Account,
    fails: [NotFound, SumTooLarge],
    handle: ({ params, ...context }) => readAccount(context, { studentId: params.id }),
  }),
  read({
    id: 'accounts.entries-of-guardian',
    path: '/guardians/{id}/account/entries',
    summary: 'List the entries of the account of a guardian, or of the family',
    description: 'The entries that GET /guardians/{id}/account shows, newest first, also as a file.',
    access: 'invoices.read',
    query: AccountQuery,
    reply: pageOf(AccountEntry),
    fails: [NotFound, SumTooLarge],
    handle: ({ params, ...context }) => readEntries(context, { guardianId: params.id }),
  }),
  read({
    id: 'accounts.entries-of-student',
    path: '/students/{id}/account/entries',
    summary: 'List the entries of the account of a student, or of the family',
    description: 'The entries that GET /students/{id}/account shows, newest first, also as a file.',
    access: 'invoices.read',
    query: AccountQuery,
    reply: pageOf(AccountEntry),
    fails: [NotFound, SumTooLarge],
    handle: ({ params, ...context }) => readEntries(context, { studentId: params.id }),
  }),
  change({
    id: 'accounts.apply',
    method: 'POST',
    path: '/accounts/apply',
    summary: 'Pay invoices from the credit of a payer',
    description:
      'Without `allocations` it pays the open invoices that this person pays, first due first, as far as the credit goes; there may be none. A guardian’s credit also pays invoices of their children that another guardian pays, where they are named. No money comes in: there is no receipt and no event. Invoices that are issued are paid so by themselves, unless the setting applyCredit is off.',
    access: 'payments.record',
    body: ApplyCredit,
    reply: AppliedCredit,
    fails: [NotFound, PersonErased, NoCredit, AboveCredit, InvoiceNamedTwice, TakesNoPayment, AboveBalance],
    handle: ({ tx, body }) => applyCredit(tx, body),
  }),
  change({
    id: 'receipts.reverse',
    method: 'POST',
    path: '/receipts/{id}/reverse',
    summary: 'Take back all that a receipt is for',
    description:
      'Each of its payments that still holds is reversed as POST /payments/{id}/reverse does it, and what went to the credit of its payer is taken out again. Where that credit has paid invoices since, the last of them are owed again. Credit that was refunded since cannot be taken back (409 `credit_paid_out`). The receipt is cancelled; its number stays. One for cheques is not taken back so (409 `paid_by_cheque`): each of them bounced, or is given back.',
    access: 'payments.record',
    body: Reason,
    reply: Receipt,
    fails: [NotFound, ReceiptReachesFurther, PaidByCheque, AlreadyReversed, CreditPaidOut, SumsFull],
    handle: ({ tx, params, body }) => reverseReceipt(tx, params.id, body.reason),
  }),
]
