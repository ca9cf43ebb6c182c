import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { issuedInvoice } from '../examples/billing.ts'

/** What stands beside lists of money: the sum of receipts, and what an invoice is for. */

let app: TestApp
let institute: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  world = worldOf(app, institute)
})
afterAll(() => app.close())

const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })
const student = async (firstName: string): Promise<string> =>
  (await institute.owner.post('/students', { branchId: institute.branchId, firstName, lastName: 'Haddad' })).body.id
const invoiceOf = (studentId: string, more: object = {}) => issuedInvoice(world, { studentId, ...more })
const to = (invoice: { id: string }, amountMinor: number) => ({ invoiceId: invoice.id, amountMinor })
const pay = (allocations: object[], more: object = {}) =>
  institute.owner.post('/payments', { allocations, currency: 'ILS', method: 'cash', ...more })

test('are added up as their list shows them, in each currency, without those that are cancelled', async () => {
  const one = await student('Sum')
  const invoices = [await invoiceOf(one), await invoiceOf(one)]
  await pay([to(invoices[0] as { id: string }, 10_000)], { paidBy: { studentId: one }, amountMinor: 12_500 })
  const cancelled = await pay([to(invoices[1] as { id: string }, 20_000)])
  await pay([], { paidBy: { studentId: one }, amountMinor: 700, currency: 'USD', method: 'card' })
  await institute.owner.post(`/receipts/${cancelled.body.id}/reverse`, { reason: 'Twice' })
  const sums = async (query = '') => (await institute.owner.get(`/receipts/sums${query}`)).body
  expect(await sums()).toEqual({
    count: 3,
    cancelled: 1,
    totals: [ils(12_500), { amountMinor: 700, currency: 'USD' }],
  })
  expect(await sums('?method=cash')).toEqual({ count: 2, cancelled: 1, totals: [ils(12_500)] })
  expect(await sums('?q=nobody')).toEqual({ count: 0, cancelled: 0, totals: [ils(0)] })
})

test('an invoice in a list says what it is for', async () => {
  const one = await student('Line')
  const lines = ['Lessons, March 2026', 'Books'].map((description) => ({ description, unitAmountMinor: 100 }))
  await invoiceOf(one, { lines })
  const { data } = (await institute.owner.get(`/students/${one}/invoices`)).body
  expect(data).toMatchObject([{ firstLine: 'Lessons, March 2026', lineCount: 2 }])
})
