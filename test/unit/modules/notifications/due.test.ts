import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { nextDigest } from '#modules/notifications/outbox/next-digest.ts'

const DAY = 24 * 3600 * 1000
const HOUR = 3600 * 1000

const local = (instant: string, zone: string) => Temporal.Instant.from(instant).toZonedDateTimeISO(zone)

describe('the next digest', () => {
  const zones = fc.constantFrom('Asia/Jerusalem', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC')
  const instants = fc
    .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2032, 0, 1) })
    .map((millis) => new Date(millis).toISOString())

  test('is at 07:00 on the clock of the institute, after now and within a day, whatever clocks change', () => {
    fc.assert(
      fc.property(instants, zones, (now, zone) => {
        const due = nextDigest('daily', now, zone)
        const at = local(due, zone)
        expect([at.hour, at.minute, at.second]).toEqual([7, 0, 0])
        const wait = Date.parse(due) - Date.parse(now)
        expect(wait).toBeGreaterThan(0)
        expect(wait).toBeLessThanOrEqual(DAY + HOUR)
      }),
      { numRuns: 500 },
    )
  })

  test('of a week is the first Sunday 07:00 after now', () => {
    fc.assert(
      fc.property(instants, zones, (now, zone) => {
        const due = nextDigest('weekly', now, zone)
        const at = local(due, zone)
        expect([at.dayOfWeek, at.hour, at.minute]).toEqual([7, 7, 0])
        const wait = Date.parse(due) - Date.parse(now)
        expect(wait).toBeGreaterThan(0)
        expect(wait).toBeLessThanOrEqual(7 * DAY + HOUR)
      }),
      { numRuns: 500 },
    )
  })

  test('each day has one: from one to the next it is a day on the clock', () => {
    let due = nextDigest('daily', '2026-03-20T00:00:00.000Z', 'Asia/Jerusalem')
    for (let day = 21; day <= 31; day += 1) {
      due = nextDigest('daily', due, 'Asia/Jerusalem')
      expect(local(due, 'Asia/Jerusalem').toPlainDate().day).toBe(day)
    }
  })

  test('moves with the clock changes of the zone', () => {
    // Summer time in Israel began on 27 March 2026 and ends on 25 October 2026.
    expect(nextDigest('daily', '2026-03-26T06:00:00.000Z', 'Asia/Jerusalem')).toBe('2026-03-27T04:00:00.000Z')
    expect(nextDigest('daily', '2026-03-25T06:00:00.000Z', 'Asia/Jerusalem')).toBe('2026-03-26T05:00:00.000Z')
    expect(nextDigest('weekly', '2026-10-24T12:00:00.000Z', 'Asia/Jerusalem')).toBe('2026-10-25T05:00:00.000Z')
    expect(nextDigest('daily', '2026-10-24T03:59:59.999Z', 'Asia/Jerusalem')).toBe('2026-10-24T04:00:00.000Z')
    expect(nextDigest('daily', '2026-10-24T04:00:00.000Z', 'Asia/Jerusalem')).toBe('2026-10-25T05:00:00.000Z')
  })
})
