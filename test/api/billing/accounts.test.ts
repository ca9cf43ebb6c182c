import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { eventsOf } from '#kit/records.ts'
import { issuedInvoice, newInvoice } from '../examples/billing.ts'
import { newPhone } from '../examples/people.ts'

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

const parent = async (): Promise<string> =>
  (await school.owner.post('/guardians', { firstName: 'Ruth', lastName: 'Levi', phone: newPhone() })).body.id

const child = async (parents: readonly string[] = [], branchId = school.branchId): Promise<string> => {
  const { id } = (await school.owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi' })).body
  for (const [index, guardianId] of parents.entries()) {
    const link = { guardianId, relationship: 'other', isPrimary: index === 0, isPayer: index === 0 }
    await school.owner.post(`/students/${id}/guardians`, link)
  }
  return id
}

/** Issued, of so much. */
const owes = async (studentId: string, unitAmountMinor: number): Promise<string> =>
  (await issuedInvoice(world, { studentId, lines: [{ description: 'March', unitAmountMinor }] })).id

const pay = (body: object) => school.owner.post('/payments', { currency: 'ILS', method: 'cash', ...body })

const account = async (path: string, query = '') => (await school.owner.get(`/${path}/account${query}`)).body
const invoice = async (id: string) => (await school.owner.get(`/invoices/${id}`)).body
const sums = ({ balance, owed, credit }: Record<string, { amountMinor: number }>) =>
  [balance, owed, credit].map((sum) => sum?.amountMinor)

describe('money that is paid ahead', () => {
  test('above the invoices becomes credit of the payer, and stands on the receipt', async () => {
    const mother = await parent()
    const studentId = await child([mother])
    const invoiceId = await owes(studentId, 45_000)
    const { status, body } = await pay({ allocations: [{ invoiceId, amountMinor: 45_000 }], amountMinor: 60_000 })
    expect([status, body.amount, body.credit, body.payerGuardianId]).toEqual([201, ils(60_000), ils(15_000), mother])
    expect((await invoice(invoiceId)).status).toBe('paid')
    expect(sums(await account(`guardians/${mother}`))).toEqual([-15_000, 0, 15_000])
    // What the student owes knows nothing of it.
    expect(sums(await account(`students/${studentId}`))).toEqual([0, 0, 0])
    expect(await eventsOf(app, school, 'payment.recorded')).toHaveLength(1)
    expect((await school.owner.get('/billing/summary')).body.collectedThisMonth).toEqual(ils(60_000))
  })

  test('without an invoice is credit of whom paidBy names, and is found among the receipts', async () => {
    const mother = await parent()
    await child([mother])
    const { body } = await pay({ amountMinor: 30_000, paidBy: { guardianId: mother }, reference: '4711' })
    expect(body).toMatchObject({
      payerGuardianId: mother,
      studentIds: [],
      amount: ils(30_000),
      credit: ils(30_000),
      reference: '4711',
      payments: [],
    })
    expect((await school.owner.get(`/receipts?q=${encodeURIComponent('Ruth Levi')}`)).body.data).toEqual([body])
    expect((await school.owner.get(`/receipts/${body.id}/pdf`)).status).toBe(200)
  })

  test('by the other parent: the receipt and the credit are theirs', async () => {
    const [mother, father] = [await parent(), await parent()]
    const invoiceId = await owes(await child([mother, father]), 10_000)
    const allocations = [{ invoiceId, amountMinor: 10_000 }]
    const { body } = await pay({ allocations, amountMinor: 12_000, paidBy: { guardianId: father } })
    expect(body.payerGuardianId).toBe(father)
    expect(sums(await account(`guardians/${father}`))).toEqual([-2000, 0, 2000])
    expect(sums(await account(`guardians/${mother}`, '?scope=family'))).toEqual([-2000, 0, 2000])
    const stranger = await pay({ allocations: [], amountMinor: 100, paidBy: { guardianId: await parent() } })
    expect(stranger.body.error.details.issues).toEqual([
      { path: ['branchId'], message: 'Must be given for a guardian without students.' },
    ])
  })

  test.each([
    [{ allocations: [] }, ['allocations']],
    [{ amountMinor: 100 }, ['paidBy']],
    [{ amountMinor: 100, paidBy: {} }, ['paidBy']],
  ])('%j is refused by name', async (body, path) => {
    const { status, body: reply } = await pay(body)
    expect([status, reply.error.details.issues[0].path]).toEqual([422, path])
  })

  test('less than what goes to the invoices, a foreign payer and somebody unknown are refused', async () => {
    const [mother, stranger] = [await parent(), await parent()]
    const studentId = await child([mother])
    const allocations = [{ invoiceId: await owes(studentId, 10_000), amountMinor: 10_000 }]
    const issue = async (more: object) => (await pay({ allocations, ...more })).body.error.details
    expect((await issue({ amountMinor: 9999 })).issues[0].message).toContain('10000')
    expect((await issue({ paidBy: { guardianId: stranger } })).issues[0].path).toEqual(['paidBy', 'guardianId'])
    expect((await issue({ paidBy: { studentId: await child() } })).issues[0].path).toEqual(['paidBy', 'studentId'])
    const nobody = '01890a5d-ac96-774b-bcce-b302099a8057'
    expect((await issue({ paidBy: { guardianId: nobody } })).path).toEqual(['paidBy'])
    expect((await pay({ amountMinor: 1, paidBy: { studentId }, branchId: nobody })).body.error.details.path).toEqual([
      'branchId',
    ])
  })
})

describe('credit', () => {
  test('pays an invoice when it is issued, in full or in part', async () => {
    const mother = await parent()
    const studentId = await child([mother])
    await pay({ amountMinor: 50_000, paidBy: { guardianId: mother } })
    const first = await invoice(await owes(studentId, 45_000))
    expect(first).toMatchObject({ status: 'paid', paid: ils(45_000), balance: ils(0), payments: [] })
    expect(first.credits).toMatchObject([{ amount: ils(45_000), reversesId: null }])
    const second = await invoice(await owes(studentId, 45_000))
    expect(second).toMatchObject({ status: 'partially_paid', paid: ils(5000), balance: ils(40_000) })
    const shown = await account(`guardians/${mother}`)
    expect(sums(shown)).toEqual([40_000, 40_000, 0])
    expect(shown.entries.data.map(({ kind, balance }: { kind: string; balance: object }) => [kind, balance])).toEqual([
      ['invoice', ils(40_000)],
      ['invoice', ils(-5000)],
      ['paid_ahead', ils(-50_000)],
    ])
    const statement = (await school.owner.get(`/students/${studentId}/statement`)).body
    expect(statement.closingBalance).toEqual(ils(40_000))
    expect(statement.entries.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      'credit',
      'credit',
      'invoice',
      'invoice',
    ])
    const events = await eventsOf(app, school, 'invoice.issued')
    expect(events.map(({ status }) => status)).toEqual(['paid', 'issued'])
  })

  test('stays where the institute does not want it applied, and pays on request, first due first', async () => {
    await school.owner.patch('/settings', { applyCredit: false })
    const mother = await parent()
    const studentId = await child([mother])
    await pay({ amountMinor: 50_000, paidBy: { guardianId: mother } })
    const late = await owes(studentId, 45_000)
    const early = (await newInvoice(world, { studentId, dueDate: '2026-03-05' })).id
    await school.owner.post(`/invoices/${early}/issue`)
    const { status, body } = await school.owner.post('/accounts/apply', { guardianId: mother })
    expect([status, body.credit]).toEqual([200, ils(0)])
    expect(body.allocations.map((one: { invoiceId: string; amount: object }) => [one.invoiceId, one.amount])).toEqual([
      [early, ils(45_000)],
      [late, ils(5000)],
    ])
    const again = await school.owner.post('/accounts/apply', { guardianId: mother })
    expect([again.status, again.body.error.details.reason]).toEqual([409, 'no_credit'])
  })

  test('of one parent pays what is named of the family, and nothing of others', async () => {
    const [mother, father] = [await parent(), await parent()]
    const studentId = await child([mother, father])
    const invoiceId = await owes(studentId, 20_000)
    await pay({ amountMinor: 50_000, paidBy: { guardianId: father } })
    const apply = (allocations: object[]) => school.owner.post('/accounts/apply', { guardianId: father, allocations })
    expect((await apply([{ invoiceId, amountMinor: 5000 }])).body.credit).toEqual(ils(45_000))
    // By itself it pays only what that parent pays.
    expect((await school.owner.post('/accounts/apply', { guardianId: father })).body.allocations).toEqual([])
    const theirs = await owes(await child(), 100_000)
    const refused = async (one: object, more: object[] = []) => (await apply([one, ...more])).body.error
    expect((await refused({ invoiceId: theirs, amountMinor: 1 })).details.issues[0].path).toEqual([
      'allocations',
      '0',
      'invoiceId',
    ])
    expect((await refused({ invoiceId, amountMinor: 15_001 })).details.reason).toBe('above_balance')
    expect((await refused({ invoiceId, amountMinor: 45_001 })).details.reason).toBe('above_credit')
    const twice = { invoiceId, amountMinor: 1 }
    expect((await refused(twice, [twice])).details.reason).toBe('invoice_named_twice')
    const draft = (await newInvoice(world, { studentId })).id
    expect((await refused({ invoiceId: draft, amountMinor: 1 })).details.reason).toBe('takes_no_payment')
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
    expect((await refused({ invoiceId: unknown, amountMinor: 1 })).code).toBe('NOT_FOUND')
  })

  test('is applied once, however many ask for it at once', async () => {
    const studentId = await child()
    const owed = await owes(studentId, 45_000)
    await pay({ amountMinor: 10_000, paidBy: { studentId } })
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => school.owner.post('/accounts/apply', { studentId })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
    expect((await invoice(owed)).paid).toEqual(ils(10_000))
  })

  test('of other currencies stands beside', async () => {
    const studentId = await child()
    await pay({ amountMinor: 10_000, currency: 'USD', paidBy: { studentId } })
    const shown = await account(`students/${studentId}`)
    expect(shown.otherCurrencies).toEqual([
      {
        currency: 'USD',
        balance: { amountMinor: -10_000, currency: 'USD' },
        owed: { amountMinor: 0, currency: 'USD' },
        credit: { amountMinor: 10_000, currency: 'USD' },
        held: { amountMinor: 0, currency: 'USD' },
      },
    ])
    expect(shown.entries.data).toEqual([])
    expect((await account(`students/${studentId}`, '?currency=USD')).entries.data).toMatchObject([
      { kind: 'paid_ahead', credit: { amountMinor: 10_000, currency: 'USD' } },
    ])
  })
})

describe('a receipt that is taken back', () => {
  test('takes its payments and its credit, and what the credit has paid since is owed again', async () => {
    const studentId = await child()
    const paid = await owes(studentId, 20_000)
    const allocations = [{ invoiceId: paid, amountMinor: 20_000 }]
    const { body: receipt } = await pay({ allocations, amountMinor: 70_000 })
    const [first, second] = [await owes(studentId, 30_000), await owes(studentId, 30_000)]
    expect([(await invoice(first)).status, (await invoice(second)).paid]).toEqual(['paid', ils(20_000)])
    const reverse = () => school.owner.post(`/receipts/${receipt.id}/reverse`, { reason: 'The cheque bounced' })
    const { status, body } = await reverse()
    // It was given for this sum, whatever became of it.
    const { cancelledAt, amount, credit } = body
    expect([status, cancelledAt, amount, credit]).toEqual([200, app.clock.now(), ils(70_000), ils(50_000)])
    for (const [id, balance] of [
      [paid, 20_000],
      [first, 30_000],
      [second, 30_000],
    ] as const) {
      expect(await invoice(id)).toMatchObject({ status: 'issued', balance: ils(balance) })
    }
    expect(sums(await account(`students/${studentId}`))).toEqual([80_000, 80_000, 0])
    const again = await reverse()
    expect([again.status, again.body.error.details.reason]).toEqual([409, 'already_reversed'])
    expect((await school.owner.get('/billing/summary')).body.collectedThisMonth).toEqual(ils(0))
  })

  test('leaves what other money paid', async () => {
    const studentId = await child()
    const { body: receipt } = await pay({ amountMinor: 10_000, paidBy: { studentId } })
    await pay({ amountMinor: 25_000, paidBy: { studentId } })
    const [first, second] = [await owes(studentId, 20_000), await owes(studentId, 5000)]
    expect(sums(await account(`students/${studentId}`))).toEqual([-10_000, 0, 10_000])
    await school.owner.post(`/receipts/${receipt.id}/reverse`, { reason: 'Wrong family' })
    expect([(await invoice(first)).status, (await invoice(second)).status]).toEqual(['paid', 'paid'])
    expect(sums(await account(`students/${studentId}`))).toEqual([0, 0, 0])
  })

  test('reversing its payments alone leaves it, as long as its credit holds', async () => {
    const studentId = await child()
    const allocations = [{ invoiceId: await owes(studentId, 20_000), amountMinor: 20_000 }]
    const { body: receipt } = await pay({ allocations, amountMinor: 30_000 })
    await school.owner.post(`/payments/${receipt.payments[0].id}/reverse`, { reason: 'Wrong invoice' })
    expect((await school.owner.get(`/receipts/${receipt.id}`)).body.cancelledAt).toBeNull()
    await school.owner.post(`/receipts/${receipt.id}/reverse`, { reason: 'Wrong family' })
    expect(sums(await account(`students/${studentId}`))).toEqual([20_000, 20_000, 0])
  })
})

test('an invoice takes the credit of its own branch first', async () => {
  const far = (await school.owner.post('/branches', { name: 'Far' })).body.id
  const mother = await parent()
  const studentId = await child([mother])
  for (const branchId of [far, school.branchId]) {
    await pay({ amountMinor: 10_000, branchId, paidBy: { guardianId: mother } })
  }
  expect((await invoice(await owes(studentId, 10_000))).status).toBe('paid')
  const creditSeenIn = async (branchId: string): Promise<number> => {
    const clerk = await school.member({ role: 'accountant', branchId })
    return (await clerk.get(`/guardians/${mother}/account`)).body.credit?.amountMinor
  }
  expect(await creditSeenIn(school.branchId)).toBe(0)
  expect((await account(`guardians/${mother}`)).credit).toEqual(ils(10_000))
})

describe('under a role for one branch', () => {
  test('only its invoices and credit count, and a receipt that reaches further is not taken back', async () => {
    const far = (await school.owner.post('/branches', { name: 'Far' })).body.id
    const mother = await parent()
    const near = await owes(await child([mother]), 10_000)
    const there = await owes(await child([mother], far), 5000)
    const clerk = await school.member({ role: 'accountant', branchId: school.branchId })
    const { body: receipt } = await pay({
      allocations: [
        { invoiceId: there, amountMinor: 5000 },
        { invoiceId: near, amountMinor: 4000 },
      ],
      amountMinor: 20_000,
    })
    const seen = (await clerk.get(`/guardians/${mother}/account`)).body
    expect(sums(seen)).toEqual([6000, 6000, 0])
    expect(seen.entries.data.map(({ kind }: { kind: string }) => kind)).toEqual(['payment', 'invoice'])
    const refused = await clerk.post(`/receipts/${receipt.id}/reverse`, { reason: 'Wrong' })
    expect([refused.status, refused.body.error.details.reason]).toEqual([409, 'receipt_reaches_further'])
    expect((await clerk.get(`/receipts/${receipt.id}`)).body).toMatchObject({ amount: ils(4000), credit: null })
  })
})

test('entries are paged, newest first, each with the balance after it', async () => {
  const studentId = await child()
  for (const amount of [100, 200, 300, 400]) await owes(studentId, amount)
  const balances = (page: { entries: { data: { balance: { amountMinor: number } }[] } }) =>
    page.entries.data.map(({ balance }) => balance.amountMinor)
  const first = await account(`students/${studentId}`, '?limit=3')
  expect(balances(first)).toEqual([1000, 600, 300])
  const cursor = encodeURIComponent(first.entries.nextCursor)
  const second = await account(`students/${studentId}`, `?limit=3&cursor=${cursor}`)
  expect([balances(second), second.entries.nextCursor]).toEqual([[100], null])
})
