import type { Locale } from '#shared/locale.ts'
import type { ChargedLesson } from '#modules/sessions/index.ts'
import type { Span } from './in-force.ts'

/** How much of a month is charged for. */
export interface Part {
  of: 'lessons' | 'days'
  count: number
  all: number
}

const DAY_MILLIS = 86_400_000

const lengthOf = ({ from, to }: Span): number => (Date.parse(to) - Date.parse(from)) / DAY_MILLIS + 1

/** Of the days of a period, those of these spans. */
export const daysPart = (period: Span, spans: readonly Span[]): Part => ({
  of: 'days',
  count: spans.reduce((sum, span) => sum + lengthOf(span), 0),
  all: lengthOf(period),
})

/** Of these lessons, those within these spans that are charged. */
export const lessonsPart = (lessons: readonly ChargedLesson[], spans: readonly Span[]): Part => ({
  of: 'lessons',
  count: lessons.filter(({ day, isCharged }) => isCharged && spans.some(({ from, to }) => from <= day && day <= to))
    .length,
  all: lessons.length,
})

/** What a part costs, rounded half up. */
export const priceOfPart = (amountMinor: number, { count, all }: Part): number =>
  all === 0 ? 0 : Math.floor((2 * amountMinor * count + all) / (2 * all))

const WORDS: Record<Locale, Record<Part['of'], (count: number, all: number) => string>> = {
  en: {
    lessons: (count, all) => `${count} of ${all} lessons`,
    days: (count, all) => `${count} of ${all} days`,
  },
  ar: {
    lessons: (count, all) => `الحصص: ${count} من ${all}`,
    days: (count, all) => `الأيام: ${count} من ${all}`,
  },
  he: {
    lessons: (count, all) => `${count} מתוך ${all} שיעורים`,
    days: (count, all) => `${count} מתוך ${all} ימים`,
  },
}

/** How a line says that it is for a part; empty: it is for all. */
export const partWords = (part: Part | undefined, locale: Locale): string =>
  part === undefined || part.count === part.all ? '' : ` (${WORDS[locale][part.of](part.count, part.all)})`
