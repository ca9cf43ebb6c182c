import { once } from '#kernel/basics/once.ts'
import { LOCALES, tagOf } from '#shared/locale.ts'
import { fold } from '#shared/text.ts'

/** The names of a month in every language, as texts are compared. */
const namesOf = (month: number): readonly string[] =>
  LOCALES.map((locale) =>
    fold(new Intl.DateTimeFormat(tagOf(locale), { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, month, 15))),
  )

/**
 * Each month by its name, with at most one letter before it, as Hebrew and Arabic say "for" and "in": במרץ. The engine
 * takes 10 ms to look the names up.
 */
const byNames = once(() =>
  Array.from(
    { length: 12 },
    (_, month) => new RegExp(String.raw`(?<!\p{L}\p{L})(?:${namesOf(month).join('|')})(?!\p{L})`, 'u'),
  ),
)

/** 3/26, 03/2026, 03.2026, and 2026-03. */
const IN_DIGITS = /(?<![\d/.-])(?:(0?[1-9]|1[0-2])[/.-]((?:20)?\d\d)|(20\d\d)[/.-](0[1-9]|1[0-2]))(?![\d/.-])/gu

const YEAR = /(?<!\d)20\d\d(?!\d)/gu

const twoDigits = (month: number | string): string => String(month).padStart(2, '0')

/** Which months a line speaks of that somebody wrote by hand: as YYYY-MM where the year stands there, else as MM. */
export const monthsNamed = (text: string): readonly string[] => {
  const folded = fold(text)
  const inDigits = [...folded.matchAll(IN_DIGITS)].map(([, month, year = '', yearFirst, monthAfter]) =>
    yearFirst === undefined
      ? `${year.length === 2 ? `20${year}` : year}-${twoDigits(month ?? '')}`
      : `${yearFirst}-${monthAfter ?? ''}`,
  )
  const byName = byNames().flatMap((name, index) => (name.test(folded) ? [twoDigits(index + 1)] : []))
  const years = [...folded.matchAll(YEAR)].map(([year]) => year)
  return [
    ...inDigits,
    ...byName.flatMap((month) => (years.length === 0 ? [month] : years.map((year) => `${year}-${month}`))),
  ]
}
