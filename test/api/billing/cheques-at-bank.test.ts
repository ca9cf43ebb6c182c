import { describe, expect, test } from 'vitest'
import { eventsOf } from '#kit/records.ts'
import { aCheque } from '../examples/cheques.ts'
import { chequeDesk, ils, reasonOf } from './cheque-desk.ts'

const desk = chequeDesk()
const { owes, take, invoice, cheque, account, did } = desk

describe('a cheque that bounces', () => {
  const due = async (amountMinor = 45_000) => {
    const id = await owes(45_000, { dueDate: '2026-03-20' })
    const { body } = await take([aCheque({ amountMinor })], { allocations: [{ invoiceId: id, amountMinor: 45_000 }] })
    return { invoiceId: id, chequeId: body.cheques[0].id as string, receiptId: body.id as string }
  }

  test('is owed again with its credit, costs a fee, and is told to the payer and the desk', async () => {
    const { invoiceId, chequeId, receiptId } = await due(50_000)
    expect(await account()).toEqual([-5000, 0, 5000, 0])
    const { status, body } = await did(chequeId, 'bounce', { reason: 'No cover', feeMinor: 3000 })
    expect([status, body.status, body.reason]).toEqual([200, 'bounced', 'No cover'])
    expect(await invoice(invoiceId)).toEqual(['issued', 0, 45_000])
    expect(await account()).toEqual([45_000, 45_000, 0, 0])
    const fee = (await desk.school.owner.get(`/invoices/${body.feeInvoiceId}`)).body
    expect([fee.status, fee.studentId, fee.total, fee.lines.length]).toEqual(['draft', desk.studentId, ils(3000), 1])
    expect((await desk.school.owner.get(`/receipts/${receiptId}`)).body.cancelledAt).not.toBeNull()
    expect(await eventsOf(desk.app, desk.school, 'cheque.bounced')).toEqual([
      {
        chequeId,
        receiptId,
        number: body.number,
        amountMinor: 50_000,
        currency: 'ILS',
        dueOn: '2026-03-02',
        reason: 'No cover',
      },
    ])
    expect((await desk.school.owner.get('/dashboard/attention')).body).toMatchObject({
      chequesBounced: { count: 1, amount: ils(50_000) },
      chequesDue: { count: 0 },
      chequesComing: { count: 0 },
    })
    const held = [aCheque({ dueOn: '2026-03-08' }), aCheque({ dueOn: '2026-03-09' })]
    expect((await take(held)).status).toBe(201)
    // Of the seven days that begin today.
    expect((await desk.school.owner.get('/dashboard/attention')).body.chequesComing).toMatchObject({ count: 1 })
    // The account says that the cheque came back, not that somebody took a payment back; so once it is replaced.
    const kinds = async () => {
      const { entries } = (await desk.school.owner.get(`/students/${desk.studentId}/account?scope=family`)).body
      return entries.data.map(({ kind }: { kind: string }) => kind).toSorted()
    }
    expect(await kinds()).toEqual(['bounced', 'bounced', 'invoice', 'paid_ahead', 'payment'])
    // Twice is refused.
    expect(reasonOf(await did(chequeId, 'bounce', { reason: 'No cover' }))).toEqual([409, 'already_bounced'])
    expect(await eventsOf(desk.app, desk.school, 'cheque.bounced')).toHaveLength(1)
    await did(chequeId, 'replace', { method: 'cash' })
    expect((await kinds()).filter((kind: string) => kind === 'bounced')).toHaveLength(2)
  })

  test('is reversed once, of two who say so at once', async () => {
    const { invoiceId, chequeId } = await due()
    const both = await Promise.all([did(chequeId, 'bounce', { reason: 'A' }), did(chequeId, 'bounce', { reason: 'B' })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await invoice(invoiceId)).toEqual(['issued', 0, 45_000])
  })

  test('is settled by cash, or by others of the same sum', async () => {
    const { invoiceId, chequeId } = await due()
    await did(chequeId, 'bounce', { reason: 'No cover' })
    expect((await did(chequeId, 'replace', {})).status).toBe(422)
    expect(reasonOf(await did(chequeId, 'replace', { cheques: [aCheque()] }))).toEqual([422, 'replacement_differs'])
    const twin = aCheque({ amountMinor: 22_500, dueOn: '2026-04-10' })
    expect(reasonOf(await did(chequeId, 'replace', { cheques: [twin, twin] }))).toEqual([422, 'cheque_named_twice'])
    const stale = aCheque({ amountMinor: 45_000, dueOn: '2025-01-01' })
    expect(reasonOf(await did(chequeId, 'replace', { cheques: [stale] }))).toEqual([422, 'cheque_stale'])
    const [known] = (await take([aCheque({ dueOn: '2026-04-10' })])).body.cheques
    const again = aCheque({ amountMinor: 45_000, number: known.number })
    expect(reasonOf(await did(chequeId, 'replace', { cheques: [again] }))).toEqual([422, 'cheque_known'])
    const replaced = await did(chequeId, 'replace', {
      cheques: [twin, aCheque({ amountMinor: 22_500, dueOn: '2026-05-10' })],
    })
    expect([replaced.status, replaced.body.amount]).toEqual([201, ils(45_000)])
    expect(await cheque(chequeId)).toMatchObject({ status: 'replaced', replacedByReceiptId: replaced.body.id })
    expect(reasonOf(await did(chequeId, 'replace', { method: 'cash' }))).toEqual([409, 'cheque_moved'])
    await did(replaced.body.cheques[0].id, 'return', {})
    const paid = await did(replaced.body.cheques[1].id, 'replace', { method: 'cash', reference: '12' })
    expect(paid.body).toMatchObject({ method: 'cash', payments: [{ invoiceId, amount: ils(22_500) }] })
    expect((await invoice(invoiceId))[1]).toBe(22_500)
  })

  test('whose credit was refunded is refused, and so is giving it back', async () => {
    const { chequeId } = await due(50_000)
    const refund = { guardianId: desk.mother, amountMinor: 5000, method: 'cash', reason: 'Moves away' }
    expect((await desk.school.owner.post('/refunds', refund)).status).toBe(201)
    for (const [what, body] of [
      ['bounce', { reason: 'No cover' }],
      ['return', {}],
      ['replace', { method: 'cash' }],
    ] as const) {
      expect(reasonOf(await did(chequeId, what, body))).toEqual([409, 'credit_paid_out'])
    }
    expect((await cheque(chequeId)).status).toBe('due')
  })
})

test('cheques are taken to the bank with a list: all of them or none', async () => {
  const { body } = await take([aCheque(), aCheque(), aCheque({ dueOn: '2026-04-10' })])
  const [one, other, held] = body.cheques.map(({ id }: { id: string }) => id) as [string, string, string]
  expect((await desk.school.owner.get('/dashboard/attention')).body.chequesDue).toEqual({
    count: 2,
    amount: ils(20_000),
  })
  const deposit = (...chequeIds: string[]) =>
    desk.school.owner.post('/cheques/deposits', { chequeIds, bankAccount: '12-345-1' })
  expect(reasonOf(await deposit(one, held))).toEqual([409, 'cheque_not_due'])
  expect((await deposit(one, one)).status).toBe(422)
  expect((await deposit(one, crypto.randomUUID())).status).toBe(404)
  const dollars = (await take([aCheque()], { currency: 'USD' })).body.cheques[0].id
  expect(reasonOf(await deposit(one, dollars))).toEqual([422, 'other_deposit'])
  expect((await cheque(one)).status).toBe('due')
  const made = await deposit(other, one)
  expect(made.body).toMatchObject({ number: 'D-2026-000001', amount: ils(20_000), depositedOn: '2026-03-02' })
  expect(made.body.cheques).toHaveLength(2)
  expect((await desk.school.owner.get('/cheques/deposits')).body.data).toEqual([made.body])
  expect((await desk.school.owner.get(`/cheque-deposits/${made.body.id}`)).body).toEqual(made.body)
  expect(reasonOf(await deposit(one))).toEqual([409, 'cheque_moved'])
  expect((await did(one, 'clear')).body.status).toBe('cleared')
  expect(reasonOf(await did(one, 'clear'))).toEqual([409, 'cheque_moved'])
  expect(reasonOf(await did(one, 'return', {}))).toEqual([409, 'cheque_moved'])
  expect(reasonOf(await did(held, 'bounce', { reason: 'x' }))).toEqual([409, 'cheque_moved'])
  // The bank may return it later all the same.
  expect((await did(one, 'bounce', { reason: 'No cover' })).body).toMatchObject({
    status: 'bounced',
    depositId: made.body.id,
  })
})
