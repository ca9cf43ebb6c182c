import { importReasons } from '#shared/import-reasons/he.ts'
import type { ImportWords } from './en.ts'

export const he: ImportWords = {
  row: 'שורה בקובץ',
  why: 'למה נדחתה',
  reasons: importReasons,
  openingBalance: 'יתרת פתיחה',
}
