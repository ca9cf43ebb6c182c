import { describe, expect, test } from 'vitest'
import { parseMoney, parseTypedDate, parseTypedTime, plainDigits, writeMoney } from '#shared/typed.ts'

describe('money that people type', () => {
  test.each([
    ['450', 45_000],
    ['450.5', 45_050],
    ['450,50', 45_050],
    ['1,234', 123_400],
    ['1,234.5', 123_450],
    ['1.234,56', 123_456],
    ['1,234,567.89', 123_456_789],
    ['1.234.567,89', 123_456_789],
    ['₪ 1,234.50', 123_450],
    ['450 ₪', 45_000],
    ['450 ש"ח', 45_000],
    ['٤٥٠', 45_000],
    ['١٬٢٣٤٫٥٠', 123_450],
    ['۴۵۰', 45_000],
    ['\u200f450\u200e', 45_000],
    ['1 234', 123_400],
    ['.5', 50],
    ['-20', -2000],
    ['0', 0],
  ])('%s', (typed, minor) => expect(parseMoney(typed)).toBe(minor))

  test.each([
    '',
    ' ',
    'abc',
    '1.234',
    '1,23,4',
    '12,34,567',
    '1.2.3',
    '450.123',
    '4 5 0 x',
    '1e3',
    '--5',
    '9'.repeat(20),
  ])('%j is no amount, or could be two', (typed) => expect(parseMoney(typed)).toBeUndefined())

  test('a currency without a smaller unit takes no fraction', () => {
    expect([parseMoney('450', 0), parseMoney('450.5', 0), parseMoney('1,234', 0)]).toEqual([450, undefined, 1234])
  })

  test('what is written can be typed again', () => {
    for (const minor of [0, 5, 50, 45_000, 123_456_789, -2000]) expect(parseMoney(writeMoney(minor))).toBe(minor)
    expect([writeMoney(123_450), writeMoney(450, 0)]).toEqual(['1234.50', '450'])
  })
})

describe('dates that people type', () => {
  test.each([
    ['24/11/2026', '2026-11-24'],
    ['24.11.26', '2026-11-24'],
    ['24-11-2026', '2026-11-24'],
    ['2026-11-24', '2026-11-24'],
    ['2026/11/24', '2026-11-24'],
    ['11/24/2026', '2026-11-24'],
    ['3/4/2026', '2026-04-03'],
    ['٢٤/١١/٢٠٢٦', '2026-11-24'],
    [' 1 / 2 / 2026 ', '2026-02-01'],
    ['24112026', '2026-11-24'],
  ])('%s', (typed, date) => expect(parseTypedDate(typed)).toBe(date))

  test.each([
    ['3/4/15', '2015-04-03'],
    ['24.11.26', '2026-11-24'],
    ['25.11.26', '1926-11-25'],
    ['1.2.80', '1980-02-01'],
    ['1.2.2080', '2080-02-01'],
  ])('%s lies behind us', (typed, date) => expect(parseTypedDate(typed, '2026-11-24')).toBe(date))

  test.each(['', '24/11', '31/2/2026', '24/11/202', '2026-13-40', 'tomorrow', '1/2/3/4', '99/99/9999'])(
    '%j is none',
    (typed) => expect(parseTypedDate(typed)).toBeUndefined(),
  )
})

test('digits of every script are the same digits', () => {
  expect(plainDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ 0123456789')).toBe('0123456789 0123456789 0123456789')
})

test.each([
  ['16:30', '16:30'],
  ['1630', '16:30'],
  ['930', '09:30'],
  ['16', '16:00'],
  [' 9.05 ', '09:05'],
  ['١٦:٣٠', '16:30'],
  ['\u200f16:30', '16:30'],
  ['0:00', '00:00'],
  ['24:00', undefined],
  ['16:60', undefined],
  ['163', undefined],
  ['16:3', undefined],
  ['noon', undefined],
  ['', undefined],
])('a time of the day that people type: %s', (typed, time) => {
  expect(parseTypedTime(typed)).toBe(time)
})
