import * as v from 'valibot'
import { failure, ISSUES } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { id } from '#kernel/values/schema.ts'
import { INVOICE_STATUSES } from './tables.ts'

/** Details that say at which field it is. */
const at = (path: string[], message: string) => ({
  details: { schema: ISSUES.schema, example: { issues: [{ path, message }] } },
})

export const NotADraft = failure('CONFLICT', 'not_a_draft', 'Only a draft can be changed or issued.')
export const ClosedYear = failure(
  'CONFLICT',
  'closed_year',
  'The year of the issue date is over: an owner may still write into it, with closedYear.',
)
export const NotCreditable = failure(
  'CONFLICT',
  'not_creditable',
  'A draft is changed, and a void invoice is owed no more: only an invoice that was issued is credited.',
)
export const NotIssued = failure(
  'CONFLICT',
  'not_issued',
  'A draft has no payer yet, and a void invoice none any more.',
)
export const SamePayer = failure('CONFLICT', 'same_payer', 'The invoice is already theirs to pay.')
export const TakesNoPayment = failure(
  'CONFLICT',
  'takes_no_payment',
  'A draft, a void and a paid invoice take no payment.',
  {
    details: {
      schema: explained(v.object({ invoiceId: id, status: v.picklist(INVOICE_STATUSES) }), {
        status: 'The status of the invoice.',
      }),
      example: { invoiceId: '01890a5d-ac96-774b-bcce-b302099a8057', status: 'paid' as const },
    },
  },
)
export const AboveBalance = failure(
  'VALIDATION_ERROR',
  'above_balance',
  'More is not taken than the balance of the invoice.',
  at(['amountMinor'], 'Must be at most the balance: 30000.'),
)
export const CurrencyDiffers = failure(
  'VALIDATION_ERROR',
  'currency_differs',
  'The invoice is in another currency.',
  at(['currency'], 'Must be the invoice’s: ILS.'),
)
export const InvoiceNamedTwice = failure(
  'VALIDATION_ERROR',
  'invoice_named_twice',
  'The same invoice stands in two allocations.',
  at(['allocations', '1', 'invoiceId'], 'Must not name an invoice twice.'),
)
export const PayersDiffer = failure(
  'VALIDATION_ERROR',
  'payers_differ',
  'The invoices do not have the same payer, or are of several students without one.',
  at(['allocations'], 'Must be invoices of one student, or of students with one payer.'),
)
export const NoCredit = failure('CONFLICT', 'no_credit', 'This payer has no credit in this currency.')
export const AboveCredit = failure(
  'VALIDATION_ERROR',
  'above_credit',
  'More is not applied than the credit of the payer.',
  at(['allocations'], 'Must come to at most the credit: 30000.'),
)
export const AboveInvoice = failure(
  'VALIDATION_ERROR',
  'above_invoice',
  'More is not credited than what the invoice came to, less its earlier credit notes.',
  at(['amountMinor'], 'Must be at most what is left of the invoice: 30000.'),
)
export const CreditPaidOut = failure(
  'CONFLICT',
  'credit_paid_out',
  'A part of this credit was refunded since: charge what was paid out by an invoice first.',
)
export const CannotVoid = failure(
  'CONFLICT',
  'cannot_void',
  'The invoice is void already, or something was paid or credited on it.',
)
export const NotOpen = failure('CONFLICT', 'not_open', 'There is nothing to pay on this invoice now.')
export const AlreadyReversed = failure('CONFLICT', 'already_reversed', 'This payment has been reversed already.')
export const ReceiptReachesFurther = failure(
  'CONFLICT',
  'receipt_reaches_further',
  'The receipt is also for invoices of other branches: somebody who reaches all of them can send it.',
)
export const IsReversal = failure('CONFLICT', 'is_reversal', 'A reversal cannot be reversed: record the payment anew.')
