import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { issuedInvoice } from '../examples/billing.ts'

/** As many invoices as one payment pays. */
const MOST = 50
const AMOUNT = 1000

let ran: string[] = []
let app: TestApp
let institute: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp({ queryLog: ({ query }) => void ran.push(query.sql) })
  institute = await makeInstitute(app)
  world = worldOf(app, institute)
})
afterAll(() => app.close())

/** Pays so many invoices of one student, the first in full. @returns the statements of the request, and the receipt */
const payOf = async (count: number) => {
  const { owner, branchId } = institute
  const { body: student } = await owner.post('/students', { branchId, firstName: 'Noor', lastName: 'Haddad' })
  const invoices = []
  for (let index = 0; index < count; index += 1) invoices.push(await issuedInvoice(world, { studentId: student.id }))
  const allocations = invoices.map(({ id, total }, index) => ({
    invoiceId: id as string,
    amountMinor: index === 0 ? (total.amountMinor as number) : AMOUNT,
  }))
  ran = []
  const { status, body } = await owner.post('/payments', { allocations, currency: 'ILS', method: 'cash' })
  expect(status).toBe(201)
  return { statements: [...ran], allocations, receipt: body }
}

test('a payment of fifty invoices runs no statement for each of them, and each invoice has its own', async () => {
  const few = await payOf(2)
  const many = await payOf(MOST)
  // Ten of the payment itself; beside them the credential, twice, the events, who listens to them, audit and jobs.
  expect(few.statements.length).toBeLessThanOrEqual(16)
  // Fifty rows go in by parts of 32, 16 and 2, into five tables.
  expect(many.statements.length).toBeLessThanOrEqual(few.statements.length + 2 * 5)
  const { body: read } = await institute.owner.get(`/receipts/${many.receipt.id}`)
  expect(many.receipt).toEqual(read)
  const amounts = many.allocations.map(({ amountMinor }) => amountMinor)
  expect(many.receipt.payments).toMatchObject(
    many.allocations.map(({ invoiceId, amountMinor }) => ({ invoiceId, amount: { amountMinor } })),
  )
  const written = (await auditOf(app, institute, 'payments.record-many')).slice(-MOST)
  expect(written.map(({ metadata }) => metadata)).toMatchObject(amounts.map((amount) => ({ paidMinor: [0, amount] })))
  const events = (await eventsOf(app, institute, 'payment.recorded')).slice(-MOST)
  expect(events.map(({ amountMinor }) => amountMinor)).toEqual(amounts)
  for (const [index, { invoiceId, amountMinor }] of many.allocations.entries()) {
    const { body: invoice } = await institute.owner.get(`/invoices/${invoiceId}`)
    expect(invoice).toMatchObject({
      status: index === 0 ? 'paid' : 'partially_paid',
      paid: { amountMinor },
      version: 3,
      payments: [{ amount: { amountMinor }, receiptId: many.receipt.id }],
    })
  }
})
