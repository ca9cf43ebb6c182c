import type { Locale } from '#shared/locale.ts'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { he } from './he.ts'
import type { PayWords } from './pay-words.ts'

export const WORDS: Readonly<Record<Locale, PayWords>> = { ar, en, he }
