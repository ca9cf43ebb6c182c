import { failure } from '#kernel/errors.ts'

export const NotADraft = failure('CONFLICT', 'not_a_draft', 'Only a draft can be changed or issued.')
export const TakesNoPayment = failure(
  'CONFLICT',
  'takes_no_payment',
  'A draft, a void and a paid invoice take no payment.',
)
export const CannotVoid = failure(
  'CONFLICT',
  'cannot_void',
  'The invoice is void already, or something was paid on it.',
)
export const NotOpen = failure('CONFLICT', 'not_open', 'There is nothing to pay on this invoice now.')
export const AlreadyReversed = failure('CONFLICT', 'already_reversed', 'This payment has been reversed already.')
export const IsReversal = failure('CONFLICT', 'is_reversal', 'A reversal cannot be reversed: record the payment anew.')
