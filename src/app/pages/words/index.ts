import type { Locale } from '#shared/locale.ts'
import { ar } from './ar.ts'
import { en, type PageWords } from './en.ts'
import { he } from './he.ts'

export type { PageWords }

export const WORDS: Readonly<Record<Locale, PageWords>> = { ar, en, he }
