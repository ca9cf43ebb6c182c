import { getCountries, getExampleNumber } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, test } from 'vitest'
import { countryOfZone, normalisePhone, searchedPhone } from '#kernel/values/phone.ts'
import { foldQuery } from '#shared/text.ts'
import { isSamePhone, phoneKey, twinPhone } from '#shared/twin-phones.ts'

describe('countryOfZone', () => {
  test.each([
    ['Asia/Jerusalem', 'IL'],
    ['Asia/Tel_Aviv', 'IL'],
    ['Asia/Gaza', 'PS'],
    ['Asia/Hebron', 'PS'],
    ['Asia/Amman', 'JO'],
    ['Africa/Cairo', 'EG'],
    ['Asia/Calcutta', 'IN'],
    ['Asia/Kolkata', 'IN'],
    ['Europe/Amsterdam', 'NL'],
    ['Europe/Kiev', 'UA'],
    ['Europe/Kyiv', 'UA'],
    ['America/Argentina/Buenos_Aires', 'AR'],
    ['US/Eastern', 'US'],
    ['GB', 'GB'],
    ['Iceland', 'IS'],
  ])('%s lies in %s', (zone, country) => {
    expect(countryOfZone(zone)).toBe(country)
  })

  test.each(['UTC', 'Etc/GMT+3', 'CET', 'WET', 'HST', 'PST8PDT', 'Antarctica/Troll', 'Mars/Olympus_Mons', ''])(
    '%j lies in no country',
    (zone) => {
      expect(countryOfZone(zone)).toBeUndefined()
    },
  )

  test('knows the country of every time zone of the runtime, except those without phone numbers', () => {
    const without = Intl.supportedValuesOf('timeZone')
      .filter((zone) => countryOfZone(zone) === undefined)
      .filter((zone) => !/^(Antarctica|Etc)\/|^(UTC|GMT|CET|EET|MET|WET|EST|MST|HST|[A-Z]{3}\d[A-Z]{3})$/.test(zone))
    expect(without).toEqual([
      'Atlantic/South_Georgia',
      'Indian/Kerguelen',
      'Pacific/Midway',
      'Pacific/Pitcairn',
      'Pacific/Wake',
    ])
  })
})

describe('normalisePhone', () => {
  test.each([
    '050-1234567',
    '0501234567',
    '(050) 123 4567',
    '050.123.4567',
    '501234567',
    '+972 50 123 4567',
    '+972-(0)50-123-4567',
    '+972\u201150\u20111234567',
    '972501234567',
    '00972501234567',
    '٠٥٠١٢٣٤٥٦٧',
    '۰۵۰۱۲۳۴۵۶۷',
    '+٩٧٢ ٥٠ ١٢٣ ٤٥٦٧',
    '＋９７２５０１２３４５６７',
    '\u202a+972 50-123-4567\u202c',
    '\u200e050-1234567',
  ])('reads %j in Israel as +972501234567', (written) => {
    expect(normalisePhone(written, 'IL')).toBe('+972501234567')
  })

  test('takes a national number as one of the given country', () => {
    expect(normalisePhone('0791234567', 'JO')).toBe('+962791234567')
    expect(normalisePhone('0599123456', 'PS')).toBe('+970599123456')
    expect(normalisePhone('(212) 555-0123', 'US')).toBe('+12125550123')
  })

  test('takes an international number whatever the country', () => {
    expect(normalisePhone('+970 599 123 456', 'IL')).toBe('+970599123456')
    expect(normalisePhone('+44 20 7946 0958', 'IL')).toBe('+442079460958')
    expect(normalisePhone('+972501234567', undefined)).toBe('+972501234567')
  })

  test('takes numbers of prefixes that are not in use yet', () => {
    expect(normalisePhone('+15551234567', 'IL')).toBe('+15551234567')
  })

  test.each([
    '',
    ' ',
    '+',
    '050',
    '12345',
    'not-a-phone',
    'O501234567',
    '0501234567abc',
    'call 0501234567',
    '0501234567, 0521234567',
    '0501234567/0521234567',
    '*6050',
    '++972501234567',
    '+999123456789',
    '+1234567890123456',
    '12345678901234567',
    '0000000000',
    '+972000000000',
    '050-1234567 ext 5',
    '050-1234567x5',
    '0'.repeat(10_000),
    '=cmd|',
  ])('refuses %j', (written) => {
    expect(normalisePhone(written, 'IL')).toBeUndefined()
  })

  test('refuses a national number where no country is known', () => {
    expect(normalisePhone('0501234567', undefined)).toBeUndefined()
  })

  test('reads the national and the international form of every country alike', () => {
    const odd = getCountries().filter((country) => {
      const number = getExampleNumber(country, examples)
      if (!number) return true
      const read = [
        normalisePhone(number.formatNational(), country),
        normalisePhone(number.formatInternational(), 'IL'),
        normalisePhone(number.number, country),
      ]
      return read.some((e164) => e164 !== number.number)
    })
    expect(odd).toEqual([])
  })
})

describe('searchedPhone', () => {
  test('is found by the number as people of its country and of others write it, in every country', () => {
    const lost = getCountries().filter((country) => {
      const number = getExampleNumber(country, examples)
      if (!number) return true
      const searched = searchedPhone(number.number)
      return [number.formatNational(), number.formatInternational()].some((q) => !searched.includes(foldQuery(q)))
    })
    expect(lost).toEqual([])
  })
})

describe('a Palestinian mobile has two country codes', () => {
  test.each([
    ['+970599123456', '+972599123456'],
    ['+970569123456', '+972569123456'],
  ])('%s and %s are one phone', (one, other) => {
    expect([twinPhone(one), twinPhone(other)]).toEqual([other, one])
    expect([isSamePhone(one, other), phoneKey(one) === phoneKey(other)]).toEqual([true, true])
    const national = one.replace('+970', '0')
    for (const stored of [one, other]) {
      for (const typed of [one, other, other.slice(1), national]) {
        expect(searchedPhone(stored)).toContain(foldQuery(typed))
      }
    }
  })

  test.each(['+972501234567', '+970599123', '+97059912345678', '+970229123456', '+962599123456', '+972589123456'])(
    '%s has one',
    (phone) => {
      expect([twinPhone(phone), phoneKey(phone)]).toEqual([phone, phone])
      expect(searchedPhone(phone).split(' ')).toHaveLength(2)
    },
  )
})
