import { jobKind, type Module } from '#kernel/contract/module.ts'
import type { FindUnreached } from '#runtime/queue/reached.ts'
import { accountEndpoints } from './accounts/endpoints.ts'
import { noteEndpoints } from './accounts/note-endpoints.ts'
import { sweepCheques, sweepChequesJob } from './cheques/due.ts'
import { chequeEndpoints } from './cheques/endpoints.ts'
import { chequeTables } from './cheques/tables.ts'
import { invoiceEndpoints, paymentEndpoints } from './endpoints.ts'
import { receiptEndpoints } from './receipt-endpoints.ts'
import { invoiceNumbers } from './numbers.ts'
import { sweepSteps, sweepStepsJob } from './invoice-steps.ts'
import { sweepOverdueJob, sweepOverdue, sweepWhatIsLate } from './sweep.ts'
import { billingTables } from './tables.ts'
import { tillEndpoints } from './tills/endpoints.ts'

export { amountsProblem, invoiceTotal, MAX_INVOICE_TOTAL_MINOR } from '#shared/amounts.ts'
export { changeMany } from './change-many.ts'
export { NotADraft } from './failures.ts'
export { createDrafts, previewInvoice, type PlannedInvoice } from './bulk.ts'
export { isUncovered } from './cheques/covering.ts'
export { readDeposit } from './cheques/deposits.ts'
export { readInvoice, toInvoice } from './invoices.ts'
export { PAYMENT_METHODS } from './tables.ts'
export { computed, createInvoice } from './drafts.ts'
export { readAccountStatement, type AccountStatement } from './accounts/account-statement.ts'
export { openCredit, takeBackOpening } from './accounts/opening.ts'
export { readNote } from './accounts/credit-notes.ts'
export { refundRecord } from './accounts/refunds.ts'
export { AccountStatementQuery } from './accounts/schemas.ts'
export {
  keptOfInvoice,
  keptOfNote,
  keptOfReceipt,
  keptOfRefund,
  keptOfReplaced,
  readGuardianLocale,
  readPayer,
  readPayerLocales,
  readPayersOfRecord,
  type KeptParty,
} from './keep.ts'
export { issueInvoice, OPEN, voidDraft } from './lifecycle.ts'
export { numbersMeant, type FoundByNumber } from './numbers.ts'
export { balanceOf, invoiceForPaying } from './paying.ts'
export { recordPayments } from './payments.ts'
export { oneOfLines } from './of-one.ts'
export { editionNow, giveOriginalBack, takeOriginal, type Edition, type OfPaper } from './original.ts'
export { Unreached, unreachedOf } from './reach.ts'
export { OwnMoney, ownMoney, ownMoneyWords } from './own-money.ts'
export { ownsInvoicePaper, ownsReceiptPaper, seesMoneyOf } from './own-papers.ts'
export { readFirstLines } from './first-lines.ts'
export { cameBack } from './cheques/cheque.ts'
export { readReceipt, receiptOfPayment } from './receipts.ts'
export { Invoice, InvoiceLine, invoiceWords, Reason, StatementQuery, type InvoiceDetail } from './schemas.ts'
export { receiptMailJob, type ReceiptMail } from './send-receipt.ts'
export { readStatement } from './statement.ts'
export { readCloseRow, showClose, type ClosesSeen } from './tills/close.ts'
export { SumsFull, withoutRoom } from './sums.ts'
export { invoiceFigures } from './summary.ts'

/** @param findUnreached messages are another module’s, which needs this one */
export const billingModule = (findUnreached: FindUnreached): Module => ({
  name: 'billing',
  tags: {
    invoices: 'What students owe.',
    payments: 'What was paid. Payments are never changed, only reversed.',
    receipts: 'What payers hold in hand.',
    billing: 'What is owed and what came in, and the billing of a month.',
    accounts: 'What payers owe in all, and what they have in credit.',
    'credit-notes': 'What was taken back of issued invoices.',
    refunds: 'What was paid out of credit.',
    cheques: 'Cheques, held until their day, and how they fared at the bank.',
    tills: 'What each person took, until they count it.',
  },
  events: ['invoice.issued', 'invoice.overdue', 'invoice.reminder_requested', 'payment.recorded', 'cheque.bounced'],
  tables: { ...billingTables, ...chequeTables },
  persons: [
    { of: 'student', table: 'invoice', column: 'student_id' },
    { of: 'guardian', table: 'receipt', column: 'payer_guardian_id' },
    { of: 'guardian', table: 'invoice', column: 'payer_guardian_id' },
    { of: 'guardian', table: 'payer_account', column: 'guardian_id' },
    { of: 'student', table: 'payer_account', column: 'student_id' },
    { of: 'guardian', table: 'refund', column: 'guardian_id' },
    { of: 'student', table: 'refund', column: 'student_id' },
    { of: 'guardian', table: 'replaced_invoice', column: 'payer_guardian_id' },
    { of: 'guardian', table: 'cheque', column: 'guardian_id' },
    { of: 'student', table: 'cheque', column: 'student_id' },
  ],
  reads: {
    branches: ['branch'],
    curriculum: ['course_enrollment'],
    fees: ['fee_schedule'],
    groups: ['enrollment', 'group'],
    identity: ['user'],
    people: ['guardian', 'guardian_link', 'student'],
  },
  endpoints: [
    ...invoiceEndpoints(findUnreached),
    ...paymentEndpoints,
    ...receiptEndpoints(findUnreached),
    ...accountEndpoints,
    ...noteEndpoints,
    ...chequeEndpoints,
    ...tillEndpoints,
  ],
  names: [{ fields: ['invoiceId'], permission: 'invoices.read', read: invoiceNumbers }],
  jobs: [
    jobKind(sweepOverdueJob, { handle: sweepOverdue }),
    jobKind(sweepChequesJob, { handle: sweepCheques }),
    jobKind(sweepStepsJob, { handle: sweepSteps }),
  ],
  cronJobs: [
    // The day of every institute begins at one of these times: no zone is a smaller part of an hour ahead of another.
    { cron: '*/15 * * * *', job: sweepOverdueJob, atStart: true },
    { cron: '*/15 * * * *', job: sweepChequesJob, atStart: true },
    { cron: '43 * * * *', job: sweepStepsJob },
  ],
  eventSubscribers: [sweepWhatIsLate],
})
