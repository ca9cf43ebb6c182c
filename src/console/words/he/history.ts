import type { history as english } from '../en/history.ts'
import { acts } from '../../../shared/act-words/he.ts'

export const history: typeof english = {
  title: 'יומן השינויים',
  about: 'כל שינוי נרשם כאן, ואיש אינו יכול לשנות את הרישום.',
  none: 'לא קרה דבר שמתאים.',
  who: 'מי',
  anybody: 'כולם',
  what: 'מה',
  anything: 'הכול',
  from: 'מיום',
  to: 'עד יום',
  filters: 'מי, מה ומתי',
  clear: 'הצגת הכול',
  onlyThis: 'רק זה',
  ofOne: 'מוצג כאן רק מה שקרה לרשומה אחת.',
  open: 'פתיחה',
  ...acts,
}
