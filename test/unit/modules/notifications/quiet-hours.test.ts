import { describe, expect, test } from 'vitest'
import { quietEnd } from '#modules/notifications/outbox/quiet.ts'

const JERUSALEM = 'Asia/Jerusalem'
const NIGHT = {
  quietHours: { from: '21:00', to: '07:00' },
  quietDays: { weekdays: [] as number[], onClosedDays: false },
}
const SHABBAT = { ...NIGHT, quietDays: { weekdays: [6], onClosedDays: false } }

const end = (instant: string, quiet = NIGHT, closed: { from: string; to: string }[] = []) =>
  quietEnd(instant, quiet, closed, JERUSALEM)

describe('quiet hours over midnight', () => {
  test.each([
    // 20:59, 21:00, midnight, 06:59 and 07:00 in winter.
    ['2026-03-02T18:59:59.000Z', '2026-03-02T18:59:59.000Z'],
    ['2026-03-02T19:00:00.000Z', '2026-03-03T05:00:00.000Z'],
    ['2026-03-02T22:00:00.000Z', '2026-03-03T05:00:00.000Z'],
    ['2026-03-03T04:59:59.000Z', '2026-03-03T05:00:00.000Z'],
    ['2026-03-03T05:00:00.000Z', '2026-03-03T05:00:00.000Z'],
    // The clocks go forward on Friday 2026-03-27 at 02:00, and back on Sunday 2026-10-25 at 02:00.
    ['2026-03-26T20:00:00.000Z', '2026-03-27T04:00:00.000Z'],
    ['2026-10-24T19:00:00.000Z', '2026-10-25T05:00:00.000Z'],
  ])('what is due at %s goes out at %s', (due, at) => expect(end(due)).toBe(at))
})

test('quiet hours within a day, and an end that a clock change skips', () => {
  const noon = { ...NIGHT, quietHours: { from: '13:00', to: '16:00' } }
  expect(end('2026-03-02T11:00:00.000Z', noon)).toBe('2026-03-02T14:00:00.000Z')
  expect(end('2026-03-02T14:00:00.000Z', noon)).toBe('2026-03-02T14:00:00.000Z')
  expect(end('2026-03-02T10:59:59.000Z', noon)).toBe('2026-03-02T10:59:59.000Z')
  const skipped = { ...NIGHT, quietHours: { from: '22:00', to: '02:30' } }
  // 02:30 does not come on that night: it is 03:30.
  expect(end('2026-03-26T21:00:00.000Z', skipped)).toBe('2026-03-27T00:30:00.000Z')
})

test('quiet days are quiet from midnight to midnight, and quiet hours follow on them', () => {
  // Friday 20:00, before the night and Shabbat: it goes. 22:00 waits for Sunday at 07:00, as Saturday at noon does.
  expect(end('2026-03-06T18:00:00.000Z', SHABBAT)).toBe('2026-03-06T18:00:00.000Z')
  for (const due of ['2026-03-06T20:00:00.000Z', '2026-03-07T10:00:00.000Z'])
    expect(end(due, SHABBAT)).toBe('2026-03-08T05:00:00.000Z')
})

test('closed days count where they are given, and nothing waits for ever', () => {
  const closed = [{ from: '2026-03-03', to: '2026-03-05' }]
  expect(end('2026-03-02T20:00:00.000Z', NIGHT, closed)).toBe('2026-03-06T05:00:00.000Z')
  const long = [{ from: '2026-03-03', to: '2026-12-31' }]
  expect(end('2026-03-03T10:00:00.000Z', NIGHT, long) < '2026-04-03').toBe(true)
})
