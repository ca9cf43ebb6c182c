import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { PersonErased } from '#modules/people/index.ts'
import { pageOf } from '#kernel/values/schema.ts'
import { readRecord } from '#runtime/records/records.ts'
import { AboveCredit, AboveInvoice, NoCredit, NotCreditable } from '../failures.ts'
import { creditInvoice, readNote } from './credit-notes.ts'
import { listNotes, listRefunds } from './note-lists.ts'
import { CreditNote, NewCreditNote, NewRefund, NoteQuery, Refund, RefundQuery } from './note-schemas.ts'
import { refundCredit, refundRecord } from './refunds.ts'

export const noteEndpoints = [
  change({
    id: 'credit-notes.create',
    method: 'POST',
    path: '/invoices/{id}/credit-notes',
    summary: 'Take back a part of an issued invoice',
    description:
      'The invoice stays as it is and its balance falls by the amount; what had been paid above that becomes credit of its payer. All credit notes of an invoice come to at most its total. The number is the next one of the year, without gaps. It keeps to whom and by whom the invoice is.',
    access: 'invoices.write',
    body: NewCreditNote,
    status: 201,
    reply: CreditNote,
    fails: [NotCreditable, AboveInvoice],
    handle: ({ tx, params, body }) => creditInvoice(tx, params.id, body),
  }),
  read({
    id: 'credit-notes.list',
    path: '/credit-notes',
    summary: 'List credit notes, newest first',
    access: 'invoices.read',
    query: NoteQuery,
    reply: pageOf(CreditNote),
    handle: listNotes,
  }),
  read({
    id: 'credit-notes.read',
    path: '/credit-notes/{id}',
    summary: 'Read a credit note',
    access: 'invoices.read',
    reply: CreditNote,
    handle: ({ db, params }) => readNote(db, params.id),
  }),
  change({
    id: 'refunds.create',
    method: 'POST',
    path: '/refunds',
    summary: 'Pay out credit of a payer',
    description: 'Never more than the credit. The number is the next one of the year, without gaps.',
    access: 'payments.record',
    body: NewRefund,
    status: 201,
    reply: Refund,
    fails: [NotFound, PersonErased, NoCredit, AboveCredit],
    handle: ({ tx, body }) => refundCredit(tx, body),
  }),
  read({
    id: 'refunds.list',
    path: '/refunds',
    summary: 'List refunds, newest first',
    access: 'invoices.read',
    query: RefundQuery,
    reply: pageOf(Refund),
    handle: listRefunds,
  }),
  read({
    id: 'refunds.read',
    path: '/refunds/{id}',
    summary: 'Read a refund',
    access: 'invoices.read',
    reply: Refund,
    handle: ({ db, params }) => readRecord(db, refundRecord, params.id),
  }),
]
