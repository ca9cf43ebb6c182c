import * as v from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'

export const NothingToPay = failure('CONFLICT', 'nothing_to_pay', 'Nothing is to be paid on this invoice now.')
export const NotPaidOnline = failure(
  'CONFLICT',
  'not_paid_online',
  'Nothing is paid by card here: no provider is switched on.',
)
export const PaymentPending = failure(
  'CONFLICT',
  'payment_pending',
  'A payment of this invoice waits for the payer’s bank: it is not paid twice.',
)
export const PageNotOpened = failure(
  'CONFLICT',
  'payment_page_not_opened',
  'The provider opened no page to pay on. Try again in a while, or pay in another way.',
  {
    details: {
      schema: explained(v.object({ words: v.string() }), { words: 'Why, in the provider’s words.' }),
      example: { words: 'The provider answered 400: Amount too small (amount_too_small)' },
    },
  },
)
export const PagesOpen = failure(
  'CONFLICT',
  'payment_pages_open',
  'Somebody may be paying over this provider now: switch it off, and forget it when its pages have ended.',
)
export const NothingToSettle = failure('CONFLICT', 'nothing_to_settle', 'There is nothing to look at here.')
export const NoticeRefused = failure(
  'VALIDATION_ERROR',
  'notice_refused',
  'This is no notice that the provider signed just now.',
)
export const PayLinkRefused = failure(
  'NOT_FOUND',
  'pay_link_refused',
  'This is not a link that the server made, or not all of it: open it from the message again.',
)
