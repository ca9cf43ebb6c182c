import type { EraseWords } from './en.ts'

export const ar: EraseWords = { erased: 'بيانات محذوفة' }
