import { describe, expect, test } from 'vitest'
import { occurrencesOf } from '#modules/sessions/occurrences.ts'
import { difference, lessonsOf, overlapping, rulesFrom, timesOf } from '../../../src/console/records/group/foresee.ts'

const rule = (
  weekday: number,
  startTime: string,
  endTime: string,
  validFrom: string,
  validTo: string | null = null,
) => ({
  weekday,
  startTime,
  endTime,
  validFrom,
  validTo,
})
const time = (weekday: number, startTime: string, endTime: string) => ({ key: startTime, weekday, startTime, endTime })

const TODAY = '2026-11-24'
const EVER = { today: TODAY, startsOn: null, endsOn: null }

const RULES = [
  rule(0, '16:00', '17:30', '2026-09-01', '2026-12-10'),
  rule(3, '16:00', '17:30', '2026-12-01'),
  rule(2, '09:00', '10:00', '2026-01-01'),
  rule(5, '09:00', '10:00', '2026-01-01', '2026-11-01'),
]

test.each([EVER, { ...EVER, startsOn: '2026-12-06' }, { ...EVER, startsOn: '2026-01-01', endsOn: '2026-12-24' }])(
  'the lessons that are foreseen are those that the server makes: %o',
  (bounds) => {
    const from = bounds.startsOn !== null && bounds.startsOn > TODAY ? bounds.startsOn : TODAY
    const until = bounds.endsOn ?? '2027-01-19'
    const made = occurrencesOf(RULES, { from, until }, 'Asia/Jerusalem').map(({ date, startTime }) => [date, startTime])
    expect(made.length).toBeGreaterThan(5)
    expect(lessonsOf(RULES, bounds).map(({ date, startTime }) => [date, startTime])).toEqual(made)
  },
)

describe('new weekly times', () => {
  const weekly = [time(0, '16:00', '17:30'), time(3, '16:00', '17:30')]

  test('of a new group begin on their day', () => {
    expect(rulesFrom([], weekly, { from: '2026-12-01', today: TODAY })).toEqual([
      rule(0, '16:00', '17:30', '2026-12-01'),
      rule(3, '16:00', '17:30', '2026-12-01'),
    ])
  })

  test('leave those that stay as they are, end those that go on the day before, and keep the past', () => {
    const after = rulesFrom(RULES, [time(0, '16:00', '17:30'), time(2, '10:00', '11:00')], {
      from: '2026-11-30',
      today: TODAY,
    })
    expect(after).toEqual([
      RULES[0],
      // That of Wednesday had not begun.
      rule(2, '09:00', '10:00', '2026-01-01', '2026-11-29'),
      RULES[3],
      rule(2, '10:00', '11:00', '2026-11-30'),
    ])
    const { added, gone } = difference(lessonsOf(RULES, EVER), lessonsOf(after, EVER))
    expect(added.map(({ date }) => date)).toEqual([
      '2026-12-01',
      '2026-12-08',
      '2026-12-15',
      '2026-12-22',
      '2026-12-29',
      '2027-01-05',
      '2027-01-12',
      '2027-01-19',
    ])
    expect(gone[0]).toEqual({ date: '2026-12-01', startTime: '09:00', endTime: '10:00' })
    expect(gone.some(({ date }) => date === '2026-12-02')).toBe(true)
  })

  test('of a day that never had a lesson are gone, and are not shown until their end', () => {
    const fresh = [rule(3, '16:00', '17:30', TODAY), rule(0, '16:00', '17:30', TODAY)]
    const after = rulesFrom(fresh, [time(0, '16:00', '17:30')], { from: '2026-11-25', today: TODAY })
    expect(after).toEqual([fresh[1]])
    expect(timesOf([rule(3, '16:00', '17:30', '2026-01-01', TODAY)], TODAY)).toEqual([])
  })

  test('are shown once each, by the days of the week, without those that are past', () => {
    const twice = [...RULES, rule(0, '16:00', '17:30', '2026-12-11')]
    expect(timesOf(twice, TODAY).map(({ weekday, startTime }) => [weekday, startTime])).toEqual([
      [0, '16:00'],
      [2, '09:00'],
      [3, '16:00'],
    ])
    // What nobody has touched is saved as it was.
    expect(rulesFrom(twice, timesOf(twice, TODAY), { from: TODAY, today: TODAY })).toEqual(twice)
  })

  test('that overlap are found; those that only touch do not', () => {
    expect(
      overlapping([time(0, '16:00', '17:00'), time(0, '17:00', '18:00'), time(1, '16:00', '17:00')]),
    ).toBeUndefined()
    expect(overlapping([time(0, '16:00', '17:00'), time(1, '16:30', '17:30'), time(0, '16:30', '17:30')])).toBe(2)
  })
})
