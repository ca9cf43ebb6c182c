import type { Locale } from '#shared/locale.ts'
import { ar } from './ar.ts'
import { en, type ImportWords } from './en.ts'
import { he } from './he.ts'

export const WORDS: Readonly<Record<Locale, ImportWords>> = { ar, en, he }
