import type { Locale } from '#shared/locale.ts'
import { ar } from './ar.ts'
import { en, type CaWords } from './en.ts'
import { he } from './he.ts'

export type { CaWords }

export const WORDS: Readonly<Record<Locale, CaWords>> = { ar, en, he }
