import type { Heads } from './en.ts'

export const heads: Heads = {
  when: 'متى',
  who: 'من',
  what: 'ماذا حدث',
  record: 'السجل',
  before: 'قبل',
  after: 'بعد',
  action: 'الرمز',
}
