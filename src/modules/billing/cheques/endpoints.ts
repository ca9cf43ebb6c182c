import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { pageOf, pageQuery } from '#kernel/values/schema.ts'
import {
  AboveBalance,
  CreditPaidOut,
  CurrencyDiffers,
  InvoiceNamedTwice,
  PayersDiffer,
  TakesNoPayment,
} from '../failures.ts'
import { Receipt } from '../receipt-schemas.ts'
import { readCheque } from './cheque.ts'
import { depositCheques, listDeposits, readDeposit } from './deposits.ts'
import {
  AllocationsAboveCheques,
  AlreadyBounced,
  ChequeKnown,
  ChequeMoved,
  ChequeNamedTwice,
  ChequeNotDue,
  ChequeStale,
  OtherDeposit,
  ReplacementDiffers,
} from './failures.ts'
import { listCheques } from './lists.ts'
import { Bounce, Cheque, ChequeQuery, Deposit, GiveBack, NewCheques, NewDeposit, Replacement } from './schemas.ts'
import { bounceCheque, clearCheque, replaceCheque, returnCheque } from './take-back.ts'
import { takeCheques } from './take.ts'

export const chequeEndpoints = [
  change({
    id: 'cheques.take',
    method: 'POST',
    path: '/cheques',
    summary: 'Take cheques, with one receipt',
    description:
      'All of them or nothing. A cheque is held until its day, and then, in the institute’s timezone, becomes a payment of that receipt on the invoices that it is for, received on that day. One of today is a payment at once, and so is one of an earlier day, up to 180 days back. What goes to no invoice pays, while the setting applyCredit is on, what its payer is issued until then and what they owe on its day, first due first; the rest becomes their credit. An invoice is not overdue, and nobody is reminded of it, while cheques that are held come to what is still to be paid of it. Two cheques of one bank, branch, account and number are never taken, unless the former was given back or replaced; signs, spaces and zeros at the beginning make no difference.',
    access: 'payments.record',
    body: NewCheques,
    status: 201,
    reply: Receipt,
    fails: [
      NotFound,
      InvoiceNamedTwice,
      TakesNoPayment,
      CurrencyDiffers,
      AboveBalance,
      PayersDiffer,
      AllocationsAboveCheques,
      ChequeNamedTwice,
      ChequeKnown,
      ChequeStale,
    ],
    handle: ({ tx, body }) => takeCheques(tx, body),
  }),
  read({
    id: 'cheques.list',
    path: '/cheques',
    summary: 'List cheques by their day',
    description: 'Under a role for one branch, those that it holds.',
    access: 'invoices.read',
    query: ChequeQuery,
    reply: pageOf(Cheque),
    handle: listCheques,
  }),
  change({
    id: 'cheques.bounce',
    method: 'POST',
    path: '/cheques/{id}/bounce',
    summary: 'Say that the bank did not pay a cheque',
    description:
      'Of one that is due, deposited or cleared. Its payments are reversed as POST /payments/{id}/reverse does it, what became credit is taken out again, and the debt is back. With `feeMinor` a draft invoice of that fee is made for the student of the first invoice that it is for, else for the payer’s first student. Its payer is told, and its event is sent. Credit that was refunded since cannot be taken back (409 `credit_paid_out`).',
    access: 'payments.record',
    body: Bounce,
    reply: Cheque,
    fails: [AlreadyBounced, ChequeMoved, CreditPaidOut],
    handle: ({ tx, params, body }) => bounceCheque(tx, params.id, body),
  }),
  change({
    id: 'cheques.return',
    method: 'POST',
    path: '/cheques/{id}/return',
    summary: 'Give a cheque back to whoever brought it',
    description:
      'Of one that is held, or due and not yet taken to the bank: what it has paid is reversed then. The invoices that it was for are owed as before.',
    access: 'payments.record',
    body: GiveBack,
    reply: Cheque,
    fails: [ChequeMoved, CreditPaidOut],
    handle: ({ tx, params, body }) => returnCheque(tx, params.id, body.reason),
  }),
  change({
    id: 'cheques.clear',
    method: 'POST',
    path: '/cheques/{id}/clear',
    summary: 'Say that the bank has paid a cheque',
    description: 'Of one that is due or deposited. The bank may still return it later: then it bounced.',
    access: 'payments.record',
    reply: Cheque,
    fails: [ChequeMoved],
    handle: ({ tx, params }) => clearCheque(tx, params.id),
  }),
  change({
    id: 'cheques.replace',
    method: 'POST',
    path: '/cheques/{id}/replace',
    summary: 'Settle a cheque by other cheques or other money',
    description:
      'Of one that is held, due or bounced. The others come to the same sum, are for the invoices that it was for, and have a receipt of their own, which is the reply.',
    access: 'payments.record',
    body: Replacement,
    status: 201,
    reply: Receipt,
    fails: [ChequeMoved, ReplacementDiffers, ChequeNamedTwice, ChequeKnown, ChequeStale, CreditPaidOut],
    handle: ({ tx, params, body }) => replaceCheque(tx, params.id, body),
  }),
  change({
    id: 'cheques.deposit',
    method: 'POST',
    path: '/cheques/deposits',
    summary: 'Take cheques to the bank with a list',
    description: 'All of them or nothing: cheques that are due, of one branch and in one currency.',
    access: 'payments.record',
    body: NewDeposit,
    status: 201,
    reply: Deposit,
    fails: [NotFound, ChequeNotDue, ChequeMoved, OtherDeposit],
    handle: ({ tx, body }) => depositCheques(tx, body),
  }),
  read({
    id: 'cheques.deposits',
    path: '/cheques/deposits',
    summary: 'List the deposit lists of cheques, newest first',
    access: 'invoices.read',
    query: pageQuery({}),
    reply: pageOf(Deposit),
    handle: listDeposits,
  }),
  read({
    id: 'cheques.read-deposit',
    path: '/cheque-deposits/{id}',
    summary: 'Read a deposit list of cheques',
    access: 'invoices.read',
    reply: Deposit,
    handle: ({ db, whole, params }) => readDeposit(db, whole, params.id),
  }),
  // Behind /cheques/deposits, which is no id.
  read({
    id: 'cheques.read',
    path: '/cheques/{id}',
    summary: 'Read a cheque',
    access: 'invoices.read',
    reply: Cheque,
    handle: ({ db, whole, params }) => readCheque(db, whole, params.id),
  }),
]
