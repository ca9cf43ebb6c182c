import type { Locale } from '#shared/locale.ts'
import { ar } from './ar.ts'
import { en, type PlanWords } from './en.ts'
import { he } from './he.ts'

export const WORDS: Readonly<Record<Locale, PlanWords>> = { ar, en, he }
