import type { PlanWords } from './en.ts'

export const ar: PlanWords = {
  autoLocked: 'انتهى الاشتراك ولم يُجدَّد.',
}
