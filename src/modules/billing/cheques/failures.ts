import * as v from 'valibot'
import { failure, ISSUES } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { id } from '#kernel/values/schema.ts'
import { CHEQUE_STATUSES } from './tables.ts'

/** Details that say at which field it is. */
const at = (path: string[], message: string) => ({
  details: { schema: ISSUES.schema, example: { issues: [{ path, message }] } },
})

export const ChequeNamedTwice = failure(
  'VALIDATION_ERROR',
  'cheque_named_twice',
  'Two cheques of the request have the same bank, branch, account and number.',
  at(['cheques', '1', 'number'], 'Must not be the number of another cheque of the same account.'),
)
export const ChequeKnown = failure(
  'VALIDATION_ERROR',
  'cheque_known',
  'This cheque was taken before: there is one with the same bank, branch, account and number that was not given back.',
  at(['cheques', '0', 'number'], 'Must not be the number of a cheque that was taken before.'),
)
export const ChequeStale = failure(
  'VALIDATION_ERROR',
  'cheque_stale',
  'A bank takes a cheque for 180 days after its date: this one is older.',
  at(['cheques', '0', 'dueOn'], 'Must be 2025-09-20 or later.'),
)
export const AllocationsAboveCheques = failure(
  'VALIDATION_ERROR',
  'allocations_above_cheques',
  'More goes to invoices than the cheques come to.',
  at(['allocations'], 'Must come to at most what the cheques do: 450000.'),
)
export const ReplacementDiffers = failure(
  'VALIDATION_ERROR',
  'replacement_differs',
  'The cheques do not come to what the one that they replace is for.',
  at(['cheques'], 'Must come to what the cheque is for: 45000.'),
)
export const AlreadyBounced = failure('CONFLICT', 'already_bounced', 'This cheque has bounced already.')
export const ChequeNotDue = failure(
  'CONFLICT',
  'cheque_not_due',
  'The bank takes a cheque on its day, which is still to come.',
  {
    details: {
      schema: explained(v.object({ chequeId: id }), { chequeId: 'The cheque.' }),
      example: { chequeId: '01890a5d-ac96-774b-bcce-b302099a8057' },
    },
  },
)
export const ChequeMoved = failure(
  'CONFLICT',
  'cheque_moved',
  'This cannot be done with a cheque in this state: look at it as it is now.',
  {
    details: {
      schema: explained(v.object({ chequeId: id, status: v.picklist(CHEQUE_STATUSES) }), {
        chequeId: 'The cheque.',
        status: 'How it stands.',
      }),
      example: { chequeId: '01890a5d-ac96-774b-bcce-b302099a8057', status: 'returned' as const },
    },
  },
)
export const OtherDeposit = failure(
  'VALIDATION_ERROR',
  'other_deposit',
  'Cheques of several branches, or in several currencies, are not taken to the bank with one list.',
  at(['chequeIds', '1'], 'Must be of the branch and in the currency of the first.'),
)
export const PaidByCheque = failure(
  'CONFLICT',
  'paid_by_cheque',
  'This was paid by a cheque: say of the cheque that it bounced, or was given back.',
)
