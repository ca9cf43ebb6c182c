import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  PAYPLUS,
  startPaymentProviders,
  STRIPE,
  type PaymentProviders,
  type SignedNotice,
} from '#kit/payment-providers.ts'
import { minorOf } from '#ports/payments/payplus/transaction.ts'
import { payplusPayments } from '#ports/payments/payplus/payplus.ts'
import type { NewPage, PaymentPort, Sent } from '#ports/payments/port.ts'
import { stripePayments } from '#ports/payments/stripe/stripe.ts'

/** Each adapter against a stand-in that answers, refuses and signs as the provider's public documents say. */

const NOW = '2026-03-02T08:00:00.000Z'
const REFERENCE = '019cadc0-0000-7000-8000-000000000001'
const ABOUT = '019cadc0-0000-7000-8000-000000000002'

const PAGE: NewPage = {
  reference: REFERENCE,
  about: ABOUT,
  amountMinor: 45_050,
  currency: 'ILS',
  words: 'דרישת תשלום INV-2026-000001',
  locale: 'he',
  returnUrl: 'https://office.example.org/pay/x',
  noticeUrl: 'https://office.example.org/api/v1/payment-notices/x',
  expiresAt: '2026-03-02T09:00:00.000Z',
  now: NOW,
}

let providers: PaymentProviders
let stripe: PaymentPort
let payplus: PaymentPort
beforeAll(async () => {
  providers = await startPaymentProviders(() => Date.parse(NOW))
  stripe = stripePayments(providers.outbound)
  payplus = payplusPayments(providers.outbound, () => NOW)
})
afterAll(() => providers.close())
beforeEach(() => providers.forget())

const sent = ({ body, headers }: SignedNotice, now = NOW): Sent => ({
  bytes: Buffer.from(body),
  header: (name) => headers[name],
  now,
})

const opened = async (port: PaymentPort, account: Record<string, string>, page: Partial<NewPage> = {}) => {
  const asked = await port.open(account, { ...PAGE, ...page })
  if (!asked.ok) throw new Error(asked.words)
  return asked.value
}

describe('an amount of whole units is read without floating point', () => {
  test.each([
    [1.15, 115],
    [450.5, 45_050],
    ['450.50', 45_050],
    ['0.07', 7],
    [300, 30_000],
    ['12.300', 1230],
  ])('%s is %i', (given, minor) => {
    expect(minorOf(given)).toBe(minor)
  })
  test.each([['1.005'], ['-5'], ['1,000.00'], ['NaN'], ['1e3'], ['']])('%s is no amount', (given) => {
    expect(minorOf(given)).toBeUndefined()
  })
})

describe.each(['stripe', 'payplus'] as const)('%s', (name) => {
  const port = () => (name === 'stripe' ? stripe : payplus)
  const account: Record<string, string> = name === 'stripe' ? STRIPE : PAYPLUS
  const pay = (id: string) => (name === 'stripe' ? providers.stripe.pay(id) : providers.payplus.pay(id))
  const notice = (id: string) =>
    name === 'stripe' ? providers.stripe.notice('completed', id) : providers.payplus.notice(id)

  test('a page is opened in each language of the program, and is open until somebody pays', async () => {
    for (const locale of ['ar', 'he', 'en'] as const) {
      const { pageId, url } = await opened(port(), account, {
        locale,
        reference: ABOUT.replace('2', locale === 'ar' ? '3' : locale === 'he' ? '4' : '5'),
      })
      expect(url).toMatch(/^https:\/\//)
      expect(await port().ask(account, pageId)).toEqual({ ok: true, value: { is: 'open' } })
    }
  })
  test('what was paid is told with its amount in minor units, and what the page was for', async () => {
    const { pageId } = await opened(port(), account)
    pay(pageId)
    const taken = { is: 'paid', paymentId: expect.any(String), amountMinor: 45_050, currency: 'ILS', paidAt: NOW }
    expect(await port().ask(account, pageId)).toEqual({ ok: true, value: taken })
    expect(port().readNotice(account, sent(notice(pageId)))).toEqual({
      is: 'notice',
      id: expect.any(String),
      tells: { pageId, reference: REFERENCE, about: ABOUT, says: taken },
    })
  })
  test('a notice whose body was changed by one byte, is not signed, or is signed with another secret, is refused', async () => {
    const { pageId } = await opened(port(), account)
    pay(pageId)
    const signed = notice(pageId)
    const changed = { ...signed, body: signed.body.replace('450', '451') }
    expect(port().readNotice(account, sent(changed))).toEqual({ is: 'refused', why: 'wrong_signature' })
    expect(port().readNotice(account, sent({ body: signed.body, headers: {} }))).toEqual({
      is: 'refused',
      why: 'not_signed',
    })
    const other = { ...account, webhookSecret: 'whsec_other', secretKey: 'other' }
    expect(port().readNotice(other, sent(signed))).toEqual({ is: 'refused', why: 'wrong_signature' })
  })
  test('an account that is taken is told from one that is not, without its secrets', async () => {
    expect(await port().check(account)).toEqual({ ok: true, value: null })
    const wrong = { ...account, secretKey: 'wrong-key-0123456789' }
    const asked = await port().check(wrong)
    expect(asked).toEqual({ ok: false, mayPass: false, words: expect.stringContaining('401') })
    expect(JSON.stringify(asked)).not.toContain('wrong-key-0123456789')
  })
  test.each([
    ['is busy', { status: 429, body: '{}' }],
    ['is down', { status: 503, body: '<html>' }],
    ['cuts the answer off', 'cut'],
    ['does not answer', 'hangs'],
  ] as const)('a provider that %s may pass', async (_, trouble) => {
    providers.behave(trouble)
    expect(await port().open(account, PAGE)).toEqual({ ok: false, mayPass: true, words: expect.any(String) })
  })
  test('an answer that is not what the documents say is no page', async () => {
    providers.behave({ status: 200, body: '{"id": 1, "url": "javascript:alert(1)"}' })
    expect(await port().open(account, PAGE)).toEqual({ ok: false, mayPass: false, words: expect.any(String) })
  })
  test('a page is ended, and ended again', async () => {
    const { pageId } = await opened(port(), account)
    expect(await port().close(account, pageId)).toEqual({ ok: true, value: null })
    expect(await port().close(account, pageId)).toEqual({ ok: true, value: null })
  })
})

describe('Stripe', () => {
  test('the same reference opens the same page again', async () => {
    expect(await opened(stripe, STRIPE)).toEqual(await opened(stripe, STRIPE))
    expect(providers.sessions.size).toBe(1)
  })
  test('a signature of more than five minutes ago, or ahead, is too old', async () => {
    const { pageId } = await opened(stripe, STRIPE)
    const signed = providers.stripe.notice('expired', pageId)
    expect(stripe.readNotice(STRIPE, sent(signed, '2026-03-02T08:05:00.000Z'))).toMatchObject({ is: 'notice' })
    for (const now of ['2026-03-02T08:05:01.000Z', '2026-03-02T07:54:59.000Z']) {
      expect(stripe.readNotice(STRIPE, sent(signed, now))).toEqual({ is: 'refused', why: 'too_old' })
    }
  })
  test('of several signatures, as while a secret is replaced, one is enough', async () => {
    const { pageId } = await opened(stripe, STRIPE)
    const signed = providers.stripe.notice('expired', pageId)
    const [time, right] = (signed.headers['stripe-signature'] ?? '').split(',')
    const header = `${time},v1=${'0'.repeat(64)},${right},v0=${'1'.repeat(64)}`
    const both = { ...signed, headers: { 'stripe-signature': header } }
    expect(stripe.readNotice(STRIPE, sent(both))).toMatchObject({ is: 'notice' })
  })
  test('a session that is complete and not paid waits for its bank; a failure and an end are told', async () => {
    const { pageId } = await opened(stripe, STRIPE)
    const says = (type: string) => {
      const read = stripe.readNotice(STRIPE, sent(providers.stripe.notice(type, pageId)))
      return read.is === 'notice' ? read.tells?.says.is : read.why
    }
    providers.stripe.pay(pageId, { later: true })
    expect(says('completed')).toBe('pending')
    expect(says('async_payment_failed')).toBe('failed')
    providers.stripe.arrive(pageId)
    expect(says('async_payment_succeeded')).toBe('paid')
    const other = await opened(stripe, STRIPE, { reference: ABOUT })
    providers.stripe.expire(other.pageId)
    expect(await stripe.ask(STRIPE, other.pageId)).toEqual({ ok: true, value: { is: 'expired' } })
  })
  test('money that went back names the payment', () => {
    const charge = { payment_intent: 'pi_1', currency: 'ils', amount_refunded: 5000 }
    const dispute = { payment_intent: { id: 'pi_1' }, currency: 'ils', amount: 5000 }
    for (const [type, object, is] of [
      ['charge.refunded', charge, 'refunded'],
      ['charge.dispute.created', dispute, 'disputed'],
    ] as const) {
      expect(stripe.readNotice(STRIPE, sent(providers.stripe.about(type, object)))).toMatchObject({
        tells: { says: { is, paymentId: 'pi_1', amountMinor: 5000, currency: 'ILS' } },
      })
    }
    const of = stripe.readNotice(STRIPE, sent(providers.stripe.about('customer.created', { id: 'cus_1' })))
    expect(of).toMatchObject({ is: 'notice', tells: null })
  })
  test('the list of what was paid goes on over its pages', async () => {
    for (let index = 0; index < 230; index++) {
      const { pageId } = await opened(stripe, STRIPE, { reference: `r-${index}` })
      if (index % 2 === 0) providers.stripe.pay(pageId)
    }
    const time = { from: '2026-03-01T00:00:00.000Z', to: NOW }
    const listed = await stripe.listPaid?.(STRIPE, time)
    expect(listed?.ok && listed.value.map(({ reference }) => reference)).toHaveLength(115)
    expect(listed?.ok && new Set(listed.value.map(({ pageId }) => pageId)).size).toBe(115)
    const before = { from: '2026-02-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' }
    expect(await stripe.listPaid?.(STRIPE, before)).toEqual({ ok: true, value: [] })
  })
})

describe('PayPlus', () => {
  test('a card that was declined is a failure', async () => {
    const { pageId } = await opened(payplus, PAYPLUS)
    providers.payplus.pay(pageId, { code: '003' })
    expect(await payplus.ask(PAYPLUS, pageId)).toEqual({ ok: true, value: { is: 'failed' } })
    expect(payplus.readNotice(PAYPLUS, sent(providers.payplus.notice(pageId)))).toMatchObject({
      tells: { says: { is: 'failed' } },
    })
  })
  test('the HMAC may be of the body as it is written again from its parsed form', async () => {
    const { pageId } = await opened(payplus, PAYPLUS)
    providers.payplus.pay(pageId)
    const { body, headers } = providers.payplus.notice(pageId)
    const spaced = JSON.stringify(JSON.parse(body), null, 1)
    expect(payplus.readNotice(PAYPLUS, sent({ body: spaced, headers }))).toMatchObject({ is: 'notice' })
  })
  test('a notice from another program, or of an amount that is none, is refused', async () => {
    const { pageId } = await opened(payplus, PAYPLUS)
    providers.payplus.pay(pageId, { amount: 'a lot' })
    const signed = providers.payplus.notice(pageId)
    expect(payplus.readNotice(PAYPLUS, sent(signed))).toEqual({ is: 'refused', why: 'not_readable' })
    const curl = { ...signed, headers: { ...signed.headers, 'user-agent': 'curl/8' } }
    expect(payplus.readNotice(PAYPLUS, sent(curl))).toEqual({ is: 'refused', why: 'not_signed' })
    const body = '[1]'
    const hash = createHmac('sha256', PAYPLUS.secretKey).update(body).digest('base64')
    const list = { body, headers: { hash, 'user-agent': 'PayPlus' } }
    expect(payplus.readNotice(PAYPLUS, sent(list))).toEqual({ is: 'refused', why: 'not_readable' })
  })
  test('a refund that somebody made there is told', async () => {
    const { pageId } = await opened(payplus, PAYPLUS)
    providers.payplus.pay(pageId)
    expect(payplus.readNotice(PAYPLUS, sent(providers.payplus.notice(pageId, 'Refund')))).toMatchObject({
      tells: { pageId, says: { is: 'refunded', amountMinor: 45_050 } },
    })
  })
  test('a page of another terminal is not taken', async () => {
    const other = { ...PAYPLUS, paymentPageUid: '00000000-f35f-4301-a945-926378a2416d' }
    expect(await payplus.check(other)).toEqual({ ok: false, mayPass: false, words: expect.any(String) })
  })
})
