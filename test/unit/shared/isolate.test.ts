import { expect, test } from 'vitest'
import { withNumbersInOrder } from '#shared/isolate.ts'

test.each([
  ['اتصلوا: 04-555-0101', 'اتصلوا: \u200E04-555-0101\u200E'],
  ['اتصلوا: +972 4 555 0101.', 'اتصلوا: \u200E+972 4 555 0101\u200E.'],
  ['فاتورة 12 غير مدفوعة', 'فاتورة 12 غير مدفوعة'],
  ['Unpaid since 01/10/2026.', 'Unpaid since 01/10/2026.'],
])('the groups of a number stay in their order after Arabic letters, and nothing else changes: %s', (said, marked) => {
  expect(withNumbersInOrder(said)).toBe(marked)
})
