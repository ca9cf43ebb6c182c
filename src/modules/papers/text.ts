import { isolate, isolateLeftToRight } from '#shared/isolate.ts'
import type { Currency, Money } from '#kernel/values/money.ts'
import type { Address } from '#kernel/values/schema.ts'
import { localDate, localTime } from '#kernel/time/zone.ts'

/** Characters that reorder the text around them. Somebody's text could leave an isolate, or turn the rest around. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g

/** All other control characters have no picture. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu

/** A word so long that no line has room for it. */
const LONG_WORD = /[^\s\u200b-]{30,}/gu
const PART = /.{1,15}/gsu

/** Lets a line end within a long word. */
const breakable = (text: string): string =>
  text.replaceAll(LONG_WORD, (word) => (word.match(PART) ?? []).join('\u200b'))

/** A date, a time, a phone or an account number: 04-123-4567, 24/11/2026, +972-54-123-4567. No part of a word. */
const PARTED = /(?<![\p{L}\p{M}\p{N}_])(?:\+\d[\d ()-]*\d|\d+(?:[-/.:]\d+)+)(?![\p{L}\p{M}\p{N}_])/gu

const isolatedLine = (line: string): string => {
  const clean = breakable(line.replaceAll(REORDERING, '').replaceAll(CONTROL, ' ')).trim().replaceAll(PARTED, code)
  return clean === '' ? '' : isolate(clean)
}

/** What people wrote: each line is isolated, so that neither it nor the text around it changes its order. */
export const written = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(isolatedLine)
    .join('\n')

/** What is read from left to right in every language: a number, a code, a phone number. */
export const code = (text: string | number): string => isolateLeftToRight(String(text).replaceAll(REORDERING, ''))

const SIGNS: Record<Currency, string> = { ILS: '₪', USD: '$', EUR: '€' }

const GROUPS = /\B(?=(?:\d{3})+$)/g

/** 1,250.50 with its sign before: in each language the same figure on paper. */
export const amount = ({ amountMinor, currency }: Money): string => {
  const digits = String(Math.abs(amountMinor)).padStart(3, '0')
  const whole = digits.slice(0, -2).replaceAll(GROUPS, ',')
  return code(`${amountMinor < 0 ? '-' : ''}${SIGNS[currency]}${whole}.${digits.slice(-2)}`)
}

export const percent = (rate: number): string => code(`${rate}%`)

/** The parts of a date, in digits: 2026, 03, 02. */
export interface DateParts {
  year: string
  month: string
  day: string
}

type WriteDate = (date: DateParts) => string

const dateIn = (write: WriteDate, date: string): string => {
  const [year = '', month = '', day = ''] = date.split('-')
  return code(write({ year, month, day }))
}

/** How the papers of one language write days and instants. */
export const dates = (write: WriteDate, zone: string) => ({
  day: (date: string): string => dateIn(write, date),
  dayOf: (instant: string): string => dateIn(write, localDate(instant, zone)),
  moment: (instant: string): string =>
    `${dateIn(write, localDate(instant, zone))} ${code(localTime(instant, zone).slice(11, 16))}`,
})

export const addressLines = (address: Address | null): string[] => {
  const { line1, line2, city, region, postalCode } = address ?? {}
  const place = [postalCode, city].filter((part) => part !== undefined).join(' ')
  return [line1, line2, place, region]
    .filter((line) => line !== undefined && line !== '')
    .map((line) => written(String(line)))
}

/** Of whom a paper is about; null: not known, or neither. */
export type Gender = 'male' | 'female' | null

/** The words for whom a paper is about; where that is not known, those that fit both, without a slash in a word. */
export const byGender = (gender: Gender, male: string, female: string, either: string): string =>
  gender === 'male' ? male : gender === 'female' ? female : either
