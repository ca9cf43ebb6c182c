import { describe, expect, test } from 'vitest'
import { becomeDue, sweepChequesJob } from '#modules/billing/cheques/due.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { eventsOf } from '#kit/records.ts'
import { issuedInvoice } from '../examples/billing.ts'
import { aCheque } from '../examples/cheques.ts'
import { chequeDesk, ils, reasonOf } from './cheque-desk.ts'

const desk = chequeDesk()
const { owes, take, invoice, cheque, account, did, sweepOn, enqueue } = desk

describe('cheques that are taken', () => {
  test('stand on one receipt with their days, are held, and are payments of it on their day', async () => {
    const [first, second] = [await owes(45_000), await owes(45_000, { dueDate: '2026-03-20' })]
    const { status, body } = await take(
      [aCheque({ amountMinor: 45_000, dueOn: '2026-05-10' }), aCheque({ amountMinor: 45_000, dueOn: '2026-04-10' })],
      {
        allocations: [
          { invoiceId: first, amountMinor: 45_000 },
          { invoiceId: second, amountMinor: 45_000 },
        ],
      },
    )
    expect([status, body.method, body.amount, body.payments, body.payerGuardianId]).toEqual([
      201,
      'cheque',
      ils(90_000),
      [],
      desk.mother,
    ])
    expect(body.cheques.map((one: { dueOn: string; status: string }) => [one.dueOn, one.status])).toEqual([
      ['2026-04-10', 'held'],
      ['2026-05-10', 'held'],
    ])
    expect(await account()).toEqual([90_000, 90_000, 0, 90_000])
    expect((await desk.school.owner.get(`/students/${desk.studentId}/statement`)).body).toMatchObject({
      closingBalance: ils(90_000),
      held: ils(90_000),
    })
    expect((await desk.school.owner.get('/billing/summary')).body.collectedThisMonth).toEqual(ils(0))
    await sweepOn('2026-04-09')
    // Past its day, and not overdue: cheques are held for it.
    expect([await invoice(first), await invoice(second)]).toEqual([
      ['issued', 0, 45_000],
      ['issued', 0, 45_000],
    ])
    expect(await eventsOf(desk.app, desk.school, 'invoice.overdue')).toEqual([])
    await sweepOn('2026-04-10')
    expect([await invoice(first), await invoice(second)]).toEqual([
      ['paid', 45_000, 0],
      ['issued', 0, 45_000],
    ])
    const receipt = (await desk.school.owner.get(`/receipts/${body.id}`)).body
    expect(receipt.amount).toEqual(ils(90_000))
    expect(receipt.payments).toMatchObject([
      { invoiceId: first, amount: ils(45_000), method: 'cheque', receivedAt: '2026-04-09T21:00:00.000Z' },
    ])
    expect(await account()).toEqual([45_000, 45_000, 0, 45_000])
    // A sweep that runs again, and two at once, find nothing more to do.
    await enqueue(sweepChequesJob)
    await enqueue(sweepChequesJob)
    await desk.app.drain()
    expect(await eventsOf(desk.app, desk.school, 'payment.recorded')).toHaveLength(1)
    await sweepOn('2026-05-12')
    expect(await invoice(second)).toEqual(['paid', 45_000, 0])
    expect((await desk.school.owner.get('/billing/summary')).body.collectedThisMonth).toEqual(ils(45_000))
  })

  test('of today and of earlier days are payments at once', async () => {
    const id = await owes(30_000)
    const { body } = await take([aCheque({ dueOn: '2026-03-02' }), aCheque({ dueOn: '2026-02-01' })], {
      allocations: [{ invoiceId: id, amountMinor: 15_000 }],
    })
    expect(body.cheques.map((one: { status: string }) => one.status)).toEqual(['due', 'due'])
    // What is for no invoice pays what is owed.
    expect(await invoice(id)).toEqual(['partially_paid', 20_000, 10_000])
  })

  test('that are for no invoice cover what is issued after them, and what is left is credit', async () => {
    await take([aCheque({ amountMinor: 50_000, dueOn: '2026-04-10' })])
    const id = await owes(45_000, { dueDate: '2026-03-20' })
    await sweepOn('2026-04-09')
    expect(await invoice(id)).toEqual(['issued', 0, 45_000])
    await sweepOn('2026-04-10')
    expect(await invoice(id)).toEqual(['paid', 45_000, 0])
    expect(await account()).toEqual([-5000, 0, 5000, 0])
  })

  test('keep an overdue invoice from being so, until they are given back', async () => {
    const id = await owes(45_000, { dueDate: '2026-03-20' })
    await sweepOn('2026-03-25')
    expect(await invoice(id)).toEqual(['overdue', 0, 45_000])
    const { body } = await take([aCheque({ amountMinor: 45_000, dueOn: '2026-04-10' })], {
      allocations: [{ invoiceId: id, amountMinor: 45_000 }],
    })
    expect(await invoice(id)).toEqual(['issued', 0, 45_000])
    // Nobody is reminded of it.
    expect(reasonOf(await desk.school.owner.post(`/invoices/${id}/remind`))).toEqual([409, 'not_open'])
    expect((await did(body.cheques[0].id, 'return', {})).body.status).toBe('returned')
    expect((await desk.school.owner.get(`/receipts/${body.id}`)).body.cancelledAt).not.toBeNull()
    await sweepOn('2026-03-26')
    expect(await invoice(id)).toEqual(['overdue', 0, 45_000])
    expect(await account()).toEqual([45_000, 45_000, 0, 0])
  })

  test('pay what is still owed: what was paid otherwise meanwhile is credit', async () => {
    const id = await owes(45_000)
    await take([aCheque({ amountMinor: 45_000, dueOn: '2026-04-10' })], {
      allocations: [{ invoiceId: id, amountMinor: 45_000 }],
    })
    const cash = { currency: 'ILS', method: 'cash', allocations: [{ invoiceId: id, amountMinor: 40_000 }] }
    expect((await desk.school.owner.post('/payments', cash)).status).toBe(201)
    await sweepOn('2026-04-10')
    expect(await invoice(id)).toEqual(['paid', 45_000, 0])
    expect(await account()).toEqual([-40_000, 0, 40_000, 0])
  })

  test('of a sweep that dies on the way are as they were, and of two at once one does it', async () => {
    const invoiceId = await owes(45_000)
    const body = await take([aCheque({ amountMinor: 50_000, dueOn: '2026-04-10' })], {
      allocations: [{ invoiceId, amountMinor: 45_000 }],
    })
    const id: string = body.body.cheques[0].id
    desk.app.clock.set('2026-04-10T10:00:00.000Z')
    const falls = (isKilled: boolean) =>
      runInTransaction(desk.app.app.runtime, systemAuditContext('test'), async (unit) => {
        const system = unit.system()
        const tenant = (await findTenant(system.db, desk.school.tenant.id)) as TenantInfo
        const isDone = await becomeDue(system.inTenant(tenant), id, '2026-04-09T21:00:00.000Z')
        if (isKilled) throw new Error('killed')
        return isDone
      })
    await expect(falls(true)).rejects.toThrow('killed')
    expect((await cheque(id)).status).toBe('held')
    expect([await invoice(invoiceId), await account()]).toEqual([
      ['issued', 0, 45_000],
      [45_000, 45_000, 0, 50_000],
    ])
    expect((await Promise.all([falls(false), falls(false)])).toSorted()).toEqual([false, true])
    expect([await invoice(invoiceId), await account()]).toEqual([
      ['paid', 45_000, 0],
      [-5000, 0, 5000, 0],
    ])
    expect(await eventsOf(desk.app, desk.school, 'payment.recorded')).toHaveLength(1)
  })

  test('are refused by name, and nothing of them is kept', async () => {
    const id = await owes(45_000)
    const one = aCheque({ dueOn: '2026-04-10' })
    const to = (amountMinor: number, invoiceId = id) => ({ allocations: [{ invoiceId, amountMinor }] })
    const refused = async (cheques: object[], more: object = {}) => reasonOf(await take(cheques, more))
    expect(await refused([one, { ...one, number: `00 ${one.number}` }])).toEqual([422, 'cheque_named_twice'])
    expect(await refused([aCheque({ dueOn: '2025-09-02' })])).toEqual([422, 'cheque_stale'])
    expect(await refused([aCheque({ dueOn: '2036-03-02' })])).toEqual([422, undefined])
    expect(await refused([one], to(10_001))).toEqual([422, 'allocations_above_cheques'])
    expect(await refused(Array.from({ length: 61 }, () => aCheque()))).toEqual([422, undefined])
    expect(await refused([{ ...one, amountMinor: 100_000 }], to(45_001))).toEqual([422, 'above_balance'])
    expect(await refused([one], { allocations: [...to(1).allocations, ...to(1).allocations] })).toEqual([
      422,
      'invoice_named_twice',
    ])
    expect(await refused([one], { ...to(1), currency: 'USD' })).toEqual([422, 'currency_differs'])
    const draft = (
      await desk.school.owner.post('/invoices', {
        studentId: desk.studentId,
        lines: [{ description: 'x', unitAmountMinor: 1 }],
      })
    ).body.id
    expect(await refused([one], to(1, draft))).toEqual([409, 'takes_no_payment'])
    const stranger = await issuedInvoice(desk.world)
    expect(
      reasonOf(
        await take([one], {
          paidBy: undefined,
          allocations: [...to(1).allocations, ...to(1, stranger.id).allocations],
        }),
      ),
    ).toEqual([422, 'payers_differ'])
    expect((await take([one], { paidBy: undefined })).status).toBe(422)
    expect((await take([one], { paidBy: { guardianId: crypto.randomUUID() } })).status).toBe(404)
    expect((await desk.school.owner.get('/cheques')).body.data).toEqual([])
    expect((await desk.school.owner.get('/receipts')).body.data).toEqual([])
    // The same sheet, typed with other signs and digits.
    expect((await take([one])).body.number).toBe('R-2026-000001')
    expect(await refused([aCheque(), { ...one, branch: '0345', account: '67-8901' }])).toEqual([422, 'cheque_known'])
    expect((await take([{ ...aCheque({ dueOn: '2026-04-10' }), bank: '١٢' }])).body.cheques[0].bank).toBe('12')
    // What is held for an invoice is not held for it twice.
    await take([aCheque({ amountMinor: 45_000, dueOn: '2026-04-10' })], to(45_000))
    expect(await refused([aCheque({ dueOn: '2026-04-10' })], to(1))).toEqual([422, 'above_balance'])
  })

  test('of which one is known already are not taken: the database decides between two at once', async () => {
    const one = aCheque({ dueOn: '2026-04-10' })
    const both = await Promise.all([take([one]), take([one])])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422])
    expect((await desk.school.owner.get('/cheques')).body.data).toHaveLength(1)
  })

  test('cashed today stand among the cheques as due', async () => {
    const id = await owes(45_000)
    const details = { bank: '12', branch: '345', account: '678901', number: '77' }
    const body = {
      currency: 'ILS',
      method: 'cheque',
      allocations: [{ invoiceId: id, amountMinor: 45_000 }],
      cheque: details,
    }
    const paid = await desk.school.owner.post('/payments', body)
    expect(paid.body).toMatchObject({
      amount: ils(45_000),
      reference: '77',
      cheques: [{ ...details, status: 'due', dueOn: '2026-03-02' }],
    })
    expect((await desk.school.owner.get('/cheques?status=due')).body.data).toMatchObject([
      { payerName: 'Ruth Levi', receiptId: paid.body.id },
    ])
    expect((await desk.school.owner.post('/payments', { ...body, method: 'cash' })).status).toBe(422)
    const other = { invoiceId: await owes(100), amountMinor: 100 }
    expect(reasonOf(await desk.school.owner.post('/payments', { ...body, allocations: [other] }))).toEqual([
      422,
      'cheque_known',
    ])
    // Neither the payment nor the receipt is taken back as if it were cash.
    const reason = { reason: 'Wrong' }
    expect(reasonOf(await desk.school.owner.post(`/payments/${paid.body.payments[0].id}/reverse`, reason))).toEqual([
      409,
      'paid_by_cheque',
    ])
    expect(reasonOf(await desk.school.owner.post(`/receipts/${paid.body.id}/reverse`, reason))).toEqual([
      409,
      'paid_by_cheque',
    ])
  })
})

test('cheques are found by state, day, whose they are and words', async () => {
  const id = await owes(45_000)
  await take([aCheque({ dueOn: '2026-04-10' }), aCheque({ dueOn: '2026-05-10' })], {
    allocations: [{ invoiceId: id, amountMinor: 10_000 }],
  })
  const [due] = (await take([aCheque()])).body.cheques
  const found = async (query: string) =>
    (await desk.school.owner.get(`/cheques?${query}`)).body.data.map(({ dueOn }: { dueOn: string }) => dueOn)
  expect(await found('')).toEqual(['2026-03-02', '2026-04-10', '2026-05-10'])
  expect(await found('status=held')).toEqual(['2026-04-10', '2026-05-10'])
  expect(await found('dueFrom=2026-04-01&dueTo=2026-04-30')).toEqual(['2026-04-10'])
  expect(await found(`guardianId=${desk.mother}&status=due`)).toEqual(['2026-03-02'])
  expect(await found(`studentId=${desk.studentId}`)).toEqual(['2026-04-10'])
  expect(await found(`q=${due.number}`)).toEqual(['2026-03-02'])
  expect(await found('q=ruth%20levi')).toHaveLength(3)
  expect(await found(`branchId=${desk.school.branchId}&q=nobody`)).toEqual([])
})

test('the database refuses to change what is written on a cheque, and to delete it', async () => {
  await take([aCheque({ dueOn: '2026-04-10' })])
  const { write } = desk.app.app.database
  const refused = expect.objectContaining({ message: expect.stringContaining('append-only') as unknown })
  await expect(
    write((db) =>
      db
        .updateTable('cheque')
        .set({ amount_minor: 1 } as never)
        .execute(),
    ),
  ).rejects.toEqual(refused)
  await expect(write((db) => db.deleteFrom('cheque').execute())).rejects.toEqual(refused)
})
