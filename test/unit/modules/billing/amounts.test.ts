import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LineInput } from '#shared/amounts.ts'
import { MAX_INVOICE_TOTAL_MINOR, amountsProblem, invoiceTotals, lineAmounts } from '#shared/amounts.ts'

const line = (given: Partial<LineInput>): LineInput => ({
  quantity: 1,
  unitAmountMinor: 0,
  discountMinor: 0,
  taxRatePercent: 0,
  ...given,
})

describe('lineAmounts', () => {
  test('is quantity times unit price, less the discount, plus tax on what remains', () => {
    const amounts = lineAmounts({ quantity: 3, unitAmountMinor: 10_000, discountMinor: 5000, taxRatePercent: 17 })
    expect(amounts).toEqual({ subtotal: 30_000, discount: 5000, tax: 4250, total: 29_250 })
  })

  test('the discount is off the line, not off each unit, and may take all of it', () => {
    const amounts = lineAmounts(line({ quantity: 10, unitAmountMinor: 99, discountMinor: 990, taxRatePercent: 18 }))
    expect(amounts).toEqual({ subtotal: 990, discount: 990, tax: 0, total: 0 })
  })

  test.each([
    [50, 1, 1, 'a half goes up'],
    [49, 1, 0, 'below a half goes down'],
    [100, 17.5, 18, 'a half from a rate with decimals goes up'],
    [20, 17.5, 4, '3.5 goes up'],
    [60, 17.5, 11, '10.5 goes up, to no even neighbour'],
    [50, 29, 15, '14.5 goes up'],
    [1000, 1.15, 12, '11.5 goes up, although the nearest float to 1.15 is below it'],
    [1000, 8.35, 84, '83.5 goes up, although the nearest float to 8.35 is below it'],
    [10_000, 0.005, 1, 'half a minor unit from a tiny rate goes up'],
    [10_000, 0.004_999_999, 0, 'just below half a minor unit goes down'],
    [1_000_000_000_000 / 2, 1e-10, 1, 'a rate that prints with an exponent'],
    [999_999_999_999, 0, 0, 'no rate, no tax'],
    [123_456_789, 100, 123_456_789, 'all of it'],
  ])('tax on %d at %d percent is %d: %s', (unitAmountMinor, taxRatePercent, tax) => {
    expect(lineAmounts(line({ unitAmountMinor, taxRatePercent })).tax).toBe(tax)
  })

  test('is exact for the largest amounts', () => {
    const unitAmountMinor = 850_000_000_001
    const amounts = lineAmounts(line({ unitAmountMinor, taxRatePercent: 17.5 }))
    expect(amounts).toEqual({ subtotal: unitAmountMinor, discount: 0, tax: 148_750_000_000, total: 998_750_000_001 })
  })

  test('agrees with rational arithmetic', () => {
    fc.assert(
      fc.property(anyLine, ({ input, rateMillionths }) => {
        const amounts = lineAmounts(input)
        const taxed = BigInt(input.quantity) * BigInt(input.unitAmountMinor) - BigInt(input.discountMinor)
        // −1/2 < tax − exact ≤ 1/2, where the exact tax is taxed × millionths / 10^8
        const error = 2n * (BigInt(amounts.tax) * 10n ** 8n - taxed * rateMillionths)
        expect(-(10n ** 8n) < error && error <= 10n ** 8n).toBe(true)
        expect(BigInt(amounts.subtotal)).toBe(taxed + BigInt(input.discountMinor))
        expect(amounts.discount).toBe(input.discountMinor)
        expect(amounts.total).toBe(amounts.subtotal - amounts.discount + amounts.tax)
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    line({ quantity: 1.5 }),
    line({ quantity: -1 }),
    line({ unitAmountMinor: -1 }),
    line({ unitAmountMinor: 0.5 }),
    line({ unitAmountMinor: Number.MAX_SAFE_INTEGER + 1 }),
    line({ discountMinor: -1 }),
    line({ unitAmountMinor: 10, discountMinor: 11 }),
    line({ taxRatePercent: -0.5 }),
    line({ taxRatePercent: 100.5 }),
    line({ taxRatePercent: Number.NaN }),
    line({ quantity: 2, unitAmountMinor: MAX_INVOICE_TOTAL_MINOR }),
  ])('refuses %o', (given) => {
    expect(() => lineAmounts(given)).toThrow(RangeError)
  })
})

describe('invoiceTotals', () => {
  test('sums the lines and their rounded taxes, not a tax of the sum', () => {
    const third = lineAmounts(line({ unitAmountMinor: 33, discountMinor: 3, taxRatePercent: 5 }))
    expect(third).toEqual({ subtotal: 33, discount: 3, tax: 2, total: 32 })
    expect(invoiceTotals([third, third, third])).toEqual({ subtotal: 99, discount: 9, tax: 6, total: 96 })
  })

  test('of no lines are 0', () => {
    expect(invoiceTotals([])).toEqual({ subtotal: 0, discount: 0, tax: 0, total: 0 })
  })

  test('subtotal − discount + tax is the total', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 200 }), (lines) => {
        const inputs = lines.map(({ input }) => input)
        fc.pre(amountsProblem(inputs) === undefined)
        const totals = invoiceTotals(inputs.map(lineAmounts))
        expect(totals.subtotal - totals.discount + totals.tax).toBe(totals.total)
        expect(totals.total).toBeLessThanOrEqual(MAX_INVOICE_TOTAL_MINOR)
      }),
    )
  })
})

describe('amountsProblem', () => {
  test('finds none in lines that make an invoice', () => {
    expect(amountsProblem([])).toBeUndefined()
    expect(amountsProblem([line({ unitAmountMinor: 10, discountMinor: 10 }), line({})])).toBeUndefined()
  })

  test('names the first line whose discount is above it', () => {
    const lines = [line({ unitAmountMinor: 10 }), line({ quantity: 2, unitAmountMinor: 5, discountMinor: 11 })]
    expect(amountsProblem(lines)).toEqual({ reason: 'discount_above_line', line: 1 })
  })

  test('a total of 10^12 is the largest', () => {
    expect(amountsProblem([line({ unitAmountMinor: MAX_INVOICE_TOTAL_MINOR })])).toBeUndefined()
    expect(amountsProblem([line({ unitAmountMinor: MAX_INVOICE_TOTAL_MINOR + 1 })])).toEqual({ reason: 'too_large' })
    const half = line({ unitAmountMinor: MAX_INVOICE_TOTAL_MINOR / 2 })
    expect(amountsProblem([half, half])).toBeUndefined()
    expect(amountsProblem([half, half, line({ unitAmountMinor: 1 })])).toEqual({ reason: 'too_large' })
  })

  test('tax counts towards the total, a discount against it', () => {
    const unitAmountMinor = MAX_INVOICE_TOTAL_MINOR
    expect(amountsProblem([line({ unitAmountMinor, taxRatePercent: 1 })])).toEqual({ reason: 'too_large' })
    expect(amountsProblem([line({ quantity: 2, unitAmountMinor, discountMinor: unitAmountMinor })])).toBeUndefined()
  })

  test('a subtotal beyond exact numbers is too large, however much is discounted', () => {
    const unitAmountMinor = Number.MAX_SAFE_INTEGER
    const most = line({ unitAmountMinor, discountMinor: unitAmountMinor })
    expect(amountsProblem([most])).toBeUndefined()
    expect(amountsProblem([most, line({ unitAmountMinor: 1, discountMinor: 1 })])).toEqual({ reason: 'too_large' })
  })
})

/** An invoice line below the largest total, with its rate as a number and, exactly, in millionths of a percent. */
const anyLine = fc
  .record({
    quantity: fc.integer({ min: 1, max: 10_000 }),
    unitAmountMinor: fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 40_000_000 })),
    discounted: fc.integer({ min: 0, max: 1000 }),
    millionths: fc.oneof(
      fc.integer({ min: 0, max: 200 }).map((halves) => halves * 500_000),
      fc.integer({ min: 0, max: 100_000_000 }),
    ),
  })
  .map(({ quantity, unitAmountMinor, discounted, millionths }) => ({
    input: {
      quantity,
      unitAmountMinor,
      discountMinor: Math.floor((quantity * unitAmountMinor * discounted) / 1000),
      taxRatePercent: millionths / 1_000_000,
    },
    rateMillionths: BigInt(millionths),
  }))
