import type { Locale } from '#shared/locale.ts'
import { ar } from './ar.ts'
import { en, type ExportWords } from './en.ts'
import { he } from './he.ts'

export type { About } from './en.ts'

export const WORDS: Readonly<Record<Locale, ExportWords>> = { ar, en, he }
