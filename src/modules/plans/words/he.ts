import type { PlanWords } from './en.ts'

export const he: PlanWords = {
  autoLocked: 'המינוי הסתיים ולא חודש.',
}
