/** What people type, as the API wants it: digits of any script, money with separators of either kind, dates in any order. */

const MARKS = /[\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Arabic and Persian digits and separators as Western ones; marks of direction, which are pasted along, are gone. */
export const plainDigits = (text: string): string =>
  text
    .replaceAll(MARKS, '')
    .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replaceAll(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',')

const CURRENCY = ['₪', String.raw`\$`, '€', 'ILS', 'NIS', 'USD', 'EUR', 'ש["״]ח', 'شيكل', 'شاقل'].join('|')
const CURRENCIES = new RegExp(`^(?:${CURRENCY})|(?:${CURRENCY})$`, 'gi')

const GROUPED = {
  ',': /^\d{1,3}(?:,\d{3})+$/,
  '.': /^\d{1,3}(?:\.\d{3})+$/,
}

/** The digits before and after the decimal point; undefined: it is no number, or could be two. */
const split = (number: string): [whole: string, fraction: string] | undefined => {
  const last = Math.max(number.lastIndexOf(','), number.lastIndexOf('.'))
  if (last === -1) return [number, '']
  const point = number[last] as ',' | '.'
  const grouping = point === ',' ? '.' : ','
  const [before, after] = [number.slice(0, last), number.slice(last + 1)]
  const isMixed = before.includes(grouping)
  if (isMixed) return GROUPED[grouping].test(before) ? [before.replaceAll(grouping, ''), after] : undefined
  if (GROUPED[point].test(number)) {
    // 1,234 is a thousand here; 1.234 is a thousand elsewhere, and nobody means a thousandth: ask.
    return point === ',' || before.includes('.') ? [number.replaceAll(point, ''), ''] : undefined
  }
  return before.includes(point) ? undefined : [before, after]
}

/**
 * An amount of money in the smallest unit of its currency: `1,234.5`, `1.234,50`, `₪ 450` or `٤٥٠` with two digits are
 * 123450, 123450, 45000 and 45000.
 * @param digits after the point: 2 for most currencies
 * @returns undefined: it is no amount, or could be two
 */
export const parseMoney = (typed: string, digits = 2): number | undefined => {
  const bare = plainDigits(typed)
    .replaceAll(/[\s\u00a0\u202f]/g, '')
    .replaceAll(CURRENCIES, '')
  const isNegative = bare.startsWith('-') || bare.startsWith('−')
  const [whole = '', fraction = ''] = split(isNegative ? bare.slice(1) : bare) ?? ['x']
  if (!/^\d*$/.test(whole + fraction) || whole + fraction === '' || fraction.length > digits) return undefined
  const minor = Number((whole || '0') + fraction.padEnd(digits, '0'))
  if (!Number.isSafeInteger(minor)) return undefined
  return isNegative ? -minor : minor
}

/** How many digits a currency has after its point. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** 123450 → 1234.50, as one goes on typing. */
export const writeMoney = (minor: number, digits = 2): string => {
  const sign = minor < 0 ? '-' : ''
  const all = String(Math.abs(minor)).padStart(digits + 1, '0')
  return digits === 0 ? sign + all : `${sign}${all.slice(0, -digits)}.${all.slice(-digits)}`
}

const isDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** The three parts of a date, as they stand; undefined: it has not three. */
const partsOfDate = (typed: string): [string, string, string] | undefined => {
  const plain = plainDigits(typed).trim()
  const joined = /^(\d\d)(\d\d)(\d{4})$/.exec(plain)
  const parts = joined ? joined.slice(1) : plain.split(/\s*[/.\-\s]\s*/)
  return parts.length === 3 && parts.every((part) => /^\d{1,4}$/.test(part))
    ? (parts as [string, string, string])
    : undefined
}

/**
 * What a date says of the order in which dates are written beside it: 24/11/2026 has the day first, 11/24/2026 the month,
 * and 3/4/2026 may have either.
 * @returns undefined: it says nothing, such as 2026-11-24 or 3/3/2026
 */
export const orderOfDate = (typed: string): 'day' | 'month' | 'either' | undefined => {
  const [a, b, c] = partsOfDate(typed) ?? []
  if (a === undefined || b === undefined || c === undefined || a.length > 2) return undefined
  const [first, second] = [Number(a), Number(b)]
  if (first > 12) return second > 12 ? undefined : 'day'
  if (second > 12) return 'month'
  return first === second ? undefined : 'either'
}

/**
 * A date: 24/11/2026, 24.11.26, 24-11-2026, 24112026 and 2026-11-24 are the same. The day comes before the month, as
 * people here write it, unless it can only be the other way round.
 * @param latest of a year in two digits, the century is the last one that has the date no later than this one. Without
 *   it, the century is this one.
 * @param isMonthFirst among dates of which others have the month first
 * @returns YYYY-MM-DD; undefined: it is no date
 */
export const parseTypedDate = (typed: string, latest?: string, isMonthFirst = false): string | undefined => {
  const parts = partsOfDate(typed)
  if (!parts) return undefined
  const [a, b, c] = parts
  const [dayFirst, monthFirst] = [
    [c, b, a],
    [c, a, b],
  ]
  const orders = a.length > 2 ? [parts] : isMonthFirst ? [monthFirst, dayFirst] : [dayFirst, monthFirst]
  for (const [year = '', month = '', day = ''] of orders) {
    const numbers = [year.length === 2 ? 2000 + Number(year) : Number(year), Number(month), Number(day)] as const
    const isWhole = year.length === 4 || (year.length === 2 && a.length <= 2)
    if (!isWhole || !isDay(...numbers)) continue
    const write = (century: number) =>
      numbers.map((part, at) => String(at === 0 ? part - century : part).padStart(at === 0 ? 4 : 2, '0')).join('-')
    return year.length === 2 && latest !== undefined && write(0) > latest ? write(100) : write(0)
  }
  return undefined
}

/**
 * A time of the day: 16:30, 16.30, 1630 and 16 are taken.
 * @returns HH:MM; undefined: it is no time
 */
export const parseTypedTime = (typed: string): string | undefined => {
  const bare = plainDigits(typed).trim()
  const parts = /^(\d{1,2})(?:\s*[:.,\s]\s*(\d{2})|(\d{2}))?$/.exec(bare)
  if (!parts) return undefined
  const [hour, minute] = [Number(parts[1]), Number(parts[2] ?? parts[3] ?? 0)]
  if (hour > 23 || minute > 59) return undefined
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** What an address says of a day: nothing where it is none. */
export const dayOf = (text: string | undefined): string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? (parseTypedDate(text) ?? '') : ''
