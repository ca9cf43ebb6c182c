import { isolate } from '../../../shared/isolate.ts'

/** What is paid by card on a provider's page. */
export const card = {
  title: 'Payment by card',
  about:
    'Families pay invoices by card on the page of a payment company. You need an account there; the money goes to it.',
  untried:
    'This connection was built from the company’s public documents and was not tried against its real service. Before you tell families, pay one invoice of a small sum yourself, and see that it is marked as paid here and arrives at your bank.',
  on: 'On',
  off: 'Off',
  switchOn: 'Switch on',
  forget: 'Take it away',
  forgetTitle: (company: string) => `Take ${isolate(company)} away?`,
  forgetText:
    'Its keys are deleted here, and nobody can pay over it. Payments that came over it stay. Setting it up again asks for the keys anew.',
  forgotten: (company: string) => `${isolate(company)} is taken away.`,
  switchOff: 'Switch off',
  switchOnAnyway: 'Switch on all the same',
  switchedOn: 'Families can pay by card.',
  switchedOff: 'Families can no longer pay by card.',
  names: { stripe: 'Stripe', payplus: 'PayPlus' },
  setUpOf: (name: string) => `Set up ${isolate(name)}`,
  changeOf: (name: string) => `Change the keys of ${isolate(name)}`,
  keep: 'Keep',
  kept: 'The keys are kept. Try them now.',
  try: 'Try',
  works: 'The company knows the account. Nothing was paid.',
  worksNot: (why: string) => `The company does not take the account: ${isolate(why)}`,
  noticeUrl: 'Address for notices',
  noticeProblems: {
    not_public:
      'This server’s address leads to this computer or its network alone, so the company’s notices cannot arrive: what is paid is seen here only when the server asks, some minutes later. Give the server an address that the internet reaches, with https.',
    not_https:
      'This server’s address does not begin with https, and the company sends no notices there: what is paid is seen here only when the server asks, some minutes later. Set up https first.',
  },
  toAddress: 'The server’s address',
  noticeHint: {
    stripe:
      'Add it in Stripe’s dashboard as a webhook endpoint, with the events checkout.session.*, charge.refunded and charge.\u200bdispute.\u200bcreated.',
    payplus: 'PayPlus is told this address with each page; there is nothing to do.',
  },
  fields: {
    secretKey: 'Secret key',
    webhookSecret: 'Signing secret of the webhook (whsec_…)',
    apiKey: 'API key',
    paymentPageUid: 'Payment page UID',
    terminalUid: 'Terminal UID',
  },
  missing: 'This is needed.',
  isTest: 'The staging system of PayPlus: no real money',
  keptSecret: 'Leave it empty to keep it as it is.',
  pay: (number: string) => `Pay ${isolate(number)} by card`,
  link: 'Link to pay by card',
  linkHint: 'Send it to whoever pays. It works as long as something is to be paid.',
  whatsapp: (number: string, amount: string, url: string) => `Invoice ${number}, ${amount}: ${url}`,
  send: 'Send by WhatsApp',
  online: 'Paid by card',
  states: {
    opening: 'Being opened',
    open: 'Page opened',
    pending: 'Waiting for the bank',
    paid: 'Paid',
    failed: 'Failed',
    expired: 'Not paid',
  },
  problems: {
    other_amount: 'Another amount was paid than asked. It is booked as paid.',
    other_currency: 'It was paid in another currency. Nothing is booked: record it by hand.',
    became_credit: 'The invoice was paid or cancelled meanwhile. What was left is credit of the payer.',
    not_booked: 'It was paid, and could not be booked: record it by hand.',
    refunded: 'The money was given back at the payment company: take the payment back here too.',
    disputed: 'The payer disputes the payment at their bank: see the payment company’s page.',
  },
  seen: 'Seen to',
}
