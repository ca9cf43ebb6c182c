import type { Locale } from '#shared/locale.ts'
import { heads as ar } from './ar.ts'
import { heads as en, type Heads } from './en.ts'
import { heads as he } from './he.ts'

export const HEADS: Readonly<Record<Locale, Heads>> = { ar, en, he }
