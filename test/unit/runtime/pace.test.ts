import { expect, test } from 'vitest'
import { BY_EVENTS, BY_HAND, nextAt, OF_RECORD } from '#runtime/queue/pace.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-03-02T08:00:00.000Z')
/** So many at once, so long before now. */
const sent = (count: number, before = 0): number[] => Array<number>(count).fill(NOW - before)

test.each([
  ['nothing was sent', [], OF_RECORD, 0],
  ['two of three were', sent(2), OF_RECORD, 0],
  ['three were just now', sent(3), OF_RECORD, HOUR],
  ['three were, the first half an hour ago', [...sent(1, HOUR / 2), ...sent(2)], OF_RECORD, HOUR / 2],
  ['three were an hour ago', sent(3, HOUR), OF_RECORD, 0],
  ['six were on this day', sent(6, 10 * HOUR), OF_RECORD, 14 * HOUR],
  ['a family’s reminders of 24 invoices were', sent(24), BY_HAND, 0],
  ['thirty were', sent(30), BY_HAND, HOUR],
  ['a hundred were on this day', sent(100, 2 * HOUR), BY_HAND, 22 * HOUR],
  ['sixty follow from events', sent(60), BY_EVENTS, HOUR],
  ['sixty went and sixty wait for their turn', [...sent(60), ...sent(60, -HOUR)], BY_EVENTS, 2 * HOUR],
])('when %s, the next goes when the pace allows it', (_, before, limits, wait) => {
  expect(nextAt(before, limits, NOW) - NOW).toBe(wait)
})
