import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { pageOf } from '#kernel/values/schema.ts'
import { PersonSentOften, RecordSentOften } from '#runtime/queue/pace.ts'
import { NobodyReached, type FindUnreached } from '#runtime/queue/reached.ts'
import { ReceiptReachesFurther } from './failures.ts'
import { listReceipts } from './receipt-list.ts'
import { Receipt, ReceiptQuery, ReceiptSums, ReceiptSumsQuery } from './receipt-schemas.ts'
import { sumReceipts } from './receipt-sums.ts'
import { readReceipt } from './receipts.ts'
import { sendReceipt } from './send-receipt.ts'

/** @param findUnreached messages are another module’s, which needs this one */
export const receiptEndpoints = (findUnreached: FindUnreached) => [
  read({
    id: 'receipts.list',
    path: '/receipts',
    summary: 'List receipts, newest first',
    description:
      'Every payment stands on one, also one that was recorded by itself. `from` and `to` are days in the institute’s timezone on which the money was received, both included. `q` is the number of a receipt where it may be one (2026, R-2026-0001, or up to six digits: its last part), else words of the names that stand on it, as they were when it was made. All filters must hold. Under a role for one branch, a receipt is listed with the payments on invoices of that branch, comes to their sum, and is found by the names of their students and the payer. Payments from before receipts were kept have one each, numbered in the order in which they were recorded, with the names and the payers of the day of that upgrade.',
    access: 'invoices.read',
    query: ReceiptQuery,
    reply: pageOf(Receipt),
    handle: listReceipts,
  }),
  read({
    id: 'receipts.sums',
    path: '/receipts/sums',
    summary: 'Add up receipts',
    description:
      'Those that GET /receipts lists by the same filters, as they are shown there; cancelled ones are in no sum. One for cheques counts with all of them, also those that are held: what came in on some days is the collected sum of GET /reports/income. More than 5000 are not added up: narrow them by days.',
    access: 'invoices.read',
    query: ReceiptSumsQuery,
    reply: ReceiptSums,
    handle: sumReceipts,
  }),
  read({
    id: 'receipts.read',
    path: '/receipts/{id}',
    summary: 'Read a receipt',
    description:
      'Under a role for one branch, with the payments on invoices of that branch. One that is cancelled in part, by reversing some of its payments, still says what was received.',
    access: 'invoices.read',
    reply: Receipt,
    handle: ({ db, params }) => readReceipt(db, params.id),
  }),
  change({
    id: 'receipts.send',
    method: 'POST',
    path: '/receipts/{id}/send',
    summary: 'Send a receipt by mail to whom it is made out to',
    description:
      'As PDF, in the language of that person: the payer who stands on it, whoever pays today, else the student. It goes each time that it is asked for, whatever the institute’s setting for papers in mails; GET /notifications says what became of it. By hand, one receipt goes 3 times an hour and 6 times a day at the most, and one person is sent 30 messages an hour and 100 a day of all kinds: beyond that 429 with Retry-After (`record_sent_often`, `person_sent_often`).',
    access: 'payments.record',
    reply: Receipt,
    fails: [NotFound, NobodyReached, ReceiptReachesFurther, RecordSentOften, PersonSentOften],
    handle: ({ tx, params }) => sendReceipt(tx, params.id, findUnreached),
  }),
]
