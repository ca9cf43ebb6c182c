import { change, read } from '#kernel/contract/endpoint.ts'
import { Merged, orMerged, PersonErased } from '#modules/people/index.ts'
import type { Concern } from '#kernel/contract/tool.ts'
import { NotFound, VersionConflict } from '#kernel/values/errors.ts'
import { Ok, ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import { SumTooLarge } from '#kernel/values/sums.ts'
import { readRecord } from '#runtime/records/records.ts'
import { PersonSentOften, RecordSentOften } from '#runtime/queue/pace.ts'
import { NobodyReached, type FindUnreached } from '#runtime/queue/reached.ts'
import { requestHashOf } from '#runtime/change/request-hash.ts'
import { changeInvoice, checkYear, createInvoice } from './drafts.ts'
import {
  AboveBalance,
  AlreadyReversed,
  CannotVoid,
  ClosedYear,
  CurrencyDiffers,
  InvoiceNamedTwice,
  IsReversal,
  NotADraft,
  NotIssued,
  NotOpen,
  PayersDiffer,
  SamePayer,
  TakesNoPayment,
} from './failures.ts'
import { paymentRecord, readInvoice } from './invoices.ts'
import { issueInvoice, remindOfInvoice, voidInvoice } from './lifecycle.ts'
import { ChequeKnown, PaidByCheque } from './cheques/failures.ts'
import { listInvoices, listInvoicesOfStudent } from './lists.ts'
import { InvoiceIds, InvoicesToRemind, IssuedInvoices, RemindedInvoices } from './change-many-schemas.ts'
import { changeMany, noteMany } from './change-many.ts'
import { listPayments } from './payment-list.ts'
import { moveInvoice } from './payer.ts'
import { recordPayment, recordPayments, reversePayment } from './payments.ts'
import { NewReceipt, Receipt } from './receipt-schemas.ts'
import { unreachedOf } from './reach.ts'
import {
  ListedInvoice,
  InvoiceChanges,
  InvoiceDetail,
  InvoicePayer,
  InvoiceQuery,
  IssuedInvoice,
  NewInvoice,
  NewPayment,
  Payment,
  PaymentQuery,
  Reason,
  Statement,
  StatementQuery,
  Summary,
} from './schemas.ts'
import { readStatement } from './statement.ts'
import { billingSummary } from './summary.ts'
import { SumsFull } from './sums.ts'

const IN_SLICES =
  'Those that cannot be are refused with the reason, and it is done with the others all the same: also where all are refused the status is 200. The work is done in many small transactions. If the server stops on the way, what is done stays done: a repeat with the same Idempotency-Key does the others, and answers for all.'

/** Who agrees to a payment knows people, and not the ids of their invoices. */
const INVOICE_AND_STUDENT: readonly Concern[] = [
  { what: 'Invoice', read: 'invoices.read', shows: ['number', 'total', 'paid'], leadsTo: 'studentId' },
  { what: 'Student', read: 'students.read', shows: ['firstName', 'lastName', 'studentNumber'] },
]

/** @param findUnreached messages are another module’s, which needs this one */
export const invoiceEndpoints = (findUnreached: FindUnreached) => [
  read({
    id: 'invoices.list',
    path: '/invoices',
    summary: 'List invoices',
    description:
      'Newest first, or with `sort=dueDate` first due first; a cursor belongs to one order. `q` is the number of an invoice where it may be one (2026, INV-2026-0001, or up to six digits: its last part), else words of the student, who must be within the caller’s reach too. All filters must hold. The balance of a void invoice is 0.',
    access: 'invoices.read',
    tool: {
      name: 'invoices_find',
      title: 'Find invoices and who owes',
      description:
        'Lists invoices, newest first, ten at a time. Use overdue true to find who has not paid in time. Gives the invoiceId that other tools take.',
    },
    query: InvoiceQuery,
    reply: pageOf(ListedInvoice),
    handle: listInvoices,
  }),
  change({
    id: 'invoices.create',
    method: 'POST',
    path: '/invoices',
    summary: 'Make a draft invoice',
    description:
      'The number is given now, in a row for each year of issueDate (default: today). The invoice belongs to the branch that the student is in now. Without `dueDate` it is due as many days after its issue date as the setting invoiceDueDays says; a due date in the past is taken: old debts are entered too. An issue date in a year before the current one is 409 (closed_year), unless `closedYear` says that it is meant, which only an owner may (403 with details.reason owner_only, for API keys too); a draft of a year before is issued as any other. `enrollmentId` and `courseEnrollmentId` must be of the student’s (404). A line with `feeScheduleId` says that this fee was invoiced: billing runs do not charge the student by it again in the month, or the term, of the issue date, unless the invoice is void. Once all invoices above 1,000,000,000 minor units that the institute ever made come to 4,000,000,000,000,000, another such one is 409: sums stay exact, below 2^53.',
    access: 'invoices.write',
    tool: {
      name: 'invoice_draft',
      title: 'Draft an invoice',
      description:
        'Makes a draft invoice for one student. Amounts are whole numbers in the smallest unit of the currency: 45000 is 450.00. A draft is not owed before invoice_issue.',
      done: 'A draft invoice is made. It is not owed before it is issued.',
    },
    body: NewInvoice,
    status: 201,
    reply: InvoiceDetail,
    fails: [NotFound, PersonErased, SumsFull, ClosedYear],
    handle: ({ tx, body, caller }) => {
      checkYear(tx, body, caller)
      return createInvoice(tx, body)
    },
  }),
  read({
    id: 'invoices.read',
    path: '/invoices/{id}',
    summary: 'Read an invoice with its lines and payments',
    description: 'The balance of a void invoice is 0.',
    access: 'invoices.read',
    reply: InvoiceDetail,
    handle: ({ db, params }) => readInvoice(db, params.id),
  }),
  change({
    id: 'invoices.update',
    method: 'PATCH',
    path: '/invoices/{id}',
    summary: 'Change a draft invoice',
    description: '`lines` replaces all lines. The issue date stays within the year of the number.',
    access: 'invoices.write',
    body: InvoiceChanges,
    reply: InvoiceDetail,
    fails: [NotADraft, VersionConflict, SumsFull],
    handle: ({ tx, params, body }) => changeInvoice(tx, params.id, body),
  }),
  change({
    id: 'invoices.issue',
    method: 'POST',
    path: '/invoices/{id}/issue',
    summary: 'Issue a draft invoice',
    description:
      'One that comes to 0 is paid at once; its invoice.issued event says so. From now on it keeps what stands on its paper: who pays it, the payer of record of this moment, and the student, with name, address and identity number; the institute with its name, addresses, tax number, logo and colour; the text below it, the setting invoiceFooter; and the language of the payer. Whatever becomes of those later, papers, receipts, reminders and debts go by what was kept. Whoever pays it is told; where no message reaches them, it is issued all the same, and `unreached` says why.',
    access: 'invoices.write',
    tool: {
      name: 'invoice_issue',
      title: 'Issue an invoice',
      description:
        'Issues a draft invoice: from then on it is owed, and it cannot be changed any more. It asks a person first.',
      params: { id: 'invoiceId' },
      done: 'The invoice is issued.',
      asksBack: true,
      concerns: INVOICE_AND_STUDENT,
    },
    reply: IssuedInvoice,
    fails: [NotADraft],
    handle: async ({ tx, params: { id } }) => {
      const invoice = await issueInvoice(tx, id)
      const [unreached = null] = await unreachedOf(findUnreached, tx, { text: 'invoice.issued', ids: [id] })
      return { ...invoice, unreached }
    },
  }),
  change({
    id: 'invoices.void',
    method: 'POST',
    path: '/invoices/{id}/void',
    summary: 'Void an invoice on which nothing is paid',
    description: 'Also one that comes to 0 and so counts as paid without a payment.',
    access: 'invoices.write',
    body: Reason,
    reply: InvoiceDetail,
    fails: [CannotVoid],
    handle: ({ tx, params, body }) => voidInvoice(tx, params.id, body.reason),
  }),
  change({
    id: 'invoices.move-payer',
    method: 'POST',
    path: '/invoices/{id}/payer',
    summary: 'Move an issued invoice to another payer',
    description:
      'Who is the payer of record changes nothing about invoices that were issued before: this does. Its paper names that guardian then, reminders go there, and it is a debt of that guardian. Receipts that were made for it stay as they are. What it said until now stays in `replaced`, and GET /invoices/{id}/pdf gives that paper again, marked as replaced. The audit log has who paid it before. Somebody who is no guardian of the student is 422.',
    access: 'invoices.write',
    body: InvoicePayer,
    reply: InvoiceDetail,
    fails: [NotIssued, SamePayer],
    handle: ({ tx, params, body }) => moveInvoice(tx, params.id, body),
  }),
  change({
    id: 'invoices.remind',
    method: 'POST',
    path: '/invoices/{id}/remind',
    summary: 'Ask for a reminder of an open invoice',
    description:
      'Where no message reaches who pays it, because their record has no address of a channel that is set up or they want no such messages, nothing is sent: 409, which names them and says why. By hand, one invoice is reminded of 3 times an hour and 6 times a day at the most, and one payer is sent 30 messages an hour and 100 a day of all kinds: beyond that 429 with Retry-After (`record_sent_often`, `person_sent_often`).',
    access: 'invoices.write',
    reply: Ok,
    fails: [NotOpen, NobodyReached, RecordSentOften, PersonSentOften],
    handle: async ({ tx, params }) => {
      await remindOfInvoice(tx, params.id, { findUnreached, toCall: false })
      return ok
    },
  }),
  change({
    id: 'invoices.issue-many',
    method: 'POST',
    path: '/invoices/issue',
    summary: 'Issue many draft invoices',
    description: `Each as POST /invoices/{id}/issue does it. ${IN_SLICES}`,
    access: 'invoices.write',
    body: InvoiceIds,
    reply: IssuedInvoices,
    prepare: ({ body, caller, request, ...context }) =>
      changeMany(
        { ...context, ...body, requestHash: requestHashOf(caller, request, 'issue', body) },
        { each: issueInvoice, refusals: { not_a_draft: NotADraft } },
      ).then(async (outcome) => ({
        ...outcome,
        unreached: await unreachedOf(findUnreached, context, { text: 'invoice.issued', ids: outcome.done }),
      })),
    handle: async ({ tx, prepared }) => noteMany(tx, prepared),
  }),
  change({
    id: 'invoices.remind-many',
    method: 'POST',
    path: '/invoices/remind',
    summary: 'Ask for reminders of many open invoices',
    description: `Each as POST /invoices/{id}/remind does it; with \`toCall\` those whom no message reaches and who have a phone stand on the list of GET /notifications/calls, and count as done. ${IN_SLICES}`,
    access: 'invoices.write',
    body: InvoicesToRemind,
    reply: RemindedInvoices,
    prepare: ({ body, caller, request, ...context }) =>
      changeMany(
        { ...context, ...body, requestHash: requestHashOf(caller, request, 'remind', body) },
        {
          each: (tx, id) => remindOfInvoice(tx, id, { findUnreached, toCall: body.toCall }),
          refusals: {
            not_open: NotOpen,
            nobody_reached: NobodyReached,
            record_sent_often: RecordSentOften,
            person_sent_often: PersonSentOften,
          },
        },
      ).then(async (outcome) => {
        const ids = outcome.refused.filter(({ reason }) => reason === 'nobody_reached').map(({ id }) => id)
        const asked = { text: 'invoice.reminder_requested' as const, ids }
        return { ...outcome, unreached: await unreachedOf(findUnreached, context, asked) }
      }),
    handle: async ({ tx, prepared }) => noteMany(tx, prepared),
  }),
  read({
    id: 'invoices.of-student',
    path: '/students/{id}/invoices',
    summary: 'List a student’s invoices, newest first',
    access: 'invoices.read',
    tool: {
      name: 'student_invoices_list',
      title: "List a student's invoices",
      description: 'Lists the invoices of one student, newest first, ten at a time, with their invoiceId and balance.',
      params: { id: 'studentId' },
    },
    query: pageQuery({}),
    reply: pageOf(ListedInvoice),
    fails: [Merged],
    handle: (context) => orMerged(context, listInvoicesOfStudent),
  }),
  read({
    id: 'invoices.statement',
    path: '/students/{id}/statement',
    summary: 'Read a student’s statement of account',
    description:
      'What was owed and paid from `from` to `to`, both inclusive, in one currency (default: the institute’s). An invoice counts from its issue date on, once it is issued: drafts are not owed. A payment or reversal counts on the local day on which it was received, a void on the day of the voiding. `reference` is the number of the invoice that the entry belongs to, and `payers` says whose debts they are: those who pay the invoices since they were issued. Invoices and reversals are debits, payments and voids credits; balance is what was owed after the entry. Under a role for one branch, only invoices of that branch count.',
    access: 'invoices.read',
    tool: {
      name: 'statement_read',
      title: "Read a student's statement of account",
      description:
        'Gives what one student was charged and paid between two dates, with the balance before and after. A positive balance is owed to the institute.',
      params: { id: 'studentId' },
    },
    query: StatementQuery,
    reply: Statement,
    fails: [Merged, SumTooLarge],
    handle: (asked) => orMerged(asked, ({ params, query, ...context }) => readStatement(context, params.id, query)),
  }),
]

export const paymentEndpoints = [
  change({
    id: 'payments.record',
    method: 'POST',
    path: '/invoices/{id}/payments',
    summary: 'Record a payment on an open invoice',
    description: 'It has a receipt of its own, which GET /receipts lists.',
    access: 'payments.record',
    tool: {
      name: 'payment_record',
      title: 'Record a payment',
      description:
        'Records a payment that the institute has received on one open invoice. amountMinor is a whole number in the smallest unit of the currency: 20000 of ILS is 200.00. It takes no money from anybody. It asks a person first.',
      params: { id: 'invoiceId' },
      done: 'The payment is recorded.',
      asksBack: true,
      concerns: INVOICE_AND_STUDENT,
    },
    body: NewPayment,
    status: 201,
    reply: Payment,
    fails: [TakesNoPayment, CurrencyDiffers, AboveBalance],
    handle: ({ tx, params, body }) => recordPayment(tx, params.id, body),
  }),
  change({
    id: 'payments.record-many',
    method: 'POST',
    path: '/payments',
    summary: 'Record what a payer paid on several invoices, with one receipt',
    description:
      'All of it or nothing. The invoices are of one student, or of students who have the same payer, and all in one currency; each takes at most its balance. Each becomes a payment of its own, with its event. `paidBy` names who paid, where that is not who pays the invoices by record: a guardian of each of the students, or the student; the receipt is theirs. With `amountMinor` above the sum of the allocations, what is left is credit of whoever paid, and stands on the receipt; without allocations all of it is, and `paidBy` must be given. That credit makes no event. With `cheque` the method is `cheque`: one that is cashed on the day on which the money was received, and listed among the cheques as due; for those of a later day see POST /cheques. The receipt takes the next number of the year in which it is recorded, by the institute’s timezone, also where the money was received in an earlier one.',
    access: 'payments.record',
    body: NewReceipt,
    status: 201,
    reply: Receipt,
    fails: [
      NotFound,
      PersonErased,
      InvoiceNamedTwice,
      TakesNoPayment,
      CurrencyDiffers,
      AboveBalance,
      PayersDiffer,
      ChequeKnown,
    ],
    handle: ({ tx, body }) => recordPayments(tx, body),
  }),
  change({
    id: 'payments.reverse',
    method: 'POST',
    path: '/payments/{id}/reverse',
    summary: 'Take a payment back',
    description:
      'Adds a negative payment that is received now. An invoice whose due date has passed is overdue again, without an event. A receipt of which every payment is reversed is cancelled; its number stays. What a cheque paid is not reversed so (409 `paid_by_cheque`): the cheque bounced, or is given back.',
    access: 'payments.record',
    body: Reason,
    status: 201,
    reply: Payment,
    fails: [IsReversal, PaidByCheque, AlreadyReversed, SumsFull],
    handle: ({ tx, params, body }) => reversePayment(tx, params.id, body.reason),
  }),
  read({
    id: 'payments.list',
    path: '/payments',
    summary: 'List payments and reversals, newest first',
    description: '`from` and `to` are days in the institute’s timezone on which the money was received, both included.',
    access: 'invoices.read',
    query: PaymentQuery,
    reply: pageOf(Payment),
    handle: listPayments,
  }),
  read({
    id: 'payments.read',
    path: '/payments/{id}',
    summary: 'Read a payment',
    access: 'invoices.read',
    reply: Payment,
    handle: ({ db, params }) => readRecord(db, paymentRecord, params.id),
  }),
  read({
    id: 'billing.summary',
    path: '/billing/summary',
    summary: 'What is owed and what came in this month',
    description:
      'Sums are of invoices in the institute’s currency: outstanding and overdueTotal are what is still to be paid, collectedThisMonth the payments less the reversals. Counts cover every invoice.',
    access: 'invoices.read',
    reply: Summary,
    fails: [SumTooLarge],
    handle: (context) => billingSummary(context, context.tenant),
  }),
]
