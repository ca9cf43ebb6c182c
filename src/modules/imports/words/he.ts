import { importLabels, importReasons } from '#shared/import-words/he.ts'
import type { ImportWords } from './en.ts'

export const he: ImportWords = {
  row: 'שורה בקובץ',
  why: 'למה נדחתה',
  reasons: importReasons,
  labels: importLabels,
  openingBalance: 'יתרת פתיחה',
}
