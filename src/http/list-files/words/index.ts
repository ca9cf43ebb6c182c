import type { Locale } from '#shared/locale.ts'
import { ar } from './ar.ts'
import { en, type CodeWords } from './en.ts'
import { he } from './he.ts'

const WORDS: Readonly<Record<Locale, CodeWords>> = { ar, en, he }

/** Their codes are the words: they stand so in the address of a request, in a log and in the programs of others. */
const NAMES = /(?:^|\.)(?:currency|permissions|events|eventType|key|group|unknown)$/

const wordIn = (words: Readonly<Record<string, string>>, code: string): string | undefined =>
  Object.hasOwn(words, code) ? words[code] : undefined

/**
 * The words for a code; undefined: there are none yet.
 * @param field its name, behind those of the fields that it lies in
 * @param choice the name of the choice that it is one of, if it has one
 */
export const wordsFor = (field: string, code: string, locale: Locale, choice = field): string | undefined => {
  if (NAMES.test(field)) return code
  const { languages, codes, codesOf, reasons } = WORDS[locale]
  const known = Object.hasOwn(codesOf, choice) ? choice : field
  const there = Object.hasOwn(codesOf, known) ? codesOf[known as keyof typeof codesOf] : {}
  return wordIn(there, code) ?? wordIn(codes, code) ?? wordIn(languages, code) ?? wordIn(reasons, code)
}

export const yesOrNo = (value: boolean, locale: Locale): string => (value ? WORDS[locale].yes : WORDS[locale].no)
