import type { en } from './en/index.ts'
import type { Locale } from './locale.ts'

/** Every word of the console in one language. English says which there are; the others have the same. */
export type Words = typeof en

/** Loads the words of one language: a browser never loads the others. */
export const loadWords: Readonly<Record<Locale, () => Promise<Words>>> = {
  en: async () => (await import('./en/index.ts')).en,
  ar: async () => (await import('./ar/index.ts')).ar,
  he: async () => (await import('./he/index.ts')).he,
}
