/** What a group is called in a new year: the year in its name moves on, and a name without one gets the new year. */

/** The month in which a school year begins, at the earliest. */
const JULY = 7
/** A Hebrew year begins in the autumn of so many years before. */
const HEBREW_YEARS = 3761
/** A number is a year only where it lies so near to the new one: others are rooms, courses or words. */
const YEARS_NEAR = 4

const LETTERS: readonly (readonly [string, number])[] = [
  ['ת', 400],
  ['ש', 300],
  ['ר', 200],
  ['ק', 100],
  ['צ', 90],
  ['פ', 80],
  ['ע', 70],
  ['ס', 60],
  ['נ', 50],
  ['מ', 40],
  ['ל', 30],
  ['כ', 20],
  ['י', 10],
  ['ט', 9],
  ['ח', 8],
  ['ז', 7],
  ['ו', 6],
  ['ה', 5],
  ['ד', 4],
  ['ג', 3],
  ['ב', 2],
  ['א', 1],
]
const VALUES = new Map(LETTERS)

const valueOf = (letters: string): number =>
  Array.from(letters).reduce((sum, letter) => sum + (VALUES.get(letter) ?? Number.NaN), 0)

/** A number below 1000 in Hebrew letters. 15 and 16 are written so that they do not spell a name of God. */
const lettersOf = (number: number): string => {
  let [left, letters] = [number, '']
  for (const [letter, value] of LETTERS) {
    if (left === 15 || left === 16) return `${letters}ט${left === 15 ? 'ו' : 'ז'}`
    for (; left >= value; left -= value) letters += letter
  }
  return letters
}

interface Years {
  /** The first year of the school year, and the year of the first day. */
  school: number
  first: number
  last: number
}

const yearsOf = (startsOn: string, endsOn: string): Years => {
  const first = Number(startsOn.slice(0, 4))
  const school = Number(startsOn.slice(5, 7)) >= JULY ? first : first - 1
  return { school, first, last: Number(endsOn.slice(0, 4)) }
}

const isNear = (year: number, { school }: Years): boolean => year <= school + 1 && year > school - YEARS_NEAR

const ARABIC_ZERO = '٠'.codePointAt(0) as number
const isArabic = (digit: string): boolean => digit >= '٠'
const western = (digits: string): string =>
  digits.replaceAll(/[\u0660-\u0669]/g, (digit) => String((digit.codePointAt(0) as number) - ARABIC_ZERO))
/** Writes a number in the digits of another. */
const like = (digits: string, number: string): string =>
  isArabic(digits) ? number.replaceAll(/\d/g, (digit) => String.fromCodePoint(ARABIC_ZERO + Number(digit))) : number

// Digits in Arabic script, 0660 to 0669, and Hebrew letters, 05D0 to 05EA: the bundle is ASCII, also in patterns.
const SPAN =
  /(?<![\d\u0660-\u0669])([2\u0662][0\u0660][\d\u0660-\u0669]{2}|[\d\u0660-\u0669]{2})(\s?[/\-\u2013]\s?)([2\u0662][0\u0660][\d\u0660-\u0669]{2}|[\d\u0660-\u0669]{2})(?![\d\u0660-\u0669])/u
const YEAR = /(?<![\d\u0660-\u0669])([2\u0662][0\u0660][\d\u0660-\u0669]{2})(?![\d\u0660-\u0669])/u
const HEBREW = /(?<!\p{L})(\u05EA\u05E9[\u05D0-\u05EA]?)(["\u05F4\u201D]|'')?([\u05D0-\u05EA])(?!\p{L})/u

const full = (digits: string): number => Number(digits.length === 2 ? `20${western(digits)}` : western(digits))
const cut = (year: number, digits: string): string => like(digits, String(year).slice(-digits.length))

/** 2026/27, 2026-2027, 26/27: the years after each other in which a school year lies. */
const moveSpan = (name: string, years: Years): string | undefined => {
  const [found, from = '', between = '', to = ''] = SPAN.exec(name) ?? []
  if (found === undefined || full(to) !== full(from) + 1 || !isNear(full(from), years)) return undefined
  return name.replace(found, `${cut(years.school, from)}${between}${cut(years.school + 1, to)}`)
}

const moveYear = (name: string, years: Years): string | undefined => {
  const [found] = YEAR.exec(name) ?? []
  if (found === undefined || !isNear(full(found), years)) return undefined
  return name.replace(found, cut(years.first, found))
}

/** תשפ״ז, or without the mark. */
const moveHebrew = (name: string, years: Years): string | undefined => {
  const [found, start = '', mark = '', end = ''] = HEBREW.exec(name) ?? []
  if (found === undefined || !isNear(valueOf(start + end) + 5000 - HEBREW_YEARS, years)) return undefined
  const letters = Array.from(lettersOf(years.school + HEBREW_YEARS - 5000))
  return name.replace(found, `${letters.slice(0, -1).join('')}${mark}${letters.at(-1)}`)
}

const LONGEST_NAME = 150

/** @returns the name for the days from `startsOn` to `endsOn`; as it is, where a year would make it too long */
export const nextName = (name: string, { startsOn, endsOn }: { startsOn: string; endsOn: string }): string => {
  const years = yearsOf(startsOn, endsOn)
  const moved = moveSpan(name, years) ?? moveHebrew(name, years) ?? moveYear(name, years)
  const { first, last } = years
  const year = first === last ? String(first) : `${first}/${String(last).slice(-2)}`
  const next = moved ?? `${name} ${year}`
  return next.length > LONGEST_NAME ? name : next
}
