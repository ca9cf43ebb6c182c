import { describe, expect, test } from 'vitest'
import { fillSeries, monthsAfter, numberAfter, partOf } from '../../../src/console/records/cheque/series.ts'

test.each([
  ['1001', 1, '1002'],
  ['000099', 1, '000100'],
  ['009', 991, '1000'],
  ['A-17', 3, 'A-20'],
  ['9007199254740993', 1, '9007199254740994'],
  ['none', 2, 'none'],
  ['', 2, ''],
])('the number after %s by %i is %s', (number, steps, next) => {
  expect(numberAfter(number, steps)).toBe(next)
})

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2026-01-31', 2, '2026-03-31'],
  ['2028-01-30', 1, '2028-02-29'],
  ['2026-11-10', 3, '2027-02-10'],
  ['2026-12-31', 12, '2027-12-31'],
])('the day of %s, %i months later, is %s', (date, months, later) => {
  expect(monthsAfter(date, months)).toBe(later)
})

describe('a series', () => {
  test('goes on monthly, with what was changed in one of them', () => {
    const first = { number: '0098', amountMinor: 45_000, dueOn: '2026-10-31' }
    const changed = new Map([[1, { amountMinor: 1 }]])
    expect(fillSeries(first, { count: 3, owed: 9, changed })).toEqual([
      first,
      { number: '0099', amountMinor: 1, dueOn: '2026-11-30' },
      { number: '0100', amountMinor: 45_000, dueOn: '2026-12-31' },
    ])
  })

  test('divides what is owed while no amount is typed, to the last agora', () => {
    const first = { number: '1', amountMinor: null, dueOn: null }
    const rows = fillSeries(first, { count: 3, owed: 100, changed: new Map() })
    expect(rows.map(({ amountMinor }) => amountMinor)).toEqual([33, 33, 34])
    expect(Array.from({ length: 7 }, (_, at) => partOf(1000, 7, at)).reduce((sum, part) => sum + part)).toBe(1000)
  })
})
