import { isValidFormat, tokenize, tokenTypes, type FormatToken } from 'numfmt'

/**
 * What a number in a cell means, by the grammar of its number format: the letters of a date are no date in quotation
 * marks, behind a backslash, or within the name and language of a currency (`[$₪-40D]`).
 */
export interface Meaning {
  isDate: boolean
  isTime: boolean
  /** `[h]:mm` counts the hours of all days. */
  isElapsed: boolean
  /** Digits that are kept in front and put in groups, as in identity and phone numbers: `000\-0000000`. */
  digits?: readonly string[]
}

export const QUANTITY: Meaning = { isDate: false, isTime: false, isElapsed: false }
const DATE: Meaning = { ...QUANTITY, isDate: true }
const TIME: Meaning = { ...QUANTITY, isTime: true }
const DATE_TIME: Meaning = { ...DATE, isTime: true }
const ELAPSED: Meaning = { ...TIME, isElapsed: true }

/** Those that Excel knows by their number alone (ECMA-376 part 1, 18.8.30). Some are a date in one language, a time in another. */
const KNOWN: readonly (readonly [from: number, to: number, Meaning])[] = [
  [14, 17, DATE],
  [18, 21, TIME],
  [22, 22, DATE_TIME],
  [27, 36, DATE_TIME],
  [45, 45, TIME],
  [46, 46, ELAPSED],
  [47, 47, TIME],
  [50, 58, DATE_TIME],
  [71, 81, DATE_TIME],
]

/** Excel takes 255 characters. */
const MAX_CODE = 1000

/** What may stand between the digits of a number that is no quantity. */
const BETWEEN_DIGITS = /^[-() /]$/

const literalOf = ({ type, value }: FormatToken): string | undefined =>
  typeof value === 'string' && type !== tokenTypes.ZERO && BETWEEN_DIGITS.test(value) ? value : undefined

const digitsOf = (tokens: readonly FormatToken[]): readonly string[] | undefined => {
  const pattern = tokens.map((token) => (token.type === tokenTypes.ZERO ? '0' : (literalOf(token) ?? 'other')))
  const isPadded = pattern.filter((one) => one === '0').length > 1 && !pattern.includes('other')
  return isPadded ? pattern : undefined
}

const meaningOf = (tokens: readonly FormatToken[]): Meaning => {
  const isElapsed = tokens.some(({ type }) => type === tokenTypes.DURATION)
  const letters = tokens.filter(({ type }) => type === tokenTypes.DATETIME).map(({ raw }) => raw.toLowerCase())
  if (letters.length === 0 && !isElapsed) {
    const digits = digitsOf(tokens)
    return digits ? { ...QUANTITY, digits } : QUANTITY
  }
  const isTime = isElapsed || letters.some((one) => /^[hs]/.test(one))
  // `m` is minutes beside hours or seconds, and else months.
  const isDate = letters.some((one) => /^(?:[^hsm]|m{3})/.test(one) || (one.startsWith('m') && !isTime))
  return { isDate, isTime, isElapsed }
}

interface Section extends Meaning {
  /** The numbers that it is for; undefined: it says nothing of that. */
  holds?: (value: number) => boolean
}

const COMPARED: Readonly<Record<string, (value: number, other: number) => boolean>> = {
  '<': (value, other) => value < other,
  '<=': (value, other) => value <= other,
  '>': (value, other) => value > other,
  '>=': (value, other) => value >= other,
  '=': (value, other) => value === other,
  '<>': (value, other) => value !== other,
}

const sectionOf = (tokens: readonly FormatToken[]): Section => {
  const condition = tokens.find(({ type }) => type === tokenTypes.CONDITION)
  const [, sign = '', number = ''] = /^\[([<>=]+)(.*)\]$/.exec(condition?.raw ?? '') ?? []
  const compare = COMPARED[sign]
  return { ...meaningOf(tokens), ...(compare && { holds: (value) => compare(value, Number(number)) }) }
}

const sectionsOf = (code: string): readonly [Section, ...Section[]] => {
  // No program shows a number by a format that none can read.
  if (code.length > MAX_CODE || !isValidFormat(code)) return [QUANTITY]
  const tokens = tokenize(code)
  const sections: [FormatToken[], ...FormatToken[][]] = [[]]
  for (const token of tokens) {
    if (token.type === tokenTypes.BREAK) sections.push([])
    else sections.at(-1)?.push(token)
  }
  const [first, ...more] = sections
  return [sectionOf(first), ...more.map(sectionOf)]
}

/** The section of a format that shows a number: by its conditions, else those above, below and at zero. */
const sectionFor = ([first, ...more]: readonly [Section, ...Section[]], value: number): Section => {
  const all = [first, ...more]
  if (all.some(({ holds }) => holds)) return all.find(({ holds }) => holds?.(value) ?? true) ?? first
  const [below, zero] = more
  return (value < 0 ? below : value === 0 ? zero : first) ?? first
}

/** @param code the format; undefined: one that is known by its number */
export const numberFormat = (id: number, code: string | undefined): ((value: number) => Meaning) => {
  if (code === undefined) {
    const known = KNOWN.find(([from, to]) => id >= from && id <= to)
    return () => known?.[2] ?? QUANTITY
  }
  const sections = sectionsOf(code)
  return (value) => sectionFor(sections, value)
}

const DAY_SECONDS = 86_400
const ZERO_1900 = Date.UTC(1899, 11, 30)
const ZERO_1904 = Date.UTC(1904, 0, 1)
/** The end of the year 9999. */
const MAX_DAYS = 2_958_466
/** Excel counts a 29 February in the year 1900. */
const LEAP_1900 = 60

const two = (number: number): string => String(number).padStart(2, '0')

const timeOf = (hours: number, seconds: number): string => {
  const [minute, second] = [Math.floor(seconds / 60) % 60, seconds % 60]
  return `${two(hours)}:${two(minute)}${second === 0 ? '' : `:${two(second)}`}`
}

/** As spreadsheet programs show it, with fifteen digits: 0.1 + 0.2 is 0.3. */
const plainText = (value: number): string => String(Number(value.toPrecision(15)))

const inGroups = (value: number, pattern: readonly string[]): string => {
  const places = pattern.filter((one) => one === '0').length
  const digits = String(value).padStart(places, '0')
  let at = digits.length - places
  const text = pattern.map((one) => (one === '0' ? digits[at++] : one)).join('')
  // More digits than places stand in front.
  return digits.slice(0, digits.length - places) + text
}

/** The text of a number: dates as YYYY-MM-DD, with the time if there is one, times as HH:MM or HH:MM:SS. */
export const numberText = (
  value: number,
  { isDate, isTime, isElapsed, digits }: Meaning,
  { is1904 }: { is1904: boolean },
): string => {
  if (digits && Number.isSafeInteger(value) && value >= 0) return inGroups(value, digits)
  if ((!isDate && !isTime) || value < 0 || value >= MAX_DAYS) return plainText(value)
  const seconds = Math.round(value * DAY_SECONDS)
  const inDay = seconds % DAY_SECONDS
  if (isElapsed && !isDate) return timeOf(Math.floor(seconds / 3600), seconds % 3600)
  const time = timeOf(Math.floor(inDay / 3600), inDay)
  if (isTime && seconds < DAY_SECONDS) return time
  const zero = is1904 ? ZERO_1904 : ZERO_1900 + (value < LEAP_1900 ? DAY_SECONDS * 1000 : 0)
  const day = new Date(zero + (seconds - inDay) * 1000).toISOString().slice(0, 10)
  return isTime && inDay > 0 ? `${day} ${time}` : day
}
