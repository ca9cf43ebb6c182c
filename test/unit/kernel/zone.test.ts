import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test, vi } from 'vitest'
import {
  addDays,
  compareDates,
  isDate,
  isTimeZone,
  localDate,
  localInstant,
  monthRange,
  startOfLocalDay,
  weekdayOf,
  yearOf,
} from '#kernel/time/zone.ts'
import { volume } from '#kit/volume.ts'

const JERUSALEM = 'Asia/Jerusalem'
const DAY = 86_400_000

describe('isTimeZone', () => {
  test.each([
    JERUSALEM,
    'Asia/Tel_Aviv',
    'UTC',
    'Etc/GMT+5',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
  ])('takes %s', (name) => {
    expect(isTimeZone(name)).toBe(true)
  })

  test('takes every zone that the runtime lists', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name))).toEqual([])
  })

  test.each([
    '',
    ' ',
    'Mars/Olympus_Mons',
    'asia/jerusalem',
    'ASIA/JERUSALEM',
    'utc',
    ' Asia/Jerusalem',
    'Asia/Jerusalem ',
    'Asia/Jerusalem\0',
    '+02:00',
    '-05',
    'Z',
    '2026-01-01T00:00[Asia/Jerusalem]',
    '../etc/passwd',
    'A'.repeat(10_000),
  ])('refuses %j', (name) => {
    expect(isTimeZone(name)).toBe(false)
  })
})

describe('isDate', () => {
  test.each(['1900-01-01', '2200-12-31', '2024-02-29', '2000-02-29', '2026-12-31'])('takes %s', (date) => {
    expect(isDate(date)).toBe(true)
  })

  test.each([
    '',
    '1899-12-31',
    '2201-01-01',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
    '2026-1-1',
    '20260101',
    '2026-01-01T00:00',
    '2026-01-01 ',
    '2026-01-01\n',
    '+002026-01-01',
    '٢٠٢٦-٠١-٠١',
    '2026-W01-1',
  ])('refuses %j', (date) => {
    expect(isDate(date)).toBe(false)
  })
})

describe('calendar dates', () => {
  test('addDays crosses months, years, leap days and clock changes, both ways', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
    expect(addDays('2026-03-26', 2)).toBe('2026-03-28')
    expect(addDays('2026-03-26', 0)).toBe('2026-03-26')
  })

  test('addDays and compareDates agree with each other', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -400, max: 400 }), (date, days) => {
        expect(Math.sign(compareDates(addDays(date, days), date))).toBe(Math.sign(days))
        expect(addDays(addDays(date, days), -days)).toBe(date)
      }),
    )
  })

  test('compareDates orders an array', () => {
    expect(['2026-10-01', '2025-12-31', '2026-09-30'].toSorted(compareDates)).toEqual([
      '2025-12-31',
      '2026-09-30',
      '2026-10-01',
    ])
  })

  test('weekdayOf counts from Sunday', () => {
    const week = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07']
    expect(week.map(weekdayOf)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('weekdayOf is the UTC weekday of the date', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        expect(weekdayOf(date)).toBe(new Date(date).getUTCDay())
      }),
    )
  })

  test('yearOf is the year as a number', () => {
    expect(yearOf('2026-12-31')).toBe(2026)
  })

  test('a text that is not a date throws a RangeError', () => {
    expect(() => addDays('2026-02-30', 1)).toThrow(RangeError)
    expect(() => weekdayOf('Sunday')).toThrow(RangeError)
    expect(() => yearOf('')).toThrow(RangeError)
  })
})

describe('localDate', () => {
  test('is the date on the wall of that zone', () => {
    expect(localDate('2026-01-31T21:59:59.999Z', JERUSALEM)).toBe('2026-01-31')
    expect(localDate('2026-01-31T22:00:00.000Z', JERUSALEM)).toBe('2026-02-01')
    expect(localDate('2026-07-31T21:00:00.000Z', JERUSALEM)).toBe('2026-08-01')
    expect(localDate('2026-01-01T00:00:00.000Z', 'America/New_York')).toBe('2025-12-31')
    expect(localDate('2026-01-01T00:00:00.000Z', 'UTC')).toBe('2026-01-01')
  })

  test('an unknown zone or a text that is no instant is a RangeError', () => {
    expect(() => localDate('2026-01-01T00:00:00.000Z', 'Mars/Olympus_Mons')).toThrow(RangeError)
    expect(() => localDate('2026-01-01', JERUSALEM)).toThrow(RangeError)
  })

  test('agrees with the runtime everywhere', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (instant, zone) => {
        expect(localDate(instant, zone)).toBe(wallClock(instant, zone).slice(0, 10))
      }),
    )
  })
})

describe('startOfLocalDay', () => {
  test('is local midnight', () => {
    expect(startOfLocalDay('2026-01-15', JERUSALEM)).toBe('2026-01-14T22:00:00.000Z')
    expect(startOfLocalDay('2026-07-15', JERUSALEM)).toBe('2026-07-14T21:00:00.000Z')
  })

  test('is 01:00 where the clock change skips midnight', () => {
    expect(startOfLocalDay('2026-03-29', 'Asia/Beirut')).toBe('2026-03-28T22:00:00.000Z')
    expect(wallClock('2026-03-28T22:00:00.000Z', 'Asia/Beirut')).toBe('2026-03-29T01:00')
  })

  test('is the end of the gap where the clock change skips the time around midnight', () => {
    // Toronto, 1919: 23:30 on 30 March became 00:30 on the 31st.
    expect(startOfLocalDay('1919-03-31', 'America/Toronto')).toBe('1919-03-31T04:30:00.000Z')
  })

  test('is the first midnight where midnight occurs twice', () => {
    expect(startOfLocalDay('2026-11-01', 'America/Havana')).toBe('2026-11-01T04:00:00.000Z')
  })

  test('is the first instant of its date everywhere', () => {
    fc.assert(
      fc.property(anyDate, anyZone, (date, zone) => {
        const start = startOfLocalDay(date, zone)
        expect(localDate(start, zone)).toBe(date)
        expect(localDate(plus(start, -1), zone)).toBe(addDays(date, -1))
      }),
    )
  })
})

describe('localInstant', () => {
  test('reads the time on the wall of that zone', () => {
    expect(localInstant('2026-01-15', '09:30', JERUSALEM)).toBe('2026-01-15T07:30:00.000Z')
    expect(localInstant('2026-07-15', '09:30', JERUSALEM)).toBe('2026-07-15T06:30:00.000Z')
    expect(localInstant('2026-01-15', '23:59', 'Pacific/Auckland')).toBe('2026-01-15T10:59:00.000Z')
  })

  test('moves a time that the clock change skips forward by the gap', () => {
    // Israel, 27 March 2026: 02:00 becomes 03:00.
    expect(localInstant('2026-03-27', '01:59', JERUSALEM)).toBe('2026-03-26T23:59:00.000Z')
    expect(localInstant('2026-03-27', '02:00', JERUSALEM)).toBe('2026-03-27T00:00:00.000Z')
    expect(localInstant('2026-03-27', '02:30', JERUSALEM)).toBe('2026-03-27T00:30:00.000Z')
    expect(localInstant('2026-03-27', '03:30', JERUSALEM)).toBe('2026-03-27T00:30:00.000Z')
  })

  test('moves by half an hour where the gap is half an hour', () => {
    // Lord Howe, 4 October 2026: 02:00 becomes 02:30.
    const moved = localInstant('2026-10-04', '02:10', 'Australia/Lord_Howe')
    expect(wallClock(moved, 'Australia/Lord_Howe')).toBe('2026-10-04T02:40')
  })

  test('takes the first of a time that occurs twice', () => {
    // Israel, 25 October 2026: 02:00 becomes 01:00.
    expect(localInstant('2026-10-25', '01:30', JERUSALEM)).toBe('2026-10-24T22:30:00.000Z')
    expect(localInstant('2026-10-25', '00:59', JERUSALEM)).toBe('2026-10-24T21:59:00.000Z')
    expect(localInstant('2026-10-25', '02:00', JERUSALEM)).toBe('2026-10-25T00:00:00.000Z')
  })

  test('is, everywhere, the first instant that shows the time, or a later time when none does', () => {
    fc.assert(
      fc.property(anyDate, anyTime, anyZone, (date, time, zone) => {
        const wanted = `${date}T${time}`
        const instant = localInstant(date, time, zone)
        const shown = wallClock(instant, zone)
        const minutesBefore = [15, 30, 60, 120].map((minutes) => wallClock(plus(instant, -minutes * 60_000), zone))
        expect(minutesBefore).not.toContain(wanted)
        if (shown === wanted) return
        expect(shown > wanted).toBe(true)
        const gap = Date.parse(`${shown}Z`) - Date.parse(`${wanted}Z`)
        expect(wallClock(plus(instant, -gap), zone) < wanted).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('is what Temporal says, in every zone, around every change of the clocks and away from them', () => {
    const asTemporal = (date: string, time: string, zone: string): string =>
      new Date(Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone).epochMilliseconds).toISOString()
    const wrong: string[] = []
    for (const zone of ['Pacific/Apia', 'Asia/Manila', 'Africa/Monrovia', ...Intl.supportedValuesOf('timeZone')]) {
      let moment: Temporal.ZonedDateTime | null = Temporal.ZonedDateTime.from(`2019-01-01T00:00[${zone}]`)
      const dates = ['1969-12-31', '2026-02-28', '2031-07-01']
      for (let count = 0; count < volume(2, 4) && moment; count += 1) {
        const date = moment.toPlainDate().toString()
        dates.push(...[-3, -2, -1, 0, 1, 2, 3].map((days) => addDays(date, days)))
        moment = moment.getTimeZoneTransition('next')
      }
      for (const date of dates) {
        for (const time of ['00:00', '01:30', '02:30', '12:00', '23:59']) {
          const read = localInstant(date, time, zone)
          if (read !== asTemporal(date, time, zone)) wrong.push(`${date}T${time} ${zone}: ${read}`)
          const shown = Temporal.Instant.from(read).toZonedDateTimeISO(zone).toPlainDate().toString()
          if (localDate(read, zone) !== shown) wrong.push(`${read} in ${zone}: ${localDate(read, zone)}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('asks for the rules of a zone a few times for a year of days, not for each', () => {
    const asked = vi.spyOn(Temporal.Instant, 'fromEpochMilliseconds')
    const parsed = vi.spyOn(Temporal.PlainDateTime, 'from')
    for (let day = 0; day < 365; day += 1) {
      for (const time of ['09:00', '10:30', '17:00']) localInstant(addDays('2027-01-01', day), time, 'Asia/Hebron')
    }
    // Two to four clock changes a year, and four days around each of them.
    expect(asked.mock.calls.length + parsed.mock.calls.length).toBeLessThan(150)
    vi.restoreAllMocks()
  })

  test('a text that is not a time of day throws a RangeError', () => {
    expect(() => localInstant('2026-01-01', '24:00', JERUSALEM)).toThrow(RangeError)
    expect(() => localInstant('2026-01-01', '9:30', JERUSALEM)).toThrow(RangeError)
    expect(() => localInstant('2026-02-30', '09:30', JERUSALEM)).toThrow(RangeError)
  })
})

describe('monthRange', () => {
  test('is the month of a date, by the clock of that zone', () => {
    const march = { start: '2026-02-28T22:00:00.000Z', end: '2026-03-31T21:00:00.000Z' }
    expect(monthRange('2026-03-01', JERUSALEM)).toEqual(march)
    expect(monthRange('2026-03-31', JERUSALEM)).toEqual(march)
  })

  test('is the month of an instant, as people there would call it', () => {
    const december = { start: '2025-11-30T22:00:00.000Z', end: '2025-12-31T22:00:00.000Z' }
    expect(monthRange('2025-12-31T21:59:59.999Z', JERUSALEM)).toEqual(december)
    expect(monthRange('2025-12-31T22:00:00.000Z', JERUSALEM).start).toBe(december.end)
  })

  test('leaves no instant between two months', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (instant, zone) => {
        const { start, end } = monthRange(instant, zone)
        expect(start <= instant && instant < end).toBe(true)
        expect(monthRange(end, zone).start).toBe(end)
      }),
    )
  })
})

const anyDate = fc.integer({ min: 0, max: 40_000 }).map((day) => new Date(day * DAY).toISOString().slice(0, 10))
const anyTime = fc
  .integer({ min: 0, max: 1439 })
  .map((minute) => new Date(minute * 60_000).toISOString().slice('1970-01-01T'.length, '1970-01-01T00:00'.length))
const anyInstant = fc.integer({ min: 0, max: 40_000 * DAY }).map((millis) => new Date(millis).toISOString())
const anyZone = fc.constantFrom(
  JERUSALEM,
  'Asia/Amman',
  'Asia/Beirut',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'UTC',
)

const formats = new Map<string, Intl.DateTimeFormat>()

/** The local time of an instant, from the runtime's own time zone data: YYYY-MM-DDTHH:MM. */
function wallClock(instant: string, zone: string): string {
  let format = formats.get(zone)
  if (!format) {
    const options = { dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' } as const
    format = new Intl.DateTimeFormat('sv-SE', { ...options, timeZone: zone })
    formats.set(zone, format)
  }
  return format.format(new Date(instant)).replace(' ', 'T')
}

function plus(instant: string, millis: number): string {
  return new Date(Date.parse(instant) + millis).toISOString()
}
