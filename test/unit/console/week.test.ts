import { describe, expect, test } from 'vitest'
import { localDate, localInstant } from '#kernel/time/zone.ts'
import { hoursOf, layoutOf, partsOf, weekOf } from '../../../src/console/screens/week/layout.ts'
import { instantOf, wallTimeOf } from '../../../src/console/words/zone.ts'

const ZONE = 'Asia/Jerusalem'

const session = (id: string, start: string, end: string, zone = ZONE) => ({
  id,
  scheduledStart: instantOf(start.slice(0, 10), start.slice(11), zone),
  scheduledEnd: instantOf(end.slice(0, 10), end.slice(11), zone),
})

const day = (...sessions: ReturnType<typeof session>[]) => {
  const [only] = layoutOf(sessions, ['2026-11-24'], ZONE)
  return {
    lanes: only?.lanes,
    placed: only?.placed.map(({ session: { id }, lane, width }) => [id, lane, width]),
  }
}
const on = (id: string, from: string, until: string) => session(id, `2026-11-24T${from}`, `2026-11-24T${until}`)

describe('a time', () => {
  // Also where clocks change: in Jerusalem on 27 March and 25 October 2026, in Lord Howe by half an hour, in Havana at
  // midnight.
  test.each(['Asia/Jerusalem', 'America/Havana', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'])(
    'of %s is the same instant as on the server',
    (zone) => {
      const dates = ['2026-03-08', '2026-03-27', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01', '2026-11-24']
      for (const date of dates) {
        for (const time of ['00:00', '00:30', '01:15', '01:59', '02:00', '02:30', '03:00', '16:00', '23:59']) {
          const instant = instantOf(date, time, zone)
          expect(instant, `${date} ${time}`).toBe(localInstant(date, time, zone))
          expect(wallTimeOf(instant, zone).date).toBe(localDate(instant, zone))
        }
      }
    },
  )

  test('is what the clocks of the institute show', () => {
    expect(wallTimeOf('2026-11-24T22:30:00.000Z', ZONE)).toEqual({ date: '2026-11-25', minutes: 30 })
  })
})

test('a week begins on Sunday, also where it has a clock change or a new year', () => {
  expect(weekOf('2026-11-24')).toEqual([22, 23, 24, 25, 26, 27, 28].map((date) => `2026-11-${date}`))
  expect(weekOf('2026-11-22')[0]).toBe('2026-11-22')
  expect(weekOf('2026-11-28')[0]).toBe('2026-11-22')
  expect(weekOf('2026-10-25').at(-1)).toBe('2026-10-31')
  expect(weekOf('2027-01-01')[0]).toBe('2026-12-27')
})

describe('sessions of a day', () => {
  test('that follow each other share one lane', () => {
    expect(day(on('a', '16:00', '17:00'), on('b', '17:00', '18:00'))).toEqual({
      lanes: 1,
      placed: [
        ['a', 0, 1],
        ['b', 0, 1],
      ],
    })
  })

  test('that overlap stand beside each other; one that has room to the end of the day takes it', () => {
    expect(
      day(on('c', '17:00', '18:00'), on('a', '16:00', '18:00'), on('b', '16:00', '17:00'), on('d', '18:00', '19:00')),
    ).toEqual({
      lanes: 2,
      placed: [
        ['a', 0, 1],
        ['b', 1, 1],
        ['c', 1, 1],
        ['d', 0, 2],
      ],
    })
  })

  test('three at once take three lanes, and a lane that is free again is used', () => {
    expect(
      day(on('a', '16:00', '17:00'), on('b', '16:00', '19:00'), on('c', '16:30', '17:30'), on('d', '17:00', '18:00')),
    ).toEqual({
      lanes: 3,
      placed: [
        ['b', 0, 1],
        ['a', 1, 1],
        ['c', 2, 1],
        ['d', 1, 1],
      ],
    })
  })

  test('a short one takes the place of its name', () => {
    expect(day(on('a', '16:00', '16:05'), on('b', '16:10', '17:00')).lanes).toBe(2)
  })

  test('no two that overlap share a lane, whatever they are', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    const sessions = Array.from({ length: 120 }, (_, index) => {
      const start = Date.parse('2026-11-23T22:00:00Z') + random(1400) * 60_000
      const end = start + (10 + random(200)) * 60_000
      const at = (millis: number) => new Date(millis).toISOString()
      return { id: String(index), scheduledStart: at(start), scheduledEnd: at(end) }
    })
    const [only] = layoutOf(sessions, ['2026-11-24'], ZONE)
    for (const a of only?.placed ?? []) {
      expect(a.lane + a.width).toBeLessThanOrEqual(only?.lanes ?? 0)
      for (const b of only?.placed ?? []) {
        const isMeanwhile = a !== b && a.from < b.until && b.from < a.until
        if (isMeanwhile) expect(a.lane + a.width <= b.lane || b.lane + b.width <= a.lane).toBe(true)
      }
    }
  })
})

describe('the parts of a session', () => {
  const parts = (start: string, end: string) =>
    partsOf(session('a', start, end), ZONE).map(({ date, from, until, isContinued }) => [
      date,
      from,
      until,
      isContinued,
    ])

  test('that passes midnight stand on the evening on which it began', () => {
    expect(parts('2026-11-24T22:30', '2026-11-25T01:00')).toEqual([['2026-11-24', 1350, 1500, false]])
    expect(parts('2026-11-24T22:30', '2026-11-25T00:00')).toEqual([['2026-11-24', 1350, 1440, false]])
  })

  test('of a camp stand on every day', () => {
    expect(parts('2026-11-24T08:00', '2026-11-26T12:00')).toEqual([
      ['2026-11-24', 480, 1440, false],
      ['2026-11-25', 0, 1440, true],
      ['2026-11-26', 0, 720, true],
    ])
  })

  test('where clocks go forward, end when the clock says so', () => {
    // On 27 March clocks go from 02:00 to 03:00: it lasts one hour and a half.
    expect(parts('2026-03-27T01:00', '2026-03-27T03:30')).toEqual([['2026-03-27', 60, 210, false]])
  })

  test('where clocks go back, never end before they begin', () => {
    // On 25 October 02:00 becomes 01:00: from 01:30 to the second 01:15.
    const repeated = {
      id: 'a',
      scheduledStart: '2026-10-24T22:30:00.000Z',
      scheduledEnd: '2026-10-24T23:15:00.000Z',
    }
    expect(partsOf(repeated, ZONE)).toMatchObject([{ date: '2026-10-25', from: 90, until: 135 }])
  })
})

test('the hours that are drawn hold every session, and an afternoon where there is none', () => {
  const hours = (...sessions: ReturnType<typeof session>[]) => hoursOf(layoutOf(sessions, ['2026-11-24'], ZONE))
  expect(hours()).toEqual({ from: 14, until: 20 })
  expect(hours(on('a', '08:15', '09:00'), on('b', '19:00', '21:10'))).toEqual({ from: 8, until: 22 })
  expect(hours(session('a', '2026-11-24T23:00', '2026-11-25T00:30'))).toEqual({ from: 14, until: 25 })
})
