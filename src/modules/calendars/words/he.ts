import type { CalendarWords } from './en.ts'

export const he: CalendarWords = {
  cancelled: 'בוטל',
}
