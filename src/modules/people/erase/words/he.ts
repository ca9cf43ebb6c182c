import type { EraseWords } from './en.ts'

export const he: EraseWords = { erased: 'פרטים שנמחקו' }
