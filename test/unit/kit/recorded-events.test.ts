import { expect, test } from 'vitest'
import type { EmittedEvent } from '#kernel/contract/module.ts'
import { watchEvents } from '#kit/recorded-events.ts'

const good = {
  paymentId: '0190b6f2-0000-7000-8000-000000000001',
  invoiceId: '0190b6f2-0000-7000-8000-000000000002',
  amountMinor: 45_000,
  currency: 'ILS',
  method: 'cash',
}

const hear = async (data: object): Promise<string[]> => {
  const { subscriber, violations } = watchEvents()
  const event = { type: 'payment.recorded', body: JSON.stringify({ data }) } as EmittedEvent
  await subscriber(undefined as never, [event]).catch(() => {})
  return violations
}

test('an event of exactly its row passes', async () => {
  expect(await hear(good)).toEqual([])
})

test.each([
  ['lacks a field', { ...good, method: undefined }, /method/],
  ['has one more', { ...good, payerName: 'Lina' }, /payerName/],
  ['has one of another type', { ...good, amountMinor: '45000' }, /amountMinor/],
  ['has a word that its field does not take', { ...good, currency: 'XXX' }, /currency/],
])('one that %s is a violation', async (_, data, wrong) => {
  expect(await hear(data)).toEqual([expect.stringMatching(wrong)])
})
