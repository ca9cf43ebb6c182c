import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { count, id, Money, orNull, pageQuery, ts, uuid, text } from '#kernel/values/schema.ts'
import { NOTICE_PROBLEMS } from './notice-address.ts'
import { PROBLEMS, PROVIDER_NAMES, STATES } from './tables.ts'

export const providerName = v.picklist(PROVIDER_NAMES)

const providerWords = {
  provider: 'stripe: Stripe Checkout; payplus: the payment pages of PayPlus.',
  isOn: 'Whether people pay over it; one at most is on.',
  secretKey: 'The secret key: at stripe sk_… or rk_…. It is never shown.',
  webhookSecret: 'The signing secret (whsec_…) of the webhook endpoint that was added at stripe. It is never shown.',
  apiKey: 'The API key at payplus. It is never shown.',
  paymentPageUid: 'The payment page at payplus.',
  terminalUid: 'The terminal at payplus.',
  system: '`live`, or `test` for the staging system of payplus.',
}

export const ProviderChanges = named(
  'PaymentProviderChanges',
  v.object({
    isOn: v.optional(v.boolean()),
    secretKey: v.optional(text(300)),
    webhookSecret: v.optional(text(300)),
    apiKey: v.optional(text(300)),
    paymentPageUid: v.optional(text(300)),
    terminalUid: v.optional(text(300)),
    system: v.optional(v.picklist(['live', 'test'])),
  }),
  providerWords,
)
export type ProviderChanges = v.InferOutput<typeof ProviderChanges>

export const PaymentProvider = named(
  'PaymentProvider',
  v.object({
    provider: providerName,
    isOn: v.boolean(),
    paymentPageUid: orNull(v.string()),
    terminalUid: orNull(v.string()),
    system: orNull(v.string()),
    noticeUrl: orNull(v.string()),
    noticeProblem: orNull(v.picklist(NOTICE_PROBLEMS)),
    secretSetAt: orNull(ts),
    updatedAt: orNull(ts),
  }),
  {
    ...providerWords,
    paymentPageUid: 'The payment page at payplus; null: another provider.',
    terminalUid: 'The terminal at payplus; null: another provider.',
    system: 'Which system of payplus it is; null: another provider.',
    noticeUrl: 'Where the provider sends what was paid; at stripe it is added by hand. null: it is not set up.',
    noticeProblem:
      'Why its notices could not arrive there: `not_public`, the address is one of this machine or its network; `not_https`, it is not encrypted, which the providers refuse. null: nothing is known to be wrong.',
    secretSetAt: 'When its keys were given; null: it is not set up.',
    updatedAt: 'When it was last changed; null: it is not set up.',
  },
)
export type PaymentProvider = v.InferOutput<typeof PaymentProvider>

export const ProviderTrial = named('PaymentProviderTrial', v.object({ ok: v.boolean(), error: orNull(v.string()) }), {
  ok: 'Whether the provider knows the account.',
  error: 'Why not, in the provider’s words; null: it does.',
})

const words = {
  amount: 'What was asked for: the balance of the invoice when the page was opened.',
  provider: 'Over whom.',
  state:
    '`opening`: the provider was asked for a page; `open`: the page waits; `pending`: the bank has yet to pay; then `paid`, `failed` or `expired`.',
  paidMinor: 'What the provider says was paid, in the smallest unit of paidCurrency; null: nothing yet.',
  paidCurrency: 'Its currency; null: nothing was paid yet.',
  paidAt: 'When it was paid; null: not yet.',
  providerPaymentId:
    'By which the provider knows the payment; it is the `reference` of the payment here. null: none yet.',
  receiptId: 'The receipt that it became; null: none.',
  problem:
    'What somebody has to look at. `other_amount`: more or less was paid than asked, and booked as paid; `other_currency`: nothing was booked; `became_credit`: the invoice was paid or void meanwhile, and what was left became credit; `not_booked`: a rule stood against it; `refunded`, `disputed`: the money went back at the provider, and the payment is to be reversed here. null: nothing.',
  settledAt: 'When somebody saw to it; null: nobody did, or nothing was the matter.',
  expiresAt: 'When the page ends.',
}

export const OnlinePayment = named(
  'OnlinePayment',
  v.object({
    id,
    invoiceId: id,
    amount: Money,
    provider: providerName,
    state: v.picklist(STATES),
    paidMinor: orNull(count),
    paidCurrency: orNull(v.string()),
    paidAt: orNull(ts),
    providerPaymentId: orNull(v.string()),
    receiptId: orNull(id),
    problem: orNull(v.picklist(PROBLEMS)),
    settledAt: orNull(ts),
    expiresAt: ts,
    createdAt: ts,
  }),
  words,
)
export type OnlinePayment = v.InferOutput<typeof OnlinePayment>

export const OnlinePaymentQuery = explained(
  pageQuery({
    invoiceId: v.optional(uuid),
    state: v.optional(v.picklist(STATES)),
    attention: v.optional(v.boolean()),
  }),
  {
    state: 'Only those that stand so.',
    attention: 'true: only those that somebody has to look at; false: only the others.',
  },
)

export const PayLink = named('PayLink', v.object({ url: orNull(v.string()) }), {
  url: 'What to send to whoever pays: it opens a page to pay by card, as long as something is to be paid. null: nothing is, or no provider is on.',
})

export const OpenedPage = named('CardPage', v.object({ url: v.string(), expiresAt: ts }), {
  url: 'The provider’s page. Nobody else should see it.',
  expiresAt: 'When it ends.',
})

/** As the provider writes it: it is read from its bytes, over which it is signed. */
export const ProviderNotice = named('ProviderNotice', v.looseObject({}))
