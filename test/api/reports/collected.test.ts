import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { create } from '../examples/sessions.ts'

/** The ledger behind what the report about income says was collected. */

let app: TestApp
let school: TestInstitute
let world: World
let studentId: string
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set('2026-03-31T08:00:00.000Z')
  school = await makeInstitute(app, { features: { advanced_reports: true } })
  world = worldOf(app, school)
  studentId = await create(world, '/students', { branchId: school.branchId, firstName: 'Rim', lastName: 'Levi' })
})

interface Amount {
  amountMinor: number
  currency: string
}
interface Collected {
  totals: Amount[]
  data: { kind: string; method: string; amount: Amount; receiptNumber: string; payerName: string }[]
  nextCursor: string | null
}

const report = async (path: string) => {
  const { status, body } = await school.owner.get(`/reports/${path}`)
  expect([status, body]).toMatchObject([200, {}])
  return body
}
const behind = (query = ''): Promise<Collected> => report(`income/collected?limit=2${query}`)
const minor = ({ amountMinor }: Amount): number => amountMinor

test('has what is paid ahead, and refunds as minus, by method and currency', async () => {
  const ahead = { method: 'card', paidBy: { studentId } }
  await school.owner.post('/payments', { ...ahead, currency: 'ILS', amountMinor: 5000 })
  await school.owner.post('/payments', { ...ahead, currency: 'USD', amountMinor: 700 })
  await school.owner.post('/refunds', { studentId, amountMinor: 2000, method: 'cash', reason: 'Moves' })
  const first = await behind('&currency=ILS')
  expect(first).toMatchObject({
    totals: [{ amountMinor: 3000, currency: 'ILS' }],
    data: [
      { kind: 'paid_ahead', method: 'card', amount: { amountMinor: 5000 }, receiptNumber: 'R-2026-000001' },
      { kind: 'refund', method: 'cash', amount: { amountMinor: -2000 }, refundNumber: 'RF-2026-000001' },
    ],
    nextCursor: null,
  })
  for (const [query, expected] of [
    ['&method=card', [5000, 700]],
    ['&method=cash&currency=ILS', [-2000]],
    ['&method=cheque', [0]],
  ] as const) {
    expect((await behind(query)).totals.map(minor)).toEqual(expected)
  }
})

test('has a cheque on its day and again when it comes back, and its pages foot to it', async () => {
  const draft = async () => {
    const lines = [{ description: 'Lessons', unitAmountMinor: 10_000 }]
    const id = await create(world, '/invoices', { studentId, lines })
    await school.owner.post(`/invoices/${id}/issue`)
    return id
  }
  const invoices = [await draft(), await draft(), await draft()]
  const allocations = invoices.slice(0, 2).map((invoiceId) => ({ invoiceId, amountMinor: 10_000 }))
  await school.owner.post('/payments', { currency: 'ILS', method: 'cash', allocations })
  const cheque = { bank: '12', branch: '600', account: '1', number: '1', amountMinor: 10_000, dueOn: '2026-03-31' }
  const taken = await school.owner.post('/payments', {
    currency: 'ILS',
    method: 'cheque',
    allocations: [{ invoiceId: invoices[2], amountMinor: 10_000 }],
    cheque: { bank: '12', branch: '600', account: '1', number: '1' },
  })
  expect(taken.status, JSON.stringify(taken.body)).toBe(201)
  await school.owner.post('/cheques', {
    currency: 'ILS',
    paidBy: { studentId },
    cheques: [{ ...cheque, number: '2', dueOn: '2026-04-20' }],
  })
  const { data } = (await school.owner.get('/cheques?status=due')).body
  expect((await school.owner.post(`/cheques/${data[0].id}/bounce`, { reason: 'No cover' })).status).toBe(200)
  const rows: Collected['data'] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Collected = await behind(cursor && `&cursor=${cursor}`)
    rows.push(...page.data)
    cursor = page.nextCursor
  }
  // The cheque that is held is nothing yet.
  expect(rows.map((row) => [row.kind, row.method, minor(row.amount), row.receiptNumber])).toEqual([
    ['payment', 'cash', 10_000, 'R-2026-000001'],
    ['payment', 'cash', 10_000, 'R-2026-000001'],
    ['payment', 'cheque', 10_000, 'R-2026-000002'],
    ['bounced', 'cheque', -10_000, 'R-2026-000002'],
  ])
  const { totals } = await report('income')
  expect(rows.reduce((sum, { amount }) => sum + minor(amount), 0)).toBe(minor(totals[0].collected))
})
