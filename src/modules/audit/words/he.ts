import type { Heads } from './en.ts'

export const heads: Heads = {
  when: 'מתי',
  who: 'מי',
  what: 'מה קרה',
  record: 'רשומה',
  before: 'לפני',
  after: 'אחרי',
  action: 'קוד',
}
