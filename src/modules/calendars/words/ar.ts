import type { CalendarWords } from './en.ts'

export const ar: CalendarWords = {
  cancelled: 'أُلغيت',
}
