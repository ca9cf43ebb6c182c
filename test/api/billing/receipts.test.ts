import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaKit } from '#db/schema-kit.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { issuedInvoice, newInvoice } from '../examples/billing.ts'
import { newPhone } from '../examples/people.ts'
import { receiptNames } from '../../../migrations/0071_receipt_names.ts'

/** Whether the process dies before the next commit, or after it and before the answer. */
let dies: 'before' | 'after' | undefined

let app: TestApp
let institute: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp({
    wrap: (database) => ({
      ...database,
      version: () => database.version(),
      write: async (work, options) => {
        const when = dies
        const done = await database.write(async (db) => {
          const result = await work(db)
          if (when === 'before') throw new Error('killed')
          return result
        }, options)
        if (when === 'after') throw new Error('killed')
        return done
      },
    }),
  })
})
afterAll(() => app.close())

const begin = async (options: Parameters<typeof makeInstitute>[1] = {}): Promise<void> => {
  institute = await makeInstitute(app, options)
  world = worldOf(app, institute)
}
beforeAll(() => begin())

const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })
const student = async (firstName: string, branchId = institute.branchId): Promise<string> =>
  (await institute.owner.post('/students', { branchId, firstName, lastName: 'Haddad' })).body.id
const guardian = async (firstName: string): Promise<string> =>
  (await institute.owner.post('/guardians', { firstName, lastName: 'Haddad', phone: newPhone() })).body.id
const payerOf = (studentId: string, guardianId: string) =>
  institute.owner.post(`/students/${studentId}/guardians`, {
    guardianId,
    relationship: 'mother',
    isPrimary: true,
    isPayer: true,
  })
const invoiceOf = (studentId: string, more: object = {}) => issuedInvoice(world, { studentId, ...more })
const to = (invoice: { id: string }, amountMinor: number) => ({ invoiceId: invoice.id, amountMinor })
const pay = (allocations: object[], more: object = {}, client = institute.owner) =>
  client.post('/payments', { allocations, currency: 'ILS', method: 'cash', ...more })
const payAlone = (invoice: { id: string }, amountMinor: number, more: object = {}) =>
  institute.owner.post(`/invoices/${invoice.id}/payments`, { ...ils(amountMinor), method: 'cash', ...more })
const reverse = (id: string) => institute.owner.post(`/payments/${id}/reverse`, { reason: 'Wrong family' })
const receipts = async (query = '', client = institute.owner) => (await client.get(`/receipts?${query}`)).body.data
const receiptOf = async (paymentId: string) =>
  (await receipts('limit=100')).find(({ payments }: { payments: { id: string }[] }) =>
    payments.some(({ id }) => id === paymentId),
  )
const serialOf = ({ number }: { number: string }): number => Number(number.slice(-6))

describe('POST /payments', () => {
  test('pays several invoices of siblings with one receipt, and records each payment', async () => {
    const [noor, lina, payer] = [await student('Noor'), await student('Lina'), await guardian('Ruth')]
    await payerOf(noor, payer)
    await payerOf(lina, payer)
    const [first, second] = [await invoiceOf(noor), await invoiceOf(lina)]
    const { status, body } = await pay([to(first, 45_000), to(second, 10_000)], { method: 'cheque', reference: '4711' })
    expect(status).toBe(201)
    const payment = (invoice: { id: string; number: string }, amountMinor: number) => ({
      id: expect.any(String),
      invoiceId: invoice.id,
      invoiceNumber: invoice.number,
      amount: ils(amountMinor),
      method: 'cheque',
      provider: 'manual',
      reference: '4711',
      reason: null,
      reversesPaymentId: null,
      receivedAt: app.clock.now(),
      receivedByUserId: institute.ownerUserId,
      createdAt: app.clock.now(),
    })
    const students = [
      { id: noor, fullName: 'Noor Haddad' },
      { id: lina, fullName: 'Lina Haddad' },
    ]
    expect(body).toEqual({
      id: expect.any(String),
      number: expect.stringMatching(/^R-2026-\d{6}$/),
      payerGuardianId: payer,
      payerName: 'Ruth Haddad',
      studentIds: [noor, lina],
      students,
      amount: ils(55_000),
      credit: null,
      method: 'cheque',
      reference: '4711',
      receivedAt: app.clock.now(),
      cancelledAt: null,
      payments: [payment(first, 45_000), payment(second, 10_000)],
      cheques: [],
    })
    expect((await institute.owner.get(`/receipts/${body.id}`)).body).toEqual(body)
    expect(await receipts()).toContainEqual(body)
    const { invoiceNumber: _, ...alone } = body.payments[1]
    expect((await institute.owner.get(`/payments/${alone.id}`)).body).toEqual(alone)
    expect((await institute.owner.get(`/invoices/${first.id}`)).body).toMatchObject({ status: 'paid', payments: [{}] })
    expect((await institute.owner.get(`/invoices/${second.id}`)).body.status).toBe('partially_paid')
    expect((await eventsOf(app, institute, 'payment.recorded')).slice(-2)).toEqual(
      body.payments.map(({ id, invoiceId, amount }: { id: string; invoiceId: string; amount: object }) => ({
        ...amount,
        paymentId: id,
        invoiceId,
        method: 'cheque',
      })),
    )
    const audited = (await auditOf(app, institute, 'payments.record-many')).slice(-2)
    expect(audited.map(({ entity_type, entity_id, metadata }) => ({ entity_type, entity_id, metadata }))).toMatchObject(
      body.payments.map(({ id }: { id: string }) => ({
        entity_type: 'payment',
        entity_id: id,
        metadata: { receipt: { id: body.id, number: body.number } },
      })),
    )
  })

  test('one student needs no payer; several without the same payer are refused', async () => {
    const [noor, lina] = [await student('Noor'), await student('Lina')]
    const [first, second, third] = [await invoiceOf(noor), await invoiceOf(noor), await invoiceOf(lina)]
    expect((await pay([to(first, 100), to(second, 100)])).body).toMatchObject({
      payerGuardianId: null,
      payerName: null,
      studentIds: [noor],
    })
    const refused = {
      status: 422,
      body: { error: { details: { reason: 'payers_differ', issues: [{ path: ['allocations'] }] } } },
    }
    const both = [to(first, 100), to(third, 100)]
    expect(await pay(both)).toMatchObject(refused)
    await payerOf(noor, await guardian('Ruth'))
    expect(await pay(both)).toMatchObject(refused)
    await payerOf(lina, await guardian('Adam'))
    expect(await pay(both)).toMatchObject(refused)
  })

  test('refuses all when one invoice does not take its part, and says which', async () => {
    const noor = await student('Noor')
    const [first, second] = [await invoiceOf(noor), await invoiceOf(noor)]
    const [draft, dollars] = [await newInvoice(world, { studentId: noor }), await invoiceOf(noor, { currency: 'USD' })]
    const gone = await invoiceOf(noor)
    await institute.owner.post(`/invoices/${gone.id}/void`, { reason: 'Twice' })
    const before = [await receipts(), await eventsOf(app, institute)]
    const issue = (reason: string, ...path: string[]) => ({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', details: { reason, issues: [{ path }] } } },
    })
    const taken = (invoice: { id: string }, status: string) => ({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { reason: 'takes_no_payment', invoiceId: invoice.id, status } } },
    })
    const cases: [object[], object][] = [
      [[to(first, 100), to(second, 45_001)], issue('above_balance', 'allocations', '1', 'amountMinor')],
      [[to(first, 100), to(first, 100)], issue('invoice_named_twice', 'allocations', '1', 'invoiceId')],
      [[to(first, 100), to(dollars, 100)], issue('currency_differs', 'currency')],
      [[to(first, 100), to(draft, 100)], taken(draft, 'draft')],
      [[to(first, 100), to(gone, 100)], taken(gone, 'void')],
      [[to(first, 100), to({ id: noor }, 100)], { status: 404, body: { error: { code: 'NOT_FOUND' } } }],
    ]
    for (const [allocations, refusal] of cases) expect(await pay(allocations)).toMatchObject(refusal)
    expect((await pay([])).status).toBe(422)
    expect((await pay(Array.from({ length: 51 }, () => to(first, 1)))).status).toBe(422)
    expect((await pay([to(first, 100)], { receivedAt: '2026-03-02T08:00:00.001Z' })).status).toBe(422)
    expect([await receipts(), await eventsOf(app, institute)]).toEqual(before)
    expect((await institute.owner.get(`/invoices/${first.id}`)).body.payments).toEqual([])
  })

  test('a lost answer: the same key gives the same receipt, and no second payment', async () => {
    const invoice = await invoiceOf(await student('Noor'))
    const body = { allocations: [to(invoice, 100)], currency: 'ILS', method: 'cash' }
    const send = () =>
      institute.owner.send('POST', '/payments', { body, headers: { 'idempotency-key': 'lost-answer' } })
    dies = 'after'
    expect((await send()).status).toBe(500)
    dies = undefined
    const [again, third] = [await send(), await send()]
    expect(again.status).toBe(201)
    expect(again.body).toEqual(third.body)
    expect((await institute.owner.get(`/invoices/${invoice.id}`)).body.payments).toHaveLength(1)
    expect(await receiptOf(again.body.payments[0].id)).toEqual(again.body)
  })

  test('invoices that two tills pay in opposite order wait for each other', async () => {
    const noor = await student('Noor')
    const [first, second] = [await invoiceOf(noor), await invoiceOf(noor)]
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        pay(n % 2 ? [to(first, 5_000), to(second, 5_000)] : [to(second, 5_000), to(first, 5_000)]),
      ),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(9)
    expect((await institute.owner.get(`/invoices/${second.id}`)).body).toMatchObject({
      status: 'paid',
      balance: ils(0),
    })
  })
})

describe('the numbers of receipts', () => {
  test('of 20 payments at once, single ones and others, are consecutive; a kill before the commit takes none', async () => {
    await begin()
    const noor = await student('Noor')
    const invoices = await Promise.all(Array.from({ length: 20 }, () => invoiceOf(noor)))
    const [spare, more] = [await invoiceOf(noor), await invoiceOf(noor)]
    const replies = await Promise.all(
      invoices.map((invoice, n) => (n % 2 ? payAlone(invoice, 100) : pay([to(invoice, 100), to(spare, 10)]))),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array<number>(20).fill(201))
    const serials = (await receipts('limit=100')).map(serialOf).toSorted((a: number, b: number) => a - b)
    expect(serials).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))

    dies = 'before'
    const killed = await Promise.all([payAlone(more, 100), pay([to(more, 100)]), payAlone(more, 100)])
    dies = undefined
    expect(killed.map(({ status }) => status)).toEqual([500, 500, 500])
    expect((await pay([to(more, 100)])).body.number).toBe('R-2026-000021')
  })

  test('go by the day of recording at the institute, whenever the money came in', async () => {
    const late = await startApp({ now: '2026-12-31T21:55:00.000Z' })
    const { owner, ...rest } = await makeInstitute(late, { timezone: 'Asia/Jerusalem' })
    const invoice = await issuedInvoice(worldOf(late, { owner, ...rest }))
    const numberOf = async (receivedAt?: string) => (await pay([to(invoice, 100)], { receivedAt }, owner)).body.number
    expect(await numberOf()).toBe('R-2026-000001')
    late.clock.advance(600)
    expect(await numberOf('2026-12-30T10:00:00Z')).toBe('R-2027-000001')
    expect(await numberOf()).toBe('R-2027-000002')
    await late.close()
  })
})

describe('a payment that is recorded by itself', () => {
  test('has a receipt too', async () => {
    const [noor, payer] = [await student('Noor'), await guardian('Ruth')]
    await payerOf(noor, payer)
    const invoice = await invoiceOf(noor)
    const { body } = await payAlone(invoice, 100)
    expect(await receiptOf(body.id)).toMatchObject({
      payerGuardianId: payer,
      payerName: 'Ruth Haddad',
      studentIds: [noor],
      amount: ils(100),
      payments: [{ ...body, invoiceNumber: invoice.number }],
    })
  })

  test('says by name why it is refused', async () => {
    const invoice = await invoiceOf(await student('Noor'))
    const reasonOf = async (amountMinor: number, more: object = {}) =>
      (await payAlone(invoice, amountMinor, more)).body.error.details.reason
    expect(await reasonOf(45_001)).toBe('above_balance')
    expect(await reasonOf(1, { currency: 'USD' })).toBe('currency_differs')
    await payAlone(invoice, 45_000)
    expect(await reasonOf(1)).toBe('takes_no_payment')
  })
})

describe('reversing', () => {
  test('the last payment of a receipt cancels it, and its number stays', async () => {
    const noor = await student('Noor')
    const { body } = await pay([to(await invoiceOf(noor), 100), to(await invoiceOf(noor), 200)])
    const [first, second] = body.payments.map(({ id }: { id: string }) => id)
    await reverse(first)
    expect((await institute.owner.get(`/receipts/${body.id}`)).body).toEqual(body)
    app.clock.advance(60)
    await reverse(second)
    const cancelled = { ...body, cancelledAt: app.clock.now() }
    expect((await institute.owner.get(`/receipts/${body.id}`)).body).toEqual(cancelled)
    expect(
      (await auditOf(app, institute, 'payments.reverse')).filter(({ entity_id: id }) => id === body.id),
    ).toMatchObject([{ entity_type: 'receipt', after: { number: body.number, cancelledAt: app.clock.now() } }])
    expect(serialOf((await pay([to(await invoiceOf(noor), 100)])).body)).toBe(serialOf(body) + 1)
  })

  test('all payments of a receipt at once cancels it', async () => {
    const noor = await student('Noor')
    const invoices = await Promise.all(Array.from({ length: 6 }, () => invoiceOf(noor)))
    const { body } = await pay(invoices.map((invoice) => to(invoice, 100)))
    const replies = await Promise.all(body.payments.map(({ id }: { id: string }) => reverse(id)))
    expect(replies.map(({ status }) => status)).toEqual(Array<number>(6).fill(201))
    expect((await institute.owner.get(`/receipts/${body.id}`)).body.cancelledAt).toBe(app.clock.now())
  })
})

describe('GET /receipts', () => {
  const numbers = async (query: string) =>
    (await receipts(query)).map(({ number }: { number: string }) => Number(number.slice(-6)))

  test('finds by number, by the names that stand on it, and by the days on which the money came in', async () => {
    await begin()
    const [noor, lina, payer] = [await student('Nóor'), await student('לינה'), await guardian('Ruth')]
    await payerOf(lina, payer)
    const [first, second] = [await invoiceOf(noor), await invoiceOf(lina)]
    await pay([to(first, 100)], { receivedAt: '2026-02-27T21:30:00Z' })
    await pay([to(first, 100)], { receivedAt: '2026-02-27T22:30:00Z' })
    await payAlone(second, 100)
    expect(await numbers('')).toEqual([3, 2, 1])
    for (const [query, found] of [
      ['q=R-2026-000002', [2]],
      ['q=2', [2]],
      ['q=2026', [3, 2, 1]],
      ['q=r-2025', []],
      ['q=noor had', [2, 1]],
      [`q=${encodeURIComponent('לינה')}`, [3]],
      ['q=ruth', [3]],
      ['q=omar', []],
      // The second came in on the 28th in Jerusalem.
      ['from=2026-02-28', [3, 2]],
      ['to=2026-02-27', [1]],
      ['from=2026-02-28&to=2026-03-01', [2]],
      ['from=2026-02-28&q=noor', [2]],
      ['from=2026-02-28&q=1', []],
    ] as const) {
      expect(await numbers(query), query).toEqual(found)
    }
    await institute.owner.patch(`/guardians/${payer}`, { firstName: 'Rivka' })
    expect(await numbers('q=rivka')).toEqual([])
    expect((await receipts('q=ruth'))[0]).toMatchObject({ payerName: 'Ruth Haddad' })
    const { body: page } = await institute.owner.get('/receipts?limit=2')
    const { body: rest } = await institute.owner.get(`/receipts?limit=2&cursor=${page.nextCursor}`)
    expect([page.data.length, rest.data.map(serialOf), rest.nextCursor]).toEqual([2, [1], null])
  })

  test('shows a member of one branch the payments of that branch alone', async () => {
    await begin()
    const north = (await institute.owner.post('/branches', { name: 'North' })).body.id
    const east = (await institute.owner.post('/branches', { name: 'East' })).body.id
    const [noor, lina, payer] = [await student('Noor'), await student('Lina', north), await guardian('Ruth')]
    await payerOf(noor, payer)
    await payerOf(lina, payer)
    const [first, second] = [await invoiceOf(noor), await invoiceOf(lina)]
    const { body } = await pay([to(first, 100), to(second, 200)])
    const permissions = ['invoices.read', 'payments.record'] as const
    const memberOf = (branchId: string) => institute.member({ permissions: [...permissions], branchId })
    const [here, there, elsewhere] = [await memberOf(institute.branchId), await memberOf(north), await memberOf(east)]
    const ofNorth = {
      ...body,
      studentIds: [lina],
      students: [{ id: lina, fullName: 'Lina Haddad' }],
      amount: ils(200),
      payments: [body.payments[1]],
    }
    expect((await there.get(`/receipts/${body.id}`)).body).toEqual(ofNorth)
    expect(await receipts('q=haddad', there)).toEqual([ofNorth])
    // Whom the other payments are for cannot be guessed by searching for them.
    const found = async (member: TestMember) =>
      Promise.all(['noor', 'lina', 'ruth', 'lina%20ruth', 'noor%20lina'].map((q) => receipts(`q=${q}`, member)))
    expect((await found(there)).map(({ length }) => length)).toEqual([0, 1, 1, 1, 0])
    expect((await found(here)).map(({ length }) => length)).toEqual([1, 0, 1, 0, 0])
    expect((await receipts('q=noor%20lina')).length).toBe(1)
    // Receipts from before names stood with each payment are found by the same.
    await app.app.database.write(async (db) => {
      await db.schema.alterTable('receipt_payment').dropColumn('search_text').execute()
      await receiptNames.up(db as never, schemaKit(app.app.database.engine))
    })
    expect((await found(there)).map(({ length }) => length)).toEqual([0, 1, 1, 1, 0])
    expect((await found(here)).map(({ length }) => length)).toEqual([1, 0, 1, 0, 0])
    expect(await receipts('', here)).toMatchObject([{ id: body.id, amount: ils(100) }])
    expect([await receipts('', elsewhere), (await elsewhere.get(`/receipts/${body.id}`)).status]).toEqual([[], 404])
    // Nor is an invoice of another branch paid.
    expect((await pay([to(first, 100), to(second, 100)], {}, there)).status).toBe(404)
  })
})
