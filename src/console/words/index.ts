import type { Locale } from '../../shared/locale.ts'
import type { FirstWords, Words } from './words.ts'

/** Loads the words of one language: a browser never loads the others. */
export const loadWords: Readonly<Record<Locale, () => Promise<Words>>> = {
  en: async () => (await import('./en/index.ts')).en,
  ar: async () => (await import('./ar/index.ts')).ar,
  he: async () => (await import('./he/index.ts')).he,
}

/** Loads what the first page says. */
export const loadFirstWords: Readonly<Record<Locale, () => Promise<FirstWords>>> = {
  en: async () => (await import('./en/first.ts')).first,
  ar: async () => (await import('./ar/first.ts')).first,
  he: async () => (await import('./he/first.ts')).first,
}
