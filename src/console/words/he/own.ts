import type { own as english } from '../en/own.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const own: typeof english = {
  children: 'הילדים',
  child: 'תלמיד/ה',
  nobody: 'לחשבון הזה לא מקושר תלמיד. המזכירות יכולה לטפל בזה.',
  places: (name) => `על ${isolate(name)}`,
  lessons: 'שיעורים',
  marks: 'ציונים',
  money: 'תשלומים',
  present: 'נוכחות',
  absent: 'היעדרות',
  late: 'איחור',
  lateBy: (minutes) =>
    many(minutes, { one: 'איחור של דקה', two: 'איחור של 2 דקות', other: `איחור של ${minutes} דקות` }),
  excused: 'היעדרות מוצדקת',
  unmarked: 'עוד לא סומן',
  announcedToday: 'היעדרות היום, כפי שנמסר מראש',
  announceFollows: 'המורים יראו זאת ברשימות של הימים האלה.',
  nextLessons: 'השיעורים הבאים',
  noLessons: 'אין שיעורים בשבועיים הקרובים.',
  noMarks: 'עדיין לא פורסמו ציונים.',
  courses: 'קורסי וידאו',
  progress: (done, all) => `${done} מתוך ${all} שיעורים`,
  completed: 'הושלם',
  pending: 'ייפתח לאחר התשלום',
  toPay: (amount) => `לתשלום: ${isolate(amount)}`,
  paperOf: (number) => `PDF: ${isolate(number)}`,
  howToPay: 'איך משלמים',
  noReceipts: 'עדיין לא התקבלו תשלומים.',
  paidInvoices: 'דרישות ששולמו',
  takenBack: 'בוטלה',
  told: 'שיעורי בית וקבצים מהשיעורים האחרונים',
  filesOf: (group, day) => `${isolate(group)}, ${isolate(day)}`,
}
