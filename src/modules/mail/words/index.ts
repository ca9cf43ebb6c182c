import type { Locale } from '#shared/locale.ts'
import { ar } from './ar.ts'
import { en, type MailWords } from './en.ts'
import { he } from './he.ts'

export type { Institute, MailText } from './en.ts'

export const WORDS: Readonly<Record<Locale, MailWords>> = { ar, en, he }
