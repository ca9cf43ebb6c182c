import { describe, expect, test } from 'vitest'
import { CURRENCIES, money } from '#kernel/values/money.ts'

describe('money', () => {
  test('requests may name ILS, USD and EUR', () => {
    expect(CURRENCIES).toEqual(['ILS', 'USD', 'EUR'])
  })

  test.each([0, 1250, -1250, Number.MAX_SAFE_INTEGER])('holds %d minor units', (amountMinor) => {
    expect(money(amountMinor, 'ILS')).toEqual({ amountMinor, currency: 'ILS' })
  })

  test.each([12.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])('refuses %d', (amountMinor) => {
    expect(() => money(amountMinor, 'ILS')).toThrow(RangeError)
  })
})
