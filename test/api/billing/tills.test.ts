import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepChequesJob } from '#modules/billing/cheques/due.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { countedOf, issuedInvoice } from '../examples/billing.ts'
import { newStudent } from '../examples/people.ts'

let app: TestApp
let school: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 31_536_000 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set('2026-03-02T08:00:00.000Z')
  school = await makeInstitute(app)
  world = worldOf(app, school)
})

const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })
type Client = TestInstitute['owner']

const pay = async (client: Client, amountMinor: number, more: Record<string, unknown> = {}) => {
  const { id } = await issuedInvoice(world)
  const body = { amountMinor, currency: 'ILS', method: 'cash', ...more }
  return (await client.post(`/invoices/${id}/payments`, body)).body
}
const till = async (client: Client) => (await client.get('/tills/today')).body
const sums = async (client: Client): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await till(client)).lines.map(({ method, expected }: { method: string; expected: { amountMinor: number } }) => [
      method,
      expected.amountMinor,
    ]),
  )
const close = (client: Client, counted: object[], more: object = {}) =>
  client.post('/tills/close', { counted, ...more })

describe('GET /tills/today', () => {
  test('is what this person took by hand, less what they gave back, and nothing of others', async () => {
    const desk = await school.member({ role: 'front_desk' })
    const first = await pay(desk, 10_000)
    await pay(desk, 5000, { method: 'card' })
    await pay(desk, 700, { provider: 'online', method: 'online' })
    await pay(desk, 800, { provider: 'import' })
    expect(await sums(desk)).toEqual({ cash: 10_000, card: 5000 })
    expect(await till(school.owner)).toEqual({
      since: null,
      lastClosedAt: null,
      entries: 0,
      lines: [],
      held: [],
    })
    await school.owner.post(`/payments/${first.id}/reverse`, { reason: 'Wrong family' })
    expect(await sums(desk)).toEqual({ cash: 10_000, card: 5000 })
    expect(await sums(school.owner)).toEqual({ cash: -10_000 })
  })

  test('has what is paid ahead, and without it what is refunded and taken back', async () => {
    const studentId = await newStudent(world)
    const ahead = { currency: 'ILS', amountMinor: 30_000, paidBy: { studentId } }
    const { body: receipt } = await school.owner.post('/payments', { ...ahead, method: 'card' })
    await school.owner.post('/payments', { ...ahead, method: 'cash' })
    await school.owner.post('/payments', { ...ahead, method: 'online', provider: 'online' })
    expect(await sums(school.owner)).toEqual({ card: 30_000, cash: 30_000 })
    await school.owner.post('/refunds', { studentId, amountMinor: 4000, method: 'cash', reason: 'Moves away' })
    expect(await sums(school.owner)).toEqual({ card: 30_000, cash: 26_000 })
    await school.owner.post(`/receipts/${receipt.id}/reverse`, { reason: 'The card was refused' })
    expect(await sums(school.owner)).toEqual({ card: 0, cash: 26_000 })
    const { data } = (await school.owner.get('/tills/entries')).body
    expect(data.map((one: Record<string, unknown>) => [one['kind'], one['method'], one['number']])).toEqual([
      ['reversed', 'card', receipt.number],
      ['refunded', 'cash', 'RF-2026-000001'],
      ['received', 'cash', expect.stringMatching(/^R-2026/)],
      ['received', 'card', receipt.number],
    ])
  })
})

describe('cheques of later days', () => {
  const drawn = (number: string, dueOn: string, amountMinor = 45_000) => ({
    bank: '12',
    branch: '100',
    account: '123456',
    number,
    amountMinor,
    dueOn,
  })
  const take = async (client: Client, cheques: object[]) => {
    const studentId = await newStudent(world)
    const { status, body } = await client.post('/cheques', { currency: 'ILS', paidBy: { studentId }, cheques })
    expect(status).toBe(201)
    return body.cheques as { id: string }[]
  }

  test('lie beside the sums as papers, and those of today are money', async () => {
    await pay(school.owner, 10_000)
    const [, later] = await take(school.owner, [
      drawn('1', '2026-03-02'),
      drawn('2', '2026-04-02'),
      drawn('3', '2026-05-02', 30_000),
    ])
    expect(await sums(school.owner)).toEqual({ cash: 10_000, cheque: 45_000 })
    expect(await till(school.owner)).toMatchObject({ entries: 4, held: [{ count: 2, total: ils(75_000) }] })
    await school.owner.post(`/cheques/${later?.id}/return`, {})
    expect(await till(school.owner)).toMatchObject({ entries: 5, held: [{ count: 1, total: ils(30_000) }] })
    const { data } = (await school.owner.get('/tills/entries')).body
    expect(data.map(({ kind, method }: { kind: string; method: string }) => [kind, method])).toEqual([
      ['given_back', 'cheque'],
      ['received', 'cheque'],
      ['held', 'cheque'],
      ['held', 'cheque'],
      ['received', 'cash'],
    ])
    const { body: closed } = await close(school.owner, countedOf((await till(school.owner)).lines), {
      countedCheques: [{ count: 2 }],
    })
    expect(closed).toMatchObject({
      hasDifference: true,
      held: [{ count: 1, total: ils(30_000), counted: 2 }],
    })
    expect((await till(school.owner)).held).toEqual([])
    expect((await school.owner.get(`/tills/closes/${closed.id}`)).body).toEqual(closed)
  })

  test('alone are a till to be closed, whether or not somebody counts them, and their day changes no till', async () => {
    await take(school.owner, [drawn('1', '2026-03-03')])
    const twice = { countedCheques: [{ count: 1 }, { currency: 'ILS', count: 1 }] }
    expect((await close(school.owner, [], twice)).status).toBe(422)
    const { body } = await close(school.owner, [])
    expect(body).toMatchObject({ hasDifference: false, lines: [], held: [{ count: 1, counted: null }] })
    app.clock.set('2026-03-03T10:00:00.000Z')
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
      unit.system().enqueue(sweepChequesJob, {})
    })
    await app.drain()
    expect(await till(school.owner)).toMatchObject({ entries: 0, lines: [], held: [] })
  })
})

describe('POST /tills/close', () => {
  test('keeps what was counted beside what was expected, and begins a new till', async () => {
    await pay(school.owner, 10_000)
    app.clock.set('2026-03-02T08:05:00.000Z')
    await pay(school.owner, 2000, { method: 'card' })
    const counted = [
      { method: 'card', amountMinor: 2000 },
      { method: 'cash', amountMinor: 9000 },
      { method: 'cheque', amountMinor: 100 },
    ]
    const { status, body } = await close(school.owner, counted, { note: 'Ten are missing', entries: 2 })
    expect([status, body]).toMatchObject([
      201,
      {
        userId: school.ownerUserId,
        branchId: school.branchId,
        since: '2026-03-02T08:00:00.000Z',
        closedAt: '2026-03-02T08:05:00.000Z',
        hasDifference: true,
        note: 'Ten are missing',
        lines: [
          { method: 'cash', expected: ils(10_000), counted: ils(9000), difference: ils(-1000), entries: 1 },
          { method: 'card', expected: ils(2000), counted: ils(2000), difference: ils(0), entries: 1 },
          { method: 'cheque', expected: ils(0), counted: ils(100), difference: ils(100), entries: 0 },
        ],
      },
    ])
    expect(await till(school.owner)).toMatchObject({ entries: 0, lastClosedAt: '2026-03-02T08:05:00.000Z' })
    expect((await school.owner.get(`/tills/closes/${body.id}`)).body).toEqual(body)
    expect((await school.owner.get('/tills/closes')).body.data).toEqual([body])
    expect((await school.owner.get(`/tills/entries?closeId=${body.id}`)).body.data).toHaveLength(2)
  })

  test('is refused by name where there is nothing, something else than was counted, or a sum is missing', async () => {
    const nothing = await close(school.owner, [])
    expect(nothing.body.error.details.reason).toBe('nothing_to_close')
    await pay(school.owner, 10_000)
    const cash = { method: 'cash', amountMinor: 10_000 }
    expect((await close(school.owner, [])).status).toBe(422)
    expect((await close(school.owner, [{ ...cash, currency: 'USD' }])).status).toBe(422)
    expect((await close(school.owner, [cash, { ...cash, currency: 'ILS' }])).status).toBe(422)
    expect((await close(school.owner, [cash], { entries: 2 })).body.error.details.reason).toBe('till_changed')
    expect((await close(school.owner, [cash], { entries: 1 })).status).toBe(201)
  })

  test('a reversal after the close lies in the till that follows', async () => {
    const payment = await pay(school.owner, 10_000)
    await close(school.owner, [{ method: 'cash', amountMinor: 10_000 }])
    await school.owner.post(`/payments/${payment.id}/reverse`, { reason: 'Wrong family' })
    expect(await sums(school.owner)).toEqual({ cash: -10_000 })
  })

  test('two at once, and payments meanwhile: everything is counted once', async () => {
    const invoices = []
    for (let n = 0; n < 12; n += 1) invoices.push((await issuedInvoice(world)).id)
    const record = (id: string) =>
      school.owner.post(`/invoices/${id}/payments`, { amountMinor: 100, currency: 'ILS', method: 'cash' })
    for (const id of invoices.slice(0, 4)) await record(id)
    const counted = [{ method: 'cash', amountMinor: 400 }]
    const replies = await Promise.all([
      ...invoices.slice(4, 8).map(record),
      close(school.owner, counted),
      close(school.owner, counted),
      ...invoices.slice(8).map(record),
    ])
    expect(replies.filter(({ status }) => status !== 201).length).toBeLessThanOrEqual(1)
    const open = (await sums(school.owner))['cash'] ?? 0
    const { data } = (await school.owner.get('/tills/closes')).body
    const closed = data.flatMap(({ lines }: { lines: { expected: { amountMinor: number } }[] }) =>
      lines.map(({ expected }) => expected.amountMinor),
    )
    expect([open, ...closed].reduce((sum, one) => sum + one, 0)).toBe(1200)
    const listed = []
    for (const { id } of data) listed.push(...(await school.owner.get(`/tills/entries?closeId=${id}`)).body.data)
    listed.push(...(await school.owner.get('/tills/entries')).body.data)
    expect(new Set(listed.map(({ id }) => id)).size).toBe(12)
  })
})

describe('GET /tills/closes', () => {
  test('shows the desk its own, and who reads reports those of everybody within reach', async () => {
    const other = (await school.owner.post('/branches', { name: 'North' })).body.id
    const desk = await school.member({ role: 'front_desk' })
    const manager = await school.member({ role: 'branch_manager', branchId: school.branchId })
    const elsewhere = await school.member({ role: 'branch_manager', branchId: other })
    for (const client of [desk, school.owner]) {
      await pay(client, 100)
      await close(client, countedOf((await till(client)).lines))
    }
    const seen = async (client: Client, query = '') =>
      (await client.get(`/tills/closes${query}`)).body.data.map(({ id }: { id: string }) => id)
    const all = await seen(school.owner)
    expect(all).toHaveLength(2)
    expect(await seen(desk)).toEqual([all[1]])
    expect(await seen(desk, `?userId=${school.ownerUserId}`)).toEqual([])
    expect(await seen(manager)).toEqual(all)
    expect(await seen(elsewhere)).toEqual([])
    expect(await seen(school.owner, `?userId=${school.ownerUserId}`)).toEqual([all[0]])
    expect((await desk.get(`/tills/closes/${all[0]}`)).status).toBe(404)
    expect((await desk.get(`/tills/entries?closeId=${all[0]}`)).body.data).toEqual([])
    expect((await elsewhere.get(`/tills/closes/${all[1]}`)).status).toBe(404)
    expect((await manager.get(`/tills/closes/${all[1]}`)).status).toBe(200)
  })

  test('of several branches is seen by who reaches all of them', async () => {
    const north = (await school.owner.post('/branches', { name: 'North' })).body.id
    const manager = await school.member({ role: 'branch_manager', branchId: north })
    for (const branchId of [north, school.branchId]) {
      const studentId = await newStudent({ ...world, branchId })
      const paid = { currency: 'ILS', method: 'cash', amountMinor: 100, paidBy: { studentId }, branchId }
      await school.owner.post('/payments', paid)
    }
    const { body } = await close(school.owner, [{ method: 'cash', amountMinor: 200 }])
    expect(body.branchId).toBeNull()
    expect((await manager.get('/tills/closes')).body.data).toEqual([])
    expect((await school.owner.get('/tills/closes')).body.data).toEqual([body])
  })
})
