import type { Locale } from '#shared/locale.ts'
import { ar } from './ar.ts'
import { en, type BookkeepingWords } from './en.ts'
import { he } from './he.ts'

export type { BookkeepingWords }

export const WORDS: Readonly<Record<Locale, BookkeepingWords>> = { ar, en, he }
