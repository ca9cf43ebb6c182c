import type { Locale } from '#shared/locale.ts'
import { ar } from './ar.ts'
import { en, type PaperWords } from './en.ts'
import { he } from './he.ts'

export type { PaperWords }

export const WORDS: Readonly<Record<Locale, PaperWords>> = { ar, en, he }
