import { describe, expect, test } from 'vitest'
import { putInto } from '#kit/tenant-states.ts'
import { eventsOf } from '#kit/records.ts'
import { ils, payDesk, reasonOf } from './pay-desk.ts'

const desk = payDesk()
const { setUp, owes, open, send, payments, online, invoice, credit } = desk

/** A page that is open, and where the provider sends its notices. */
const opened = async (amount = 45_000) => {
  const path = await setUp()
  const id = await owes(amount)
  return { path, id, page: await open(id) }
}
describe('what a provider says was paid', () => {
  test('is a payment with a receipt, an event and the provider’s number, in the payer’s name', async () => {
    const { path, id, page } = await opened()
    desk.providers.stripe.pay(page)
    expect((await send(path, desk.providers.stripe.notice('completed', page))).status).toBe(200)
    // It is kept, and nothing is booked before it is.
    expect(await payments(id)).toEqual([])
    await desk.app.drain()
    expect(await payments(id)).toEqual([[45_000, 'online']])
    expect(await invoice(id)).toEqual(['paid', 45_000, 0])
    const [row] = await online(id)
    expect(row).toMatchObject({ state: 'paid', paidMinor: 45_000, paidCurrency: 'ILS', problem: null })
    expect((await desk.school.owner.get(`/receipts/${row.receiptId}`)).body).toMatchObject({
      amount: ils(45_000),
      method: 'online',
      reference: row.providerPaymentId,
      payerGuardianId: desk.mother,
    })
    expect(await eventsOf(desk.app, desk.school, 'payment.recorded')).toHaveLength(1)
  })
  test('is booked once, sent four times at once and again later, and as another event', async () => {
    const { path, id, page } = await opened()
    desk.providers.stripe.pay(page)
    const notice = desk.providers.stripe.notice('completed', page)
    const sent = await Promise.all([1, 2, 3, 4].map(() => send(path, notice)))
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await send(path, desk.providers.stripe.notice('async_payment_succeeded', page))
    await desk.app.drain()
    expect((await send(path, notice)).status).toBe(200)
    await desk.app.drain()
    expect(await payments(id)).toEqual([[45_000, 'online']])
  })
  test('is booked once where the daily look finds it at the same time', async () => {
    const { path, id, page } = await opened()
    desk.providers.stripe.pay(page)
    await send(path, desk.providers.stripe.notice('completed', page))
    await desk.reconcile()
    expect(await payments(id)).toEqual([[45_000, 'online']])
  })
  test('comes in any order: what is late changes nothing that is paid, and money comes after an end too', async () => {
    const { path, id, page } = await opened()
    desk.providers.stripe.expire(page)
    const expired = desk.providers.stripe.notice('expired', page)
    desk.providers.stripe.pay(page, { later: true })
    const waiting = desk.providers.stripe.notice('completed', page)
    const failed = desk.providers.stripe.notice('async_payment_failed', page)
    for (const [notice, state] of [
      [waiting, 'pending'],
      [failed, 'failed'],
      [waiting, 'failed'],
      [expired, 'expired'],
    ] as const) {
      await send(path, notice)
      await desk.app.drain()
      expect((await online(id))[0].state).toBe(state)
    }
    desk.providers.stripe.arrive(page)
    await send(path, desk.providers.stripe.notice('async_payment_succeeded', page))
    await desk.app.drain()
    expect((await online(id))[0].state).toBe('paid')
    await send(path, desk.providers.stripe.notice('async_payment_failed', page))
    await desk.app.drain()
    expect((await online(id))[0]).toMatchObject({ state: 'paid', problem: null })
  })
  test('is credit of the payer where the invoice was paid at the desk meanwhile, and the desk is told', async () => {
    const { path, id, page } = await opened()
    await desk.school.owner.post(`/invoices/${id}/payments`, { amountMinor: 30_000, currency: 'ILS', method: 'cash' })
    desk.providers.stripe.pay(page)
    await send(path, desk.providers.stripe.notice('completed', page))
    await desk.app.drain()
    expect(await invoice(id)).toEqual(['paid', 45_000, 0])
    expect(await credit()).toBe(30_000)
    expect((await desk.school.owner.get('/online-payments?attention=true')).body.data).toMatchObject([
      { invoiceId: id, problem: 'became_credit', state: 'paid' },
    ])
    expect((await desk.school.owner.get('/online-payments?attention=false')).body.data).toEqual([])
    const inbox = (await desk.school.owner.get('/me/notifications')).body.data
    expect(inbox.map(({ templateKey }: { templateKey: string }) => templateKey)).toEqual(['online_payment.attention'])
    expect(inbox[0].body).toMatch(/450\.00.*INV-2026-000001.*credit of the payer/)
    const [row] = await online(id)
    const settled = await desk.school.owner.post(`/online-payments/${row.id}/settle`)
    expect(settled.body).toMatchObject({ problem: 'became_credit', settledAt: desk.app.clock.now() })
    expect(reasonOf(await desk.school.owner.post(`/online-payments/${row.id}/settle`))).toEqual([
      409,
      'nothing_to_settle',
    ])
    expect((await desk.school.owner.get(`/online-payments/${row.id}`)).body).toEqual(settled.body)
  })
  test('is credit where the invoice is void by now', async () => {
    const { path, id, page } = await opened()
    await desk.school.owner.post(`/invoices/${id}/void`, { reason: 'By mistake' })
    desk.providers.stripe.pay(page)
    await send(path, desk.providers.stripe.notice('completed', page))
    await desk.app.drain()
    expect(await invoice(id)).toEqual(['void', 0, 0])
    expect(await credit()).toBe(45_000)
  })
  test('of another amount is booked as paid, and of another currency not at all; the desk is told of both', async () => {
    const { path, id, page } = await opened()
    desk.providers.stripe.pay(page, { amount: 20_000 })
    await send(path, desk.providers.stripe.notice('completed', page))
    const other = await owes()
    const foreign = await open(other)
    desk.providers.stripe.pay(foreign, { currency: 'gbp' })
    await send(path, desk.providers.stripe.notice('completed', foreign))
    await desk.app.drain()
    expect(await invoice(id)).toEqual(['partially_paid', 20_000, 25_000])
    expect((await online(id))[0].problem).toBe('other_amount')
    expect(await payments(other)).toEqual([])
    expect((await online(other))[0]).toMatchObject({ problem: 'other_currency', paidCurrency: 'GBP', receiptId: null })
  })
  test('is booked while the institute is locked: the money is there', async () => {
    const { path, id, page } = await opened()
    desk.providers.stripe.pay(page)
    await putInto(desk.app, desk.school, 'locked')
    expect((await send(path, desk.providers.stripe.notice('completed', page))).status).toBe(200)
    await desk.app.drain()
    await putInto(desk.app, desk.school, 'active')
    expect(await payments(id)).toEqual([[45_000, 'online']])
  })
  test('and given back there is told to the desk, once, and reverses nothing by itself', async () => {
    const { path, id, page } = await opened()
    desk.providers.stripe.pay(page)
    await send(path, desk.providers.stripe.notice('completed', page))
    await desk.app.drain()
    const [{ providerPaymentId }] = await online(id)
    const charge = { payment_intent: providerPaymentId, currency: 'ils', amount_refunded: 45_000 }
    await send(path, desk.providers.stripe.about('charge.refunded', charge))
    await desk.app.drain()
    expect((await online(id))[0]).toMatchObject({ state: 'paid', problem: 'refunded' })
    expect(await payments(id)).toHaveLength(1)
    const dispute = { payment_intent: providerPaymentId, currency: 'ils', amount: 45_000 }
    await send(path, desk.providers.stripe.about('charge.dispute.created', dispute))
    await desk.app.drain()
    expect((await online(id))[0].problem).toBe('disputed')
  })
  test('twice on one page of PayPlus is two payments, the second one credit', async () => {
    const path = await setUp('payplus')
    const id = await owes()
    const page = await open(id)
    desk.providers.payplus.pay(page)
    await send(path, desk.providers.payplus.notice(page))
    await desk.app.drain()
    desk.providers.payplus.pay(page)
    const again = desk.providers.payplus.notice(page)
    await Promise.all([send(path, again), send(path, again)])
    await desk.app.drain()
    expect(await invoice(id)).toEqual(['paid', 45_000, 0])
    expect(await credit()).toBe(45_000)
  })
})

describe('a notice', () => {
  test('that is not signed with the institute’s secret, is old, or was changed, is refused and leaves nothing', async () => {
    const { path, id, page } = await opened()
    desk.providers.stripe.pay(page)
    const notice = desk.providers.stripe.notice('completed', page)
    const old = desk.providers.stripe.notice('completed', page, Date.parse(desk.app.clock.now()) - 301_000)
    for (const bad of [{ ...notice, headers: {} }, old, { ...notice, body: notice.body.replace('45000', '45001') }]) {
      expect(reasonOf(await send(path, bad))).toEqual([422, 'notice_refused'])
    }
    const unknown = path.replace(/[0-9a-f]{12}$/, '000000000000')
    expect((await send(unknown, notice)).status).toBe(404)
    await desk.app.drain()
    expect(await payments(id)).toEqual([])
    const read = await desk.app.app.database.read
      .selectFrom('payment_notice')
      .select('id')
      .where('tenant_id', '=', desk.school.tenant.id)
      .execute()
    expect(read).toEqual([])
  })
  test('about something of no concern here is answered, and nothing follows', async () => {
    const { path } = await opened()
    expect((await send(path, desk.providers.stripe.about('customer.created', { id: 'cus_1' }))).status).toBe(200)
    const charge = { payment_intent: 'pi_of_the_shop', currency: 'ils', amount_refunded: 100 }
    expect((await send(path, desk.providers.stripe.about('charge.refunded', charge))).status).toBe(200)
    await desk.app.drain()
    expect((await desk.school.owner.get('/online-payments?attention=true')).body.data).toEqual([])
  })
})
