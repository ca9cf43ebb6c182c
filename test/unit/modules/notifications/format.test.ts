import { expect, test } from 'vitest'
import { inOrder } from '#modules/notifications/texts/formats.ts'

/** The text with visible signs in place of the isolates. */
const shown = (text: string, locale: 'ar' | 'he' | 'en'): string =>
  inOrder(text, locale).replaceAll('\u2068', '[').replaceAll('\u2069', ']')

test.each([
  ['للاستفسار: 050-123-4567.', 'للاستفسار: [050-123-4567].'],
  ['+972 50-123-4567', '[+972 50-123-4567]'],
  ['(هاتف 02-6281234)', '(هاتف [02-6281234])'],
  ['يوم 2026-03-08، الساعة 16:00', 'يوم [2026-03-08]، الساعة 16:00'],
  ['الصفوف 5-10', 'الصفوف 5-10'],
  ['فاتورة INV-2026-000001', 'فاتورة INV-2026-000001'],
  ['https://example.org/2026-03-08?of=050-1234567', 'https://example.org/2026-03-08?of=050-1234567'],
  ['050-1234567@example.org', '050-1234567@example.org'],
])('a phone number and a date keep their order: %s', (text, expected) => {
  expect(shown(text, 'ar')).toBe(expected)
  expect(shown(text, 'he')).toBe(expected)
})

test('an English text needs that beside Hebrew or Arabic alone', () => {
  expect(shown('Call 050-123-4567', 'en')).toBe('Call 050-123-4567')
  expect(shown('Call הילה: 050-123-4567', 'en')).toBe('Call הילה: [050-123-4567]')
})
