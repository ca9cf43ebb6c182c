import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { computed } from '#modules/billing/index.ts'
import { NewInvoice } from '#modules/billing/schemas.ts'
import { invoiceTotals, lineAmounts } from '#shared/amounts.ts'
import {
  bodyOf,
  emptyLine,
  faultsOf,
  isTooMuch,
  quantityOf,
  sumsOf,
  taxOf,
  type TypedLine,
} from '../../../src/console/screens/invoices/draft.ts'
import { choiceOf, spansOf } from '../../../src/console/screens/invoices/due.ts'
import { dayOf } from '../../../src/shared/typed.ts'

const line = (changes: Partial<TypedLine> = {}): TypedLine => ({
  ...emptyLine('a'),
  description: 'Lessons',
  unitMinor: 45_000,
  ...changes,
})

test.each([
  ['12', 12],
  ['١٢', 12],
  [' 3 ', 3],
  ['0', undefined],
  ['10001', undefined],
  ['1.5', undefined],
  ['', undefined],
])('%j of something is %s', (quantity, expected) => {
  expect(quantityOf({ quantity })).toBe(expected)
})

test.each([
  ['', 0],
  ['17', 17],
  ['17,5', 17.5],
  ['١٧٫٢٥ %', 17.25],
  ['100', 100],
  ['100.01', undefined],
  ['17.255', undefined],
  ['-1', undefined],
])('%j percent is %s', (tax, expected) => {
  expect(taxOf({ tax })).toBe(expected)
})

test('says of each field what is wrong with it', () => {
  expect(faultsOf(line())).toEqual([])
  expect(faultsOf(emptyLine('a'))).toEqual(['description', 'amount'])
  expect(faultsOf(line({ description: 'x'.repeat(301), quantity: '', discountMinor: 45_001, tax: 'x' }))).toEqual([
    'letters',
    'quantity',
    'discount',
    'tax',
  ])
})

test('adds up exactly as the server does', () => {
  const lines = [
    line({ quantity: '3', unitMinor: 3333, discountMinor: 1, tax: '17.5' }),
    line({ quantity: '10000', unitMinor: 99_000_001, tax: '0.01' }),
    line({ unitMinor: 50, tax: '1' }),
  ]
  const asServer = lines.map((typed) => {
    const { quantity = 1, unitAmountMinor, discountMinor = 0, taxRatePercent = 0 } = bodyOf(typed)
    return lineAmounts({ quantity, unitAmountMinor, discountMinor, taxRatePercent })
  })
  expect(sumsOf(lines)).toEqual(invoiceTotals(asServer))
  expect(isTooMuch(lines)).toBe(false)
  // What cannot be counts as nothing while it is typed.
  const half = [...lines, line({ discountMinor: 45_001 }), line({ quantity: 'x' }), line({ unitMinor: null })]
  expect(sumsOf(half).total - sumsOf(lines).total).toBe(45_000)
  expect(isTooMuch([line({ quantity: '10000', unitMinor: 100_000_001 })])).toBe(true)
})

const minor = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: -5, max: 2_000_000_000_000 }),
)
const anyLine = fc.record({
  quantity: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 10_001 })).map(String),
  unitMinor: minor,
  discountMinor: minor,
  tax: fc.oneof(
    fc.constantFrom('', '17', '١٧٫٥ %', '100.01'),
    fc.integer({ min: 0, max: 10_000 }).map((n) => `${n / 100}`),
  ),
})

test('lines in which nothing is wrong are what the server takes, for the same sums', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 6 }), (all) => {
      const lines = all.map(line).filter((typed) => faultsOf(typed).length === 0)
      if (lines.length === 0) return
      const studentId = '01890a5d-ac96-774b-bcce-b302099a8057'
      const { lines: taken } = v.parse(NewInvoice, { studentId, lines: lines.map(bodyOf) })
      if (isTooMuch(lines)) {
        expect(() => computed(taken)).toThrow()
        return
      }
      const {
        subtotalMinor: subtotal,
        discountMinor: discount,
        taxMinor: tax,
        totalMinor: total,
      } = computed(taken).totals
      expect({ subtotal, discount, tax, total }).toEqual(sumsOf(lines))
    }),
    { numRuns: 2000 },
  )
})

test('a span of days has its word, and an address that names no day says nothing', () => {
  const format = { today: () => '2026-02-10' }
  expect(spansOf('2026-02-10').month).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(choiceOf({ from: '2026-02-10', to: '2026-02-17' }, format)).toBe('week')
  expect(choiceOf({ from: '', to: '2026-02-09' }, format)).toBe('past')
  expect(choiceOf({ from: '2026-01-01', to: '' }, format)).toBe('range')
  expect(choiceOf({ from: '', to: '' }, format)).toBe('any')
  expect([dayOf('2026-02-30'), dayOf('<b>'), dayOf(undefined), dayOf('2026-02-28')]).toEqual(['', '', '', '2026-02-28'])
})
