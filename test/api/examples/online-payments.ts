import Stripe from 'stripe'
import type { Example, Examples, World } from '#kit/examples.ts'
import { PAYPLUS } from '#kit/payments/payplus.ts'
import { STRIPE } from '#kit/payments/stripe.ts'
import { issuedInvoice } from './billing.ts'

const OF_ALL = 'The account at a provider is of the whole institute.'
const OF_PAYER = 'It is about whoever was sent the link.'

const setUp = async ({ owner }: World) =>
  (await owner.put('/payment-providers/stripe', { isOn: true, ...STRIPE })).body as { noticeUrl: string }

let opened = 0

/** A page that is open at the provider, of a fresh invoice or of the given one. */
export const newOnlinePayment = async (
  world: World,
  more: { problem?: 'refunded'; invoiceId?: string } = {},
): Promise<{ id: string; invoiceId: string }> => {
  await setUp(world)
  const { invoiceId } = more
  const invoice =
    invoiceId === undefined ? await issuedInvoice(world) : (await world.owner.get(`/invoices/${invoiceId}`)).body
  const { app, institute } = world
  const now = app.clock.now()
  const id = invoice.id.replace(/.{4}$/, String(++opened).padStart(4, '0'))
  await app.app.database.write((db) =>
    db
      .insertInto('online_payment')
      .values({
        id,
        // oxlint-disable-next-line typescript/no-explicit-any -- the scope would set it
        ...({ tenant_id: institute.tenant.id } as any),
        invoice_id: invoice.id,
        amount_minor: invoice.balance.amountMinor,
        currency: 'ILS',
        provider: 'stripe',
        state: 'open',
        page_id: `cs_test_example_${opened}`,
        page_url: 'https://checkout.stripe.com/c/pay/cs_test_example',
        expires_at: new Date(app.clock.millis() + 3_600_000).toISOString(),
        created_at: now,
        updated_at: now,
        ...(more.problem && { problem: more.problem, problem_at: now }),
      })
      .execute(),
  )
  return { id, invoiceId: invoice.id }
}

const ofInvoice = async (world: World): Promise<Example> => ({
  params: { id: (await newOnlinePayment(world)).invoiceId },
})

const ofLink = async (world: World): Promise<Example> => {
  const { invoiceId } = await newOnlinePayment(world)
  const { url } = (await world.owner.get(`/invoices/${invoiceId}/pay-link`)).body
  return { params: { code: new URL(url).pathname.split('/').at(-1) as string } }
}

const signed = async (world: World): Promise<Example> => {
  const { noticeUrl } = await setUp(world)
  const seconds = Math.floor(world.app.clock.millis() / 1000)
  const event = { id: `evt_example_${world.serial}`, created: seconds, type: 'customer.created', data: { object: {} } }
  const raw = JSON.stringify(event)
  const header = Stripe.webhooks.generateTestHeaderString({
    payload: raw,
    secret: STRIPE.webhookSecret,
    timestamp: seconds,
  })
  return {
    params: { id: noticeUrl.split('/').at(-1) as string },
    raw,
    headers: { 'content-type': 'application/json', 'stripe-signature': header },
  }
}

const ofStripe = { provider: 'stripe' }

export const onlinePaymentExamples: Examples = {
  'payment-providers.list': { branchless: OF_ALL, make: async (world) => (await setUp(world), {}) },
  'payment-providers.set': {
    branchless: OF_ALL,
    make: async () => ({ params: { provider: 'payplus' }, body: { isOn: true, ...PAYPLUS } }),
  },
  'payment-providers.test': { branchless: OF_ALL, make: async (world) => (await setUp(world), { params: ofStripe }) },
  'payment-providers.delete': { branchless: OF_ALL, make: async (world) => (await setUp(world), { params: ofStripe }) },
  'online-payments.link': ofInvoice,
  'online-payments.pay': ofInvoice,
  'online-payments.list': async (world) => {
    await newOnlinePayment(world)
    return {}
  },
  'online-payments.read': async (world) => ({ params: { id: (await newOnlinePayment(world)).id } }),
  'online-payments.settle': async (world) => ({
    params: { id: (await newOnlinePayment(world, { problem: 'refunded' })).id },
  }),
  'online-payments.notice': { branchless: OF_ALL, make: signed },
  'online-payments.page': { branchless: OF_PAYER, make: ofLink },
  'online-payments.press': { branchless: OF_PAYER, make: ofLink },
}
