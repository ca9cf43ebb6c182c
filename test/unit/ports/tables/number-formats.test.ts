import { describe, expect, test } from 'vitest'
import { numberFormat, numberText } from '#ports/tables/xlsx/number-format.ts'

/** What a number means, by the formats that spreadsheet programs write. */

const text = (code: string | number, value: number, is1904 = false): string => {
  const format = typeof code === 'number' ? numberFormat(code, undefined) : numberFormat(164, code)
  return numberText(value, format(value), { is1904 })
}

const AMOUNT = 450.5
const MOMENT = 41_234.5625
const [DAY, AT] = ['2012-11-21', '2012-11-21 13:30']

describe('amounts and other numbers', () => {
  test.each([
    // LibreOffice, in Hebrew, Arabic and English.
    '[$₪-40D]\\ #,##0.00',
    '[$₪-40D] #,##0.00',
    '#,##0.00\\ [$₪-40D];[RED]\\-#,##0.00\\ [$₪-40D]',
    '[$₪-40D]\\ #,##0.00;[RED]\\-[$₪-40D]\\ #,##0.00',
    '[$ر.س.-401]\\ #,##0.00',
    '[$د.إ.‏-3801]\\ #,##0.00',
    '[$USD]\\ #,##0.00',
    '[$-D000409]0.00',
    '"จริง";"จริง";"เท็จ"',
    '[>=100]0.00;[BLUE]0',
    'General" שעות"',
    '"days "0.00',
    // Excel.
    'General',
    '@',
    '0.00E+00',
    '# ?/?',
    '0.00%',
    '#,##0.00\\ "₪";[Red]\\-#,##0.00\\ "₪"',
    '_-* #,##0.00\\ [$€-1]_-;\\-* #,##0.00\\ [$€-1]_-;_-* "-"??\\ [$€-1]_-;_-@_-',
    '_ [$₪-40D]\\ * #,##0.00_ ;_ [$₪-40D]\\ * \\-#,##0.00_ ;_ [$₪-40D]\\ * "-"??_ ;_ @_ ',
    '[$₪-he-IL] #,##0.00',
    '#,##0.00 "ש""ח"',
    '[$-2000401]0.00',
    '[<0]"dd/mm/yyyy";0.00',
    '\\d0.00\\h',
    '[Color10]0.00;[Color 3]\\-0.00',
    '0.00;;"yyyy"',
    '_d0.00_y',
    '*y0.00',
    // Google Sheets.
    '[$₪]#,##0.00',
    '[$ ₪]#,##0.00',
    '"₪"#,##0.00',
    '[$₪-40D]#,##0.00',
    '#,##0.00\\ [$₪-1]',
    '0" hrs"',
    // What none can read.
    '[$₪-40D #,##0',
    'Standard',
    'd'.repeat(1001),
  ])('%s', (code) => expect(text(code, AMOUNT)).toBe('450.5'))

  test.each([0, 1, 2, 3, 4, 9, 10, 11, 12, 13, 37, 38, 39, 40, 41, 42, 43, 44, 48, 49, 59, 60, 61, 62, 67, 68, 69, 70])(
    'the format that is known by its number %i',
    (id) => expect(text(id, AMOUNT)).toBe('450.5'),
  )

  test.each([
    [0.1 + 0.2, '0.3'],
    [1250.0999999999999, '1250.1'],
    [972_501_234_567, '972501234567'],
    [-45, '-45'],
  ])('%f has fifteen digits, as it is shown', (value, wanted) => expect(text('General', value)).toBe(wanted))

  test.each([
    ['000000000', 12_345_678, '012345678'],
    ['0000000000', 501_234_567, '0501234567'],
    ['000\\-0000000', 501_234_567, '050-1234567'],
    ['000-0000000;@', 501_234_567, '050-1234567'],
    ['(000) 000-0000', 5_551_234_567, '(555) 123-4567'],
    // What has a fraction, or one digit at least, is a quantity.
    ['00', 4.5, '4.5'],
    ['0', 5, '5'],
  ])('%s keeps the digits in front of %d', (code, value, wanted) => expect(text(code, value)).toBe(wanted))
})

describe('days and times', () => {
  test.each([
    // LibreOffice.
    ['[$-40D]d\\ mmmm\\ yyyy', DAY],
    ['d\\ mmmm\\ yyyy', DAY],
    ['[$-107041E]d\\ mmm\\ yyyy', DAY],
    ['[$-1]dddd, mmmm\\ dd", "yyyy', DAY],
    ['ddd\\ dd\\ mmm', DAY],
    ['[$-1060401]dd/mm/yyyy', DAY],
    ['[DBNum1][$-40D]d\\ mmm\\ yyyy', DAY],
    ['QQ\\ yy', DAY],
    ['dd/mm/yy\\ hh:mm', AT],
    ['yyyy\\-mm\\-dd"T"hh:mm:ss', AT],
    // Excel.
    ['dd/mm/yyyy;@', DAY],
    ['yyyy\\-mm\\-dd;@', DAY],
    ['[$-40D]dddd, d" ב"mmmm yyyy', DAY],
    ['[$-2010401]d/mm/yyyy;@', DAY],
    ['[$-2060401]B2dd/mm/yyyy', DAY],
    ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', DAY],
    ['[$-he-IL]d mmmm', DAY],
    ['[$-D07041E]d mmm yyyy', DAY],
    ['[$-411]ge.m.d', DAY],
    ['[Red]dd/mm/yyyy', DAY],
    ['mmmm', DAY],
    ['mm/yyyy', DAY],
    ['m/d/yy h:mm', AT],
    ['[$-409]m/d/yy h:mm AM/PM;@', AT],
    // Google Sheets.
    ['d/m/yyyy', DAY],
    ['yyyy"-"mm"-"dd', DAY],
    ['ddd", "d" "mmm" "yyyy', DAY],
    ['d/m/yyyy h:mm:ss', AT],
  ])('%s is a day', (code, wanted) => expect(text(code, MOMENT)).toBe(wanted))

  test.each([
    ['hh:mm', 0.5625, '13:30'],
    ['[$-409]h:mm AM/PM;@', 0.5625, '13:30'],
    ['[$-F400]h:mm:ss\\ AM/PM', 0.5, '12:00'],
    ['mm:ss.00', 0.003_472_222_222, '00:05'],
    ['h "שעות" m "דקות"', 0.25, '06:00'],
    ['[hh]:mm:ss', 1.5, '36:00'],
    ['[h]:mm', 2.020_833_333_3, '48:30'],
    ['[mm]:ss', 0.062_511_574, '01:30:01'],
    ['m/d/yyyy h:mm', 0.75, '18:00'],
    // A time of a day that there is.
    ['h:mm', MOMENT, AT],
  ])('%s is a time', (code, value, wanted) => expect(text(code, value)).toBe(wanted))

  test.each([
    [14, MOMENT, DAY],
    [15, MOMENT, DAY],
    [17, MOMENT, DAY],
    [20, 0.5625, '13:30'],
    [22, MOMENT, AT],
    [27, 41_234, DAY],
    [31, 41_234, DAY],
    [32, 0.5, '12:00'],
    [36, 41_234, DAY],
    [45, 0.5, '12:00'],
    [46, 1.5, '36:00'],
    [50, 41_234, DAY],
    [58, 41_234, DAY],
    [81, 41_234, DAY],
  ])('the format that is known by its number %i', (id, value, wanted) => expect(text(id, value)).toBe(wanted))

  test('each number has the section that shows it', () => {
    const code = '[>40000]dd/mm/yyyy;[>1]0.00;hh:mm'
    expect([MOMENT, AMOUNT, 0.5].map((value) => text(code, value))).toEqual([DAY, '450.5', '12:00'])
    expect([5, -5, 0].map((value) => text('dd/mm/yyyy;0;"0"', value))).toEqual(['1900-01-05', '-5', '0'])
  })

  test.each([
    [1, false, '1900-01-01'],
    [59, false, '1900-02-28'],
    [61, false, '1900-03-01'],
    [2_958_465, false, '9999-12-31'],
    [39_772, true, '2012-11-21'],
    // What is no day of the calendar stays a number.
    [-1, false, '-1'],
    [2_958_466, false, '2958466'],
  ])('%d is a day of the calendar (1904: %s)', (value, is1904, wanted) =>
    expect(text('dd/mm/yyyy', value, is1904)).toBe(wanted),
  )
})
