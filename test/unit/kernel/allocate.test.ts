import { expect, test } from 'vitest'
import { oldestFirst, spread, sumOf } from '#shared/allocate.ts'

const INVOICES = [
  { id: 'b', dueDate: '2026-12-10', openMinor: 45_000 },
  { id: 'a', dueDate: '2026-11-10', openMinor: 30_000 },
  { id: 'c', dueDate: '2026-12-10', openMinor: 5000 },
]

test('an amount pays the oldest first, and the last one in part', () => {
  expect(spread(INVOICES, 30_001)).toEqual([
    { invoiceId: 'a', amountMinor: 30_000 },
    { invoiceId: 'b', amountMinor: 1 },
  ])
  expect(oldestFirst(INVOICES).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})

test('all of it pays all of them, to the last unit', () => {
  const all = spread(INVOICES, sumOf(INVOICES))
  expect(all.map(({ amountMinor }) => amountMinor)).toEqual([30_000, 45_000, 5000])
})

test('what is more than is owed stays, and nothing pays nothing', () => {
  expect(sumOf(INVOICES)).toBe(80_000)
  expect(spread(INVOICES, 80_001)).toEqual(spread(INVOICES, 80_000))
  expect(spread(INVOICES, 0)).toEqual([])
})
