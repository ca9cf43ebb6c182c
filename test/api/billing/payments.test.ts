import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { startApp, type TestApp } from '#kit/app.ts'
import type { World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { issuedInvoice, newInvoice, newPayment } from '../examples/billing.ts'

let app: TestApp
let institute: TestInstitute
let world: World

const worldOf = (of: TestInstitute): World => ({
  app,
  institute: of,
  owner: of.owner,
  branchId: of.branchId,
  serial: Math.floor(Math.random() * 1e9),
})

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  world = worldOf(institute)
})
afterAll(() => app.close())

const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })
const cash = (amountMinor: number, more: object = {}) => ({ ...ils(amountMinor), method: 'cash', ...more })
const pay = (invoiceId: string, amountMinor: number, more: object = {}) =>
  institute.owner.post(`/invoices/${invoiceId}/payments`, cash(amountMinor, more))
const statusOf = async (id: string) => (await institute.owner.get(`/invoices/${id}`)).body.status

describe('payments', () => {
  test('a flat request, and a reply with amount as Money; the invoice becomes partially_paid, then paid', async () => {
    const invoice = await issuedInvoice(world)
    const { status, body } = await pay(invoice.id, 15_000)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      invoiceId: invoice.id,
      amount: ils(15_000),
      method: 'cash',
      provider: 'manual',
      reference: null,
      reason: null,
      reversesPaymentId: null,
      receivedAt: app.clock.now(),
      receivedByUserId: institute.ownerUserId,
      createdAt: app.clock.now(),
    })
    expect((await eventsOf(app, institute, 'payment.recorded')).at(-1)).toEqual({
      paymentId: body.id,
      invoiceId: invoice.id,
      amountMinor: 15_000,
      currency: 'ILS',
      method: 'cash',
    })
    expect(await statusOf(invoice.id)).toBe('partially_paid')
    await pay(invoice.id, 30_000)
    expect((await institute.owner.get(`/invoices/${invoice.id}`)).body).toMatchObject({
      status: 'paid',
      paid: ils(45_000),
      balance: ils(0),
    })
    expect((await institute.owner.get(`/payments/${body.id}`)).body).toEqual(body)
    expect((await auditOf(app, institute, 'payments.record')).some((entry) => entry.entity_id === body.id)).toBe(true)
  })

  test('above the balance, below 1, in another currency, or from the future is 422', async () => {
    const invoice = await issuedInvoice(world)
    const refusals = [
      [cash(45_001), 'amountMinor'],
      [cash(0), 'amountMinor'],
      [cash(1.5), 'amountMinor'],
      [{ ...cash(1), currency: 'USD' }, 'currency'],
      [{ ...cash(1), method: 'barter' }, 'method'],
      [cash(1, { receivedAt: '2026-03-02T08:00:00.001Z' }), 'receivedAt'],
    ] as const
    for (const [body, field] of refusals) {
      const refused = await institute.owner.post(`/invoices/${invoice.id}/payments`, body)
      expect(refused.status).toBe(422)
      expect(refused.body.error.details.issues[0].path).toEqual([field])
    }
    expect((await pay(invoice.id, 45_000, { receivedAt: '2026-02-28T10:00:00+02:00' })).body.receivedAt).toBe(
      '2026-02-28T08:00:00.000Z',
    )
  })

  test('no more than is left of an invoice that was paid in part', async () => {
    const invoice = await issuedInvoice(world)
    await pay(invoice.id, 30_000)
    const refused = await pay(invoice.id, 15_001)
    expect([refused.status, refused.body.error.details]).toMatchObject([
      422,
      { issues: [{ path: ['amountMinor'], message: 'Must be at most the balance: 15000.' }] },
    ])
    expect((await pay(invoice.id, 15_000)).status).toBe(201)
    expect(await statusOf(invoice.id)).toBe('paid')
  })

  test('a draft, a void and a paid invoice take no payment: 409', async () => {
    const draft = await newInvoice(world)
    expect((await pay(draft.id, 1)).status).toBe(409)
    await institute.owner.post(`/invoices/${draft.id}/void`, { reason: 'x' })
    expect((await pay(draft.id, 1)).status).toBe(409)
    const paid = await issuedInvoice(world)
    await pay(paid.id, 45_000)
    expect(await pay(paid.id, 1)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
  })

  test('50 concurrent payments never exceed the total', async () => {
    const invoice = await issuedInvoice(world)
    const replies = await Promise.all(Array.from({ length: 50 }, () => pay(invoice.id, 1_000)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(45)
    expect(replies.filter(({ status }) => status === 409 || status === 422)).toHaveLength(5)
    const { body } = await institute.owner.get(`/invoices/${invoice.id}`)
    expect(body).toMatchObject({ status: 'paid', paid: ils(45_000) })
    expect(body.payments).toHaveLength(45)
  })

  test('a reversal is a negative payment without an event; the status follows', async () => {
    const invoice = await issuedInvoice(world)
    const { body: first } = await pay(invoice.id, 15_000)
    const { body: second } = await pay(invoice.id, 30_000)
    const before = (await eventsOf(app, institute)).length
    const { status, body } = await institute.owner.post(`/payments/${second.id}/reverse`, { reason: 'Cheque bounced' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      amount: ils(-30_000),
      reversesPaymentId: second.id,
      reason: 'Cheque bounced',
      invoiceId: invoice.id,
    })
    expect(await statusOf(invoice.id)).toBe('partially_paid')
    await institute.owner.post(`/payments/${first.id}/reverse`, { reason: 'x' })
    expect(await statusOf(invoice.id)).toBe('issued')
    expect(await eventsOf(app, institute)).toHaveLength(before)
    expect((await institute.owner.post(`/payments/${first.id}/reverse`, { reason: 'x' })).status).toBe(409)
    expect((await institute.owner.post(`/payments/${body.id}/reverse`, { reason: 'x' })).status).toBe(409)
  })

  test('of many concurrent reversals one is made', async () => {
    const payment = await newPayment(world)
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => institute.owner.post(`/payments/${payment.id}/reverse`, { reason: 'x' })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)])
  })

  test('payments of one invoice that are reversed at once are all taken off it', async () => {
    const { id } = await issuedInvoice(world)
    const paid = await Promise.all(Array.from({ length: 6 }, async () => (await pay(id, 1_000)).body.id as string))
    const replies = await Promise.all(
      paid.map((paymentId) => institute.owner.post(`/payments/${paymentId}/reverse`, { reason: 'Cheque bounced' })),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array<number>(6).fill(201))
    expect((await institute.owner.get(`/invoices/${id}`)).body).toMatchObject({ paid: ils(0), status: 'issued' })
  })

  test('the ledger cannot be updated or deleted in the database itself', async () => {
    const payment = await newPayment(world)
    const { database } = app.app
    await expect(
      database.write((db) => sql`update payment set amount_minor = 1 where id = ${payment.id}`.execute(db)),
    ).rejects.toThrow('append-only')
    await expect(database.write((db) => sql`delete from payment where id = ${payment.id}`.execute(db))).rejects.toThrow(
      'append-only',
    )
  })

  test('the list filters by invoice, student, method and the days of receipt in the institute’s time zone', async () => {
    const fresh = worldOf(await makeInstitute(app))
    const invoice = await issuedInvoice(fresh)
    const send = (body: object) => fresh.owner.post(`/invoices/${invoice.id}/payments`, body)
    // 23:30 on the 27th and 00:30 on the 28th of February in Jerusalem.
    const { body: early } = await send(cash(100, { receivedAt: '2026-02-27T21:30:00Z' }))
    const { body: late } = await send({ ...cash(200, { receivedAt: '2026-02-27T22:30:00Z' }), method: 'card' })
    const other = await newPayment(fresh)
    const ids = async (query: string) =>
      (await fresh.owner.get(`/payments?${query}`)).body.data.map((payment: { id: string }) => payment.id)
    expect(await ids('')).toEqual([other.id, late.id, early.id])
    expect(await ids(`invoiceId=${invoice.id}`)).toEqual([late.id, early.id])
    expect(await ids(`studentId=${invoice.studentId}`)).toEqual([late.id, early.id])
    expect(await ids('method=card')).toEqual([late.id])
    expect(await ids('from=2026-02-28&to=2026-02-28')).toEqual([late.id])
    expect(await ids('to=2026-02-27')).toEqual([early.id])
  })
})

describe('GET /billing/summary', () => {
  test('sums what is owed and what came in this month, less reversals, in the institute’s currency', async () => {
    const fresh = worldOf(await makeInstitute(app))
    const send = (id: string, body: object) => fresh.owner.post(`/invoices/${id}/payments`, body)
    const partly = await issuedInvoice(fresh)
    await send(partly.id, cash(10_000))
    // The last evening of February in Jerusalem does not belong to this month.
    await send(partly.id, cash(5_000, { receivedAt: '2026-02-28T21:00:00Z' }))
    const whole = await issuedInvoice(fresh)
    const { body: payment } = await send(whole.id, cash(45_000))
    await fresh.owner.post(`/payments/${payment.id}/reverse`, { reason: 'x' })
    await issuedInvoice(fresh, { currency: 'USD' })
    await newInvoice(fresh)
    expect((await fresh.owner.get('/billing/summary')).body).toEqual({
      currency: 'ILS',
      outstanding: ils(30_000 + 45_000),
      collectedThisMonth: ils(10_000),
      overdueCount: 0,
      overdueTotal: ils(0),
      byStatus: { draft: 1, issued: 2, partially_paid: 1, paid: 0, overdue: 0, void: 0 },
    })
  })

  test('is all zeros for a new institute', async () => {
    const fresh = await makeInstitute(app)
    expect((await fresh.owner.get('/billing/summary')).body).toMatchObject({
      outstanding: ils(0),
      collectedThisMonth: ils(0),
    })
  })
})
