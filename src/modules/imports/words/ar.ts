import { importLabels, importReasons } from '#shared/import-words/ar.ts'
import type { ImportWords } from './en.ts'

export const ar: ImportWords = {
  row: 'السطر في الملف',
  why: 'سبب الرفض',
  reasons: importReasons,
  labels: importLabels,
  openingBalance: 'الرصيد الافتتاحي',
}
