import { importReasons as ar } from '#shared/import-reasons/ar.ts'
import { importReasons as en } from '#shared/import-reasons/en.ts'
import { importReasons as he } from '#shared/import-reasons/he.ts'
import type { Locale } from '#shared/locale.ts'
import type { Reason } from './complaints.ts'

/** The heads of what the file of refused rows adds to each. */
export const REASON_HEADS: Readonly<Record<Locale, { row: string; why: string }>> = {
  en: { row: 'Row in the file', why: 'Why it was refused' },
  ar: { row: 'السطر في الملف', why: 'سبب الرفض' },
  he: { row: 'שורה בקובץ', why: 'למה נדחתה' },
}

export const REASON_WORDS: Readonly<Record<Locale, Readonly<Record<Reason, string>>>> = { en, ar, he }
