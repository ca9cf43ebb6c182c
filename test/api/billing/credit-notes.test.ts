import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { issuedInvoice, newInvoice } from '../examples/billing.ts'
import { newGuardian, newStudent } from '../examples/people.ts'

let app: TestApp
let school: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set('2026-03-02T08:00:00.000Z')
  school = await makeInstitute(app)
  world = worldOf(app, school)
})

const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })
const owes = async (studentId: string): Promise<string> => (await issuedInvoice(world, { studentId })).id
const pay = (invoiceId: string, amountMinor: number) =>
  school.owner.post(`/invoices/${invoiceId}/payments`, { amountMinor, currency: 'ILS', method: 'cash' })
const credit = (invoiceId: string, body: object) =>
  school.owner.post(`/invoices/${invoiceId}/credit-notes`, { reason: 'Came three weeks late', ...body })
const refund = (body: object) => school.owner.post('/refunds', { method: 'cash', reason: 'Moves away', ...body })
const invoice = async (id: string) => (await school.owner.get(`/invoices/${id}`)).body
const creditOf = async (studentId: string): Promise<number> =>
  (await school.owner.get(`/students/${studentId}/account`)).body.credit.amountMinor

describe('POST /invoices/{id}/credit-notes', () => {
  test('lowers the balance, and keeps a number without gaps', async () => {
    const studentId = await newStudent(world)
    const [first, second] = [await owes(studentId), await owes(studentId)]
    const { status, body } = await credit(first, { amountMinor: 15_000 })
    expect([status, body]).toMatchObject([
      201,
      {
        number: 'CN-2026-000001',
        invoiceId: first,
        amount: ils(15_000),
        toCredit: ils(0),
        lines: [{ description: 'Came three weeks late', amount: ils(15_000) }],
      },
    ])
    expect(await invoice(first)).toMatchObject({
      status: 'issued',
      total: ils(45_000),
      paid: ils(0),
      credited: ils(15_000),
      balance: ils(30_000),
    })
    const lines = [
      { description: 'Book', amountMinor: 5000 },
      { description: 'Week', amountMinor: 40_000 },
    ]
    expect((await credit(second, { lines })).body.number).toBe('CN-2026-000002')
    expect(await invoice(second)).toMatchObject({ status: 'paid', credited: ils(45_000), balance: ils(0) })
    expect((await school.owner.get('/billing/summary')).body).toMatchObject({
      outstanding: ils(30_000),
      collectedThisMonth: ils(0),
    })
    const { entries, closingBalance } = (await school.owner.get(`/students/${studentId}/statement`)).body
    expect(closingBalance).toEqual(ils(30_000))
    expect(entries.map(({ kind, reference }: Record<string, string>) => [kind, reference])).toContainEqual([
      'credit_note',
      'CN-2026-000001',
    ])
    expect((await school.owner.get(`/credit-notes?invoiceId=${first}`)).body.data).toEqual([body])
    expect((await school.owner.get(`/credit-notes/${body.id}`)).body).toEqual(body)
  })

  test('of what was paid becomes credit, which goes back to it when the payment is taken back', async () => {
    const studentId = await newStudent(world)
    const invoiceId = await owes(studentId)
    const { body: payment } = await pay(invoiceId, 40_000)
    const { body } = await credit(invoiceId, { amountMinor: 20_000 })
    expect(body.toCredit).toEqual(ils(15_000))
    expect(await invoice(invoiceId)).toMatchObject({ paid: ils(25_000), credited: ils(20_000), balance: ils(0) })
    expect(await creditOf(studentId)).toBe(15_000)
    await school.owner.post(`/payments/${payment.id}/reverse`, { reason: 'The cheque bounced' })
    expect(await invoice(invoiceId)).toMatchObject({ paid: ils(0), credited: ils(20_000), balance: ils(25_000) })
    expect(await creditOf(studentId)).toBe(0)
  })

  test('made credit that goes back to the invoice before anything of it is owed again', async () => {
    const studentId = await newStudent(world)
    const invoiceId = await owes(studentId)
    const [first, second] = [(await pay(invoiceId, 25_000)).body, (await pay(invoiceId, 20_000)).body]
    await credit(invoiceId, { amountMinor: 10_000 })
    expect(await creditOf(studentId)).toBe(10_000)
    await school.owner.post(`/payments/${second.id}/reverse`, { reason: 'The cheque bounced' })
    expect(await invoice(invoiceId)).toMatchObject({ paid: ils(25_000), balance: ils(10_000) })
    expect(await creditOf(studentId)).toBe(0)
    await school.owner.post(`/payments/${first.id}/reverse`, { reason: 'The cheque bounced' })
    expect(await invoice(invoiceId)).toMatchObject({ paid: ils(0), balance: ils(35_000), status: 'issued' })
  })

  test('on an invoice that credit paid goes back to it when the receipt of that credit is taken back', async () => {
    const studentId = await newStudent(world)
    const ahead = { amountMinor: 45_000, currency: 'ILS', method: 'cash', paidBy: { studentId } }
    const { body: receipt } = await school.owner.post('/payments', ahead)
    const invoiceId = await owes(studentId)
    expect(await invoice(invoiceId)).toMatchObject({ status: 'paid' })
    await credit(invoiceId, { amountMinor: 10_000 })
    await school.owner.post(`/receipts/${receipt.id}/reverse`, { reason: 'The cheque bounced' })
    expect(await invoice(invoiceId)).toMatchObject({ paid: ils(0), credited: ils(10_000), balance: ils(35_000) })
    expect(await creditOf(studentId)).toBe(0)
  })

  test('above the invoice, of a draft and of a void one is refused by name', async () => {
    const studentId = await newStudent(world)
    const invoiceId = await owes(studentId)
    const reasonOf = async (id: string, body: object) => (await credit(id, body)).body.error.details.reason
    expect(await reasonOf(invoiceId, { amountMinor: 45_001 })).toBe('above_invoice')
    await credit(invoiceId, { amountMinor: 40_000 })
    expect(await reasonOf(invoiceId, { amountMinor: 5001 })).toBe('above_invoice')
    const draft = (await newInvoice(world, { studentId })).id
    expect(await reasonOf(draft, { amountMinor: 1 })).toBe('not_creditable')
    await school.owner.post(`/invoices/${draft}/void`, { reason: 'Twice' })
    expect(await reasonOf(draft, { amountMinor: 1 })).toBe('not_creditable')
    expect((await credit(invoiceId, {})).status).toBe(422)
    expect((await credit(invoiceId, { amountMinor: 1, lines: [{ description: 'A', amountMinor: 1 }] })).status).toBe(
      422,
    )
    const voided = await school.owner.post(`/invoices/${invoiceId}/void`, { reason: 'Twice' })
    expect(voided.body.error.details.reason).toBe('cannot_void')
  })

  test('eight at once come to no more than the invoice', async () => {
    const invoiceId = await owes(await newStudent(world))
    const replies = await Promise.all(Array.from({ length: 8 }, () => credit(invoiceId, { amountMinor: 20_000 })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 422, 422, 422, 422, 422, 422])
    const numbers = (await school.owner.get('/credit-notes')).body.data.map((note: { number: string }) => note.number)
    expect(numbers.toSorted()).toEqual(['CN-2026-000001', 'CN-2026-000002'])
  })
})

describe('POST /refunds', () => {
  const paidAhead = async () => {
    const studentId = await newStudent(world)
    const body = { currency: 'ILS', method: 'cash', amountMinor: 30_000, paidBy: { studentId } }
    return { studentId, receipt: (await school.owner.post('/payments', body)).body }
  }

  test('pays out credit, up to what there is', async () => {
    const { studentId } = await paidAhead()
    const { status, body } = await refund({ studentId, amountMinor: 20_000, reference: '4711' })
    expect([status, body]).toMatchObject([
      201,
      { number: 'RF-2026-000001', studentId, payerName: 'Dana Levi', amount: ils(20_000), reference: '4711' },
    ])
    expect(await creditOf(studentId)).toBe(10_000)
    const above = await refund({ studentId, amountMinor: 10_001 })
    expect([above.status, above.body.error.details.reason]).toEqual([422, 'above_credit'])
    expect((await refund({ studentId, amountMinor: 10_000 })).body.number).toBe('RF-2026-000002')
    const none = await refund({ studentId, amountMinor: 1 })
    expect([none.status, none.body.error.details.reason]).toEqual([409, 'no_credit'])
    expect((await school.owner.get('/billing/summary')).body.collectedThisMonth).toEqual(ils(0))
    const listed = (await school.owner.get(`/refunds?studentId=${studentId}`)).body.data
    expect(listed.at(-1)).toEqual(body)
    expect((await school.owner.get(`/refunds/${body.id}`)).body).toEqual(body)
    expect((await refund({ studentId, amountMinor: 1, paidAt: '2026-03-03T08:00:00.000Z' })).status).toBe(422)
    expect((await refund({ amountMinor: 1 })).status).toBe(422)
    const nobody = { guardianId: '01890a5d-ac96-774b-bcce-b302099a8057', amountMinor: 1 }
    expect((await refund(nobody)).body.error.code).toBe('NOT_FOUND')
  })

  test.each(['student', 'guardian'] as const)('eight at once pay out no more than the credit of a %s', async (kind) => {
    const id = kind === 'student' ? await newStudent(world) : await newGuardian(world)
    const holder = { [`${kind}Id`]: id }
    const ahead = { currency: 'ILS', method: 'cash', amountMinor: 30_000, branchId: school.branchId, paidBy: holder }
    expect((await school.owner.post('/payments', ahead)).status).toBe(201)
    const replies = await Promise.all(Array.from({ length: 8 }, () => refund({ ...holder, amountMinor: 20_000 })))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect((await school.owner.get(`/${kind}s/${id}/account`)).body.credit).toEqual(ils(10_000))
  })

  test('stands against taking back the receipt of what was paid out', async () => {
    const { studentId, receipt } = await paidAhead()
    await refund({ studentId, amountMinor: 1 })
    const { status, body } = await school.owner.post(`/receipts/${receipt.id}/reverse`, { reason: 'Bounced' })
    expect([status, body.error.details.reason]).toEqual([409, 'credit_paid_out'])
    expect(await creditOf(studentId)).toBe(29_999)
  })
})
