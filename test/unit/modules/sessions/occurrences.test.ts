import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, localDate, localInstant, weekdayOf } from '#kernel/time/zone.ts'
import { occurrencesOf } from '#modules/sessions/occurrences.ts'
import { overlappingRules, type WeeklyRule } from '#shared/occurrences.ts'

const JERUSALEM = 'Asia/Jerusalem'
const [SUNDAY, MONDAY, WEDNESDAY, FRIDAY] = [0, 1, 3, 5]

const rule = (given: Partial<WeeklyRule>): WeeklyRule => ({
  weekday: SUNDAY,
  startTime: '16:00',
  endTime: '17:30',
  validFrom: '2026-01-01',
  validTo: null,
  ...given,
})

const datesOf = (rules: WeeklyRule[], from: string, until: string): string[] =>
  occurrencesOf(rules, { from, until }, JERUSALEM).map(({ date }) => date)

describe('occurrencesOf', () => {
  test('gives local date, start slot and both instants', () => {
    expect(occurrencesOf([rule({})], { from: '2026-01-04', until: '2026-01-10' }, JERUSALEM)).toEqual([
      {
        date: '2026-01-04',
        startTime: '16:00',
        start: '2026-01-04T14:00:00.000Z',
        end: '2026-01-04T15:30:00.000Z',
      },
    ])
  })

  test('the window includes both its dates', () => {
    expect(datesOf([rule({})], '2026-01-04', '2026-01-18')).toEqual(['2026-01-04', '2026-01-11', '2026-01-18'])
    expect(datesOf([rule({})], '2026-01-05', '2026-01-17')).toEqual(['2026-01-11'])
    expect(datesOf([rule({})], '2026-01-04', '2026-01-04')).toEqual(['2026-01-04'])
    expect(datesOf([rule({})], '2026-01-05', '2026-01-04')).toEqual([])
  })

  test('a rule is valid on both its dates and on none beside them', () => {
    const january = rule({ validFrom: '2026-01-11', validTo: '2026-01-25' })
    expect(datesOf([january], '2025-12-01', '2026-03-01')).toEqual(['2026-01-11', '2026-01-18', '2026-01-25'])
    const between = rule({ validFrom: '2026-01-12', validTo: '2026-01-24' })
    expect(datesOf([between], '2025-12-01', '2026-03-01')).toEqual(['2026-01-18'])
  })

  test('the occurrences of several rules come in order of time', () => {
    const rules = [
      rule({ weekday: WEDNESDAY }),
      rule({ weekday: MONDAY, startTime: '18:00', endTime: '19:00' }),
      rule({ weekday: MONDAY, startTime: '09:00', endTime: '10:00' }),
    ]
    const found = occurrencesOf(rules, { from: '2026-01-04', until: '2026-01-13' }, JERUSALEM)
    expect(found.map(({ date, startTime }) => `${date} ${startTime}`)).toEqual([
      '2026-01-05 09:00',
      '2026-01-05 18:00',
      '2026-01-07 16:00',
      '2026-01-12 09:00',
      '2026-01-12 18:00',
    ])
  })

  test('the local time stays when the clocks change', () => {
    const found = occurrencesOf([rule({ weekday: FRIDAY })], { from: '2026-03-20', until: '2026-03-27' }, JERUSALEM)
    expect(found.map(({ start }) => start)).toEqual(['2026-03-20T14:00:00.000Z', '2026-03-27T13:00:00.000Z'])
  })

  test('an occurrence over a clock change ends at its local end time', () => {
    const night = rule({ weekday: FRIDAY, startTime: '01:00', endTime: '04:00' })
    const [spring] = occurrencesOf([night], { from: '2026-03-27', until: '2026-03-27' }, JERUSALEM)
    expect(spring).toMatchObject({ start: '2026-03-26T23:00:00.000Z', end: '2026-03-27T01:00:00.000Z' })
    const [autumn] = occurrencesOf(
      [{ ...night, weekday: SUNDAY }],
      { from: '2026-10-25', until: '2026-10-25' },
      JERUSALEM,
    )
    expect(autumn).toMatchObject({ start: '2026-10-24T22:00:00.000Z', end: '2026-10-25T02:00:00.000Z' })
  })

  test('a start that the clocks skip moves forward, and keeps the slot of the rule', () => {
    const skipped = rule({ weekday: FRIDAY, startTime: '02:30', endTime: '04:00' })
    expect(occurrencesOf([skipped], { from: '2026-03-27', until: '2026-03-27' }, JERUSALEM)).toEqual([
      {
        date: '2026-03-27',
        startTime: '02:30',
        start: '2026-03-27T00:30:00.000Z',
        end: '2026-03-27T01:00:00.000Z',
      },
    ])
  })

  test('a start that moves past the end takes the end with it', () => {
    const short = rule({ weekday: FRIDAY, startTime: '02:30', endTime: '03:15' })
    const [moved] = occurrencesOf([short], { from: '2026-03-27', until: '2026-03-27' }, JERUSALEM)
    expect(moved).toMatchObject({ start: '2026-03-27T00:30:00.000Z', end: '2026-03-27T01:15:00.000Z' })
  })

  test('every matching date once, and no other', () => {
    fc.assert(
      fc.property(anyRule, anyDay, fc.integer({ min: 0, max: 120 }), (given, from, days) => {
        const window = Array.from({ length: days + 1 }, (_, n) => addDays(from, n))
        const expected = window
          .filter((date) => weekdayOf(date) === given.weekday)
          .filter((date) => date >= given.validFrom && (given.validTo === null || date <= given.validTo))
        const found = occurrencesOf([given], { from, until: addDays(from, days) }, JERUSALEM)
        expect(found.map(({ date }) => date)).toEqual(expected)
        for (const { date, start, end } of found) {
          expect(start).toBe(localInstant(date, given.startTime, JERUSALEM))
          expect(localDate(start, JERUSALEM)).toBe(date)
          expect(start < end).toBe(true)
        }
      }),
    )
  })
})

describe('overlappingRules', () => {
  const base = rule({ startTime: '10:00', endTime: '12:00' })

  test.each([
    ['the same times', {}],
    ['one within the other', { startTime: '10:30', endTime: '11:00' }],
    ['a minute shared at the end', { startTime: '11:59', endTime: '13:00' }],
    ['a minute shared at the start', { startTime: '09:00', endTime: '10:01' }],
    ['a single shared date', { validFrom: '2025-01-01', validTo: '2026-01-04' }],
  ])('%s: overlap', (_what, other) => {
    expect(overlappingRules([base, { ...base, ...other }])).toEqual([0, 1])
    expect(overlappingRules([{ ...base, ...other }, base])).toEqual([0, 1])
  })

  test.each([
    ['one begins when the other ends', { startTime: '12:00', endTime: '13:00' }],
    ['another weekday', { weekday: MONDAY }],
    ['valid before the other', { validFrom: '2025-01-01', validTo: '2025-12-31' }],
    ['valid together for days without that weekday', { validFrom: '2025-01-01', validTo: '2026-01-03' }],
  ])('%s: no overlap', (_what, other) => {
    expect(overlappingRules([base, { ...base, ...other }])).toBeUndefined()
    expect(overlappingRules([{ ...base, ...other }, base])).toBeUndefined()
  })

  test('names the first pair among many', () => {
    const rules = [rule({ weekday: MONDAY }), base, rule({ weekday: WEDNESDAY }), rule({ weekday: MONDAY }), base]
    expect(overlappingRules(rules)).toEqual([0, 3])
    expect(overlappingRules([])).toBeUndefined()
  })

  test('rules overlap when some date has two of their occurrences at once', () => {
    fc.assert(
      fc.property(anyRule, anyRule, (a, b) => {
        const window = { from: '2025-12-01', until: '2026-08-01' }
        const others = occurrencesOf([b], window, 'UTC')
        const meet = occurrencesOf([a], window, 'UTC').some((one) =>
          others.some((other) => one.start < other.end && other.start < one.end),
        )
        expect(overlappingRules([a, b])).toEqual(meet ? [0, 1] : undefined)
      }),
      { numRuns: 500 },
    )
  })
})

const anyDay = fc.integer({ min: 0, max: 120 }).map((day) => addDays('2026-01-01', day))

/** Few different days and hours, so that two rules often overlap. */
const anyRule = fc
  .record({
    weekday: fc.constantFrom(0, 3, 6),
    hour: fc.integer({ min: 0, max: 20 }),
    hours: fc.integer({ min: 1, max: 3 }),
    validFrom: anyDay,
    days: fc.option(fc.integer({ min: 0, max: 60 })),
  })
  .map(({ weekday, hour, hours, validFrom, days }) => ({
    weekday,
    startTime: `${String(hour).padStart(2, '0')}:15`,
    endTime: `${String(hour + hours).padStart(2, '0')}:15`,
    validFrom,
    validTo: days === null ? null : addDays(validFrom, days),
  }))
