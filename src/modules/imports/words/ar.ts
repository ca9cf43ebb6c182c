import { importReasons } from '#shared/import-reasons/ar.ts'
import type { ImportWords } from './en.ts'

export const ar: ImportWords = {
  row: 'السطر في الملف',
  why: 'سبب الرفض',
  reasons: importReasons,
  openingBalance: 'الرصيد الافتتاحي',
}
