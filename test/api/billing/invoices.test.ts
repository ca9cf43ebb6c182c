import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { sweepOverdueJob } from '#modules/billing/sweep.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { issuedInvoice, newInvoice } from '../examples/billing.ts'
import { newStudent, reachedStudent } from '../examples/people.ts'

let app: TestApp
let institute: TestInstitute
let world: World
let studentId: string

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
  studentId = await newStudent(world)
})
afterAll(() => app.close())

const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })
const line = { description: 'Tuition', unitAmountMinor: 10_000 }
const draft = (more: object = {}) => ({ studentId, lines: [line], dueDate: '2026-03-20', ...more })

describe('invoices', () => {
  test('POST makes a draft with its number, amounts per line, and sums that add up', async () => {
    const fresh = worldOf(await makeInstitute(app))
    const student = await newStudent(fresh)
    const { status, body } = await fresh.owner.post('/invoices', {
      studentId: student,
      lines: [
        { description: ' March ', quantity: 2, unitAmountMinor: 25_000, discountMinor: 5_000, taxRatePercent: 17.5 },
        { description: 'Book', unitAmountMinor: 99 },
      ],
      dueDate: '2026-03-20',
      notes: '',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      branchId: fresh.branchId,
      number: 'INV-2026-000001',
      studentId: student,
      status: 'draft',
      issueDate: '2026-03-02',
      dueDate: '2026-03-20',
      subtotal: ils(50_099),
      discount: ils(5_000),
      tax: ils(7_875),
      total: ils(52_974),
      paid: ils(0),
      credited: ils(0),
      footer: null,
      balance: ils(52_974),
      payerGuardianId: null,
      payerName: null,
      lines: [
        {
          id: expect.any(String),
          description: 'March',
          quantity: 2,
          unitAmount: ils(25_000),
          discount: ils(5_000),
          taxRatePercent: 17.5,
          tax: ils(7_875),
          total: ils(52_875),
          feeScheduleId: null,
          enrollmentId: null,
          courseEnrollmentId: null,
          siblingPlace: null,
        },
        expect.objectContaining({ description: 'Book', quantity: 1, total: ils(99) }),
      ],
      payments: [],
      replaced: [],
      credits: [],
      notes: null,
      voidReason: null,
      version: 1,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    expect((await fresh.owner.get(`/invoices/${body.id}`)).body).toEqual(body)
    expect((await auditOf(app, fresh.institute, 'invoices.create'))[0]).toMatchObject({
      entity_type: 'invoice',
      entity_id: body.id,
    })
  })

  test('without a due date it is due as many days after its issue date as the settings say', async () => {
    const fresh = worldOf(await makeInstitute(app))
    const body = { studentId: await newStudent(fresh), lines: [line] }
    const dueOf = async (more: object = {}) => (await fresh.owner.post('/invoices', { ...body, ...more })).body.dueDate
    expect(await dueOf()).toBe('2026-03-16')
    await fresh.owner.patch('/settings', { invoiceDueDays: 30 })
    expect(await dueOf()).toBe('2026-04-01')
    expect(await dueOf({ issueDate: '2026-01-31' })).toBe('2026-03-02')
    expect(await dueOf({ dueDate: '2026-03-05' })).toBe('2026-03-05')
  })

  test('40 concurrent creates get 40 consecutive numbers, separately for each year', async () => {
    const fresh = worldOf(await makeInstitute(app))
    const student = await newStudent(fresh)
    const body = { studentId: student, lines: [line], dueDate: '2026-04-01' }
    const replies = await Promise.all(Array.from({ length: 40 }, () => fresh.owner.post('/invoices', body)))
    expect(replies.map((reply) => reply.body.number).toSorted()).toEqual(
      Array.from({ length: 40 }, (_, index) => `INV-2026-${String(index + 1).padStart(6, '0')}`),
    )
    const { body: older } = await fresh.owner.post('/invoices', {
      ...body,
      issueDate: '2025-12-31',
      closedYear: true,
    })
    expect(older.number).toBe('INV-2025-000001')
  })

  test('goes into a year that is over only by an owner who says so', async () => {
    const fresh = await makeInstitute(app)
    const body = {
      studentId: await newStudent(worldOf(fresh)),
      lines: [line],
      dueDate: '2026-04-01',
      issueDate: '2025-12-31',
    }
    const slip = await fresh.owner.post('/invoices', body)
    expect(slip).toMatchObject({ status: 409, body: { error: { details: { reason: 'closed_year' } } } })
    const accountant = await fresh.member({ role: 'accountant' })
    const meant = { ...body, closedYear: true }
    const { status, body: refused } = await accountant.post('/invoices', meant)
    expect([status, refused.error.details]).toEqual([403, { reason: 'owner_only' }])
    expect((await fresh.owner.post('/invoices', meant)).body.number).toBe('INV-2025-000001')
    expect((await accountant.post('/invoices', { ...meant, issueDate: '2026-01-01' })).status).toBe(201)
  })

  test.each([
    ['no line', { lines: [] }, ['lines']],
    ['a line without a price', { lines: [{ description: 'x' }] }, ['lines', '0', 'unitAmountMinor']],
    [
      'a discount above its line',
      { lines: [line, { ...line, discountMinor: 10_001 }] },
      ['lines', '1', 'discountMinor'],
    ],
    ['a negative price', { lines: [{ ...line, unitAmountMinor: -1 }] }, ['lines', '0', 'unitAmountMinor']],
    ['a part of a minor unit', { lines: [{ ...line, unitAmountMinor: 0.5 }] }, ['lines', '0', 'unitAmountMinor']],
    ['a total above 10^12', { lines: [{ ...line, unitAmountMinor: 1e12, quantity: 2 }] }, ['lines']],
    ['a date that does not exist', { dueDate: '2026-02-30' }, ['dueDate']],
    ['another currency than ILS, USD, EUR', { currency: 'GBP' }, ['currency']],
  ])('%s is 422 at its field', async (_, wrong, path) => {
    const refused = await institute.owner.post('/invoices', draft(wrong))
    expect(refused.status).toBe(422)
    expect(refused.body.error.details.issues[0].path).toEqual(path)
  })

  test('a student, fee schedule or enrollment that does not exist is 404', async () => {
    const nobody = '0198c0de-0000-7000-8000-000000000000'
    for (const wrong of [
      { studentId: nobody },
      { lines: [{ ...line, feeScheduleId: nobody }] },
      { lines: [{ ...line, enrollmentId: nobody }] },
    ]) {
      expect((await institute.owner.post('/invoices', draft(wrong))).status).toBe(404)
    }
  })

  test('a refused invoice takes no number', async () => {
    const fresh = worldOf(await makeInstitute(app))
    const student = await newStudent(fresh)
    await fresh.owner.post('/invoices', {
      studentId: student,
      lines: [{ ...line, discountMinor: 10_001 }],
      dueDate: '2026-04-01',
    })
    const { body } = await fresh.owner.post('/invoices', { studentId: student, lines: [line], dueDate: '2026-04-01' })
    expect(body.number).toBe('INV-2026-000001')
  })

  test('PATCH changes a draft, keeps its year and raises its version', async () => {
    const { body } = await institute.owner.post('/invoices', draft())
    const changed = await institute.owner.patch(`/invoices/${body.id}`, {
      lines: [{ ...line, unitAmountMinor: 20_000 }],
      issueDate: '2026-01-15',
      version: 1,
    })
    expect(changed.body).toMatchObject({ number: body.number, total: ils(20_000), issueDate: '2026-01-15', version: 2 })
    const stale = await institute.owner.patch(`/invoices/${body.id}`, { notes: 'x', version: 1 })
    expect(stale.body.error).toMatchObject({ code: 'VERSION_CONFLICT', details: { expected: 1, current: 2 } })
    expect((await institute.owner.patch(`/invoices/${body.id}`, { issueDate: '2027-01-01' })).status).toBe(422)
    const cut = await institute.owner.patch(`/invoices/${body.id}`, { lines: [{ ...line, discountMinor: 10_001 }] })
    expect(cut.status).toBe(422)
  })

  test('PATCH with other lines of the same total is a change; with the same lines it is none', async () => {
    const { body } = await institute.owner.post('/invoices', draft())
    const patch = (lines: unknown[]) => institute.owner.patch(`/invoices/${body.id}`, { lines })
    expect((await patch([line])).body).toEqual(body)
    app.clock.advance(1)
    const { body: renamed } = await patch([{ ...line, description: 'Tuition of March' }])
    expect(renamed).toMatchObject({ lines: [{ description: 'Tuition of March' }], total: body.total, version: 2 })
    expect(renamed.updatedAt).toBe(app.clock.now())
    for (const unknown of ['feeScheduleId', 'courseEnrollmentId', 'enrollmentId']) {
      expect((await patch([{ ...line, description: 'Tuition of March', [unknown]: newId() }])).status).toBe(404)
    }
    expect((await institute.owner.get(`/invoices/${body.id}`)).body).toEqual(renamed)
  })

  test('issue: draft → issued with its event; only a draft can be issued or changed (409)', async () => {
    const invoice = await newInvoice(world)
    const issued = await institute.owner.post(`/invoices/${invoice.id}/issue`)
    expect(issued).toMatchObject({ status: 200, body: { id: invoice.id, status: 'issued', version: 2 } })
    expect((await eventsOf(app, institute, 'invoice.issued')).at(-1)).toEqual({
      invoiceId: invoice.id,
      studentId: invoice.studentId,
      number: invoice.number,
      totalMinor: 45_000,
      currency: 'ILS',
      dueDate: '2026-03-20',
      status: 'issued',
    })
    expect((await institute.owner.post(`/invoices/${invoice.id}/issue`)).status).toBe(409)
    expect((await institute.owner.patch(`/invoices/${invoice.id}`, { notes: 'x' })).status).toBe(409)
  })

  test('an invoice of 0 is paid as soon as it is issued', async () => {
    const free = await newInvoice(world, { lines: [{ ...line, discountMinor: 10_000 }] })
    expect((await institute.owner.post(`/invoices/${free.id}/issue`)).body.status).toBe('paid')
    expect((await eventsOf(app, institute, 'invoice.issued')).at(-1)).toMatchObject({
      invoiceId: free.id,
      status: 'paid',
    })
  })

  test('the footer is the setting of now on a draft and on statements, and that of the issue on an issued invoice', async () => {
    const fresh = worldOf(await makeInstitute(app))
    const { owner } = fresh
    const student = await newStudent(fresh)
    const set = (invoiceFooter: string | null) => owner.patch('/settings', { invoiceFooter })
    const make = async () => (await owner.post('/invoices', { ...draft(), studentId: student })).body.id as string
    const footers = async () => {
      const listed = async (path: string) =>
        (await owner.get(path)).body.data as { id: string; footer: string | null }[]
      const [all, ofStudent] = [await listed('/invoices'), await listed(`/students/${student}/invoices`)]
      expect(ofStudent).toEqual(all)
      for (const { id, footer } of all) expect((await owner.get(`/invoices/${id}`)).body.footer).toBe(footer)
      return all.map(({ footer }) => footer)
    }
    const without = await make()
    expect((await owner.post(`/invoices/${without}/issue`)).body.footer).toBeNull()
    await set('Bank 12, account 345')
    const withOne = await make()
    expect((await owner.post(`/invoices/${withOne}/issue`)).body.footer).toBe('Bank 12, account 345')
    await make()
    await set('Bank 99, account 1')
    expect(await footers()).toEqual(['Bank 99, account 1', 'Bank 12, account 345', null])
    expect((await owner.get(`/students/${student}/statement`)).body.footer).toBe('Bank 99, account 1')

    // As if it had been issued before footers were kept.
    await app.app.database.schema.updateTable('invoice').set({ footer: null }).where('id', '=', withOne).execute()
    expect(await footers()).toEqual(['Bank 99, account 1', 'Bank 99, account 1', null])
    await set(null)
    expect(await footers()).toEqual([null, null, null])
  })

  test('void keeps the reason; 409 when it is void or anything is paid', async () => {
    const invoice = await issuedInvoice(world)
    const voided = await institute.owner.post(`/invoices/${invoice.id}/void`, { reason: 'Entered twice' })
    expect(voided.body).toMatchObject({ status: 'void', voidReason: 'Entered twice', balance: ils(0) })
    expect((await institute.owner.post(`/invoices/${invoice.id}/void`, { reason: 'again' })).status).toBe(409)
    const paid = await issuedInvoice(world)
    await institute.owner.post(`/invoices/${paid.id}/payments`, { amountMinor: 1, currency: 'ILS', method: 'cash' })
    expect((await institute.owner.post(`/invoices/${paid.id}/void`, { reason: 'no' })).status).toBe(409)
  })

  test('an invoice of 0, which counts as paid without a payment, can be voided; one that was paid cannot', async () => {
    const free = await newInvoice(world, { lines: [{ ...line, discountMinor: 10_000 }] })
    await institute.owner.post(`/invoices/${free.id}/issue`)
    const voided = await institute.owner.post(`/invoices/${free.id}/void`, { reason: 'Not theirs' })
    expect(voided).toMatchObject({ status: 200, body: { status: 'void', voidReason: 'Not theirs', balance: ils(0) } })
    expect((await institute.owner.post(`/invoices/${free.id}/void`, { reason: 'again' })).status).toBe(409)
    const paid = await issuedInvoice(world)
    await institute.owner.post(`/invoices/${paid.id}/payments`, { ...paid.total, method: 'cash' })
    expect((await institute.owner.get(`/invoices/${paid.id}`)).body.status).toBe('paid')
    expect((await institute.owner.post(`/invoices/${paid.id}/void`, { reason: 'no' })).status).toBe(409)
  })

  test('remind records invoice.reminder_requested for an open invoice, else 409', async () => {
    const invoice = await newInvoice(world, { studentId: await reachedStudent(world) })
    expect((await institute.owner.post(`/invoices/${invoice.id}/remind`)).status).toBe(409)
    await institute.owner.post(`/invoices/${invoice.id}/issue`)
    expect((await institute.owner.post(`/invoices/${invoice.id}/remind`)).body).toEqual({ ok: true })
    expect(await eventsOf(app, institute, 'invoice.reminder_requested')).toEqual([
      {
        invoiceId: invoice.id,
        studentId: invoice.studentId,
        number: invoice.number,
        totalMinor: 45_000,
        paidMinor: 0,
        currency: 'ILS',
        dueDate: '2026-03-20',
      },
    ])
  })

  test('the list filters by status; overdue=true equals status=overdue; a student’s invoices have their own list', async () => {
    const fresh = worldOf(await makeInstitute(app))
    const issued = await issuedInvoice(fresh)
    const drafted = await newInvoice(fresh)
    const ids = async (path: string) =>
      (await fresh.owner.get(path)).body.data.map((invoice: { id: string }) => invoice.id)
    expect(await ids('/invoices')).toEqual([drafted.id, issued.id])
    expect(await ids('/invoices?status=issued')).toEqual([issued.id])
    expect(await ids('/invoices?overdue=true')).toEqual([])
    expect(await ids(`/students/${drafted.studentId}/invoices`)).toEqual([drafted.id])
    const { body } = await fresh.owner.get('/invoices?limit=1')
    const next = await fresh.owner.get(`/invoices?limit=1&cursor=${body.nextCursor}`)
    expect(next.body).toMatchObject({ data: [{ id: issued.id }], nextCursor: null })
    expect((await fresh.owner.get(`/payments?cursor=${body.nextCursor}`)).status).toBe(422)
    expect((await fresh.owner.get(`/invoices?cursor=${body.nextCursor}x`)).status).toBe(422)
  })

  test('the sweep marks invoices past their due date in the institute’s time zone as overdue, with one event each', async () => {
    const own = await startApp({ now: '2026-03-20T21:30:00.000Z', config: { accessTokenSeconds: 86_400 } })
    try {
      const far = await makeInstitute(own, { timezone: 'America/New_York', currency: 'USD' })
      const near = await makeInstitute(own)
      const invoiceOf = async (of: TestInstitute) => {
        const place: World = { app: own, institute: of, owner: of.owner, branchId: of.branchId, serial: Math.random() }
        return issuedInvoice(place)
      }
      const here = await invoiceOf(near)
      const there = await invoiceOf(far)
      const sweep = async () => {
        const { runInTransaction } = await import('#runtime/change/transaction.ts')
        const { systemAuditContext } = await import('#runtime/change/audit-context.ts')
        await runInTransaction(own.app.runtime, systemAuditContext('test'), async (unit) => {
          unit.system().enqueue(sweepOverdueJob, {})
          unit.system().enqueue(sweepOverdueJob, {}, { lane: 'second' })
        })
        await own.drain()
      }
      await sweep()
      expect((await near.owner.get(`/invoices/${here.id}`)).body.status).toBe('issued')
      // Half past midnight on the 21st in Jerusalem, still the 20th in New York.
      own.clock.set('2026-03-20T22:30:00.000Z')
      await sweep()
      await sweep()
      expect((await near.owner.get(`/invoices/${here.id}`)).body).toMatchObject({ status: 'overdue', version: 3 })
      expect((await far.owner.get(`/invoices/${there.id}`)).body.status).toBe('issued')
      expect(await eventsOf(own, near, 'invoice.overdue')).toEqual([
        {
          invoiceId: here.id,
          studentId: here.studentId,
          number: here.number,
          totalMinor: 45_000,
          paidMinor: 0,
          currency: 'ILS',
          dueDate: '2026-03-20',
        },
      ])
      expect(await eventsOf(own, far, 'invoice.overdue')).toEqual([])
      expect((await near.owner.get('/invoices?overdue=true')).body.data).toHaveLength(1)
      const pay = (amountMinor: number) =>
        near.owner.post(`/invoices/${here.id}/payments`, { amountMinor, currency: 'ILS', method: 'cash' })
      const first = await pay(5_000)
      expect((await near.owner.get(`/invoices/${here.id}`)).body.status).toBe('overdue')
      await pay(40_000)
      expect((await near.owner.get(`/invoices/${here.id}`)).body.status).toBe('paid')
      await near.owner.post(`/payments/${first.body.id}/reverse`, { reason: 'bounced' })
      expect((await near.owner.get(`/invoices/${here.id}`)).body.status).toBe('overdue')
    } finally {
      await own.close()
    }
  })
})
