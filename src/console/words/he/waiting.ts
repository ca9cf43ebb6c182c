import type { waiting as english } from '../en/waiting.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

const students = (count: number) => many(count, { one: 'תלמיד אחד', two: 'שני תלמידים', other: `${count} תלמידים` })

export const waiting: typeof english = {
  title: 'רשימת המתנה',
  nobody: 'אף אחד לא ממתין למקום.',
  add: 'הוספה לרשימה',
  addTitle: (group) => `מי ממתין למקום ב${isolate(group)}?`,
  note: 'הערה',
  waits: 'כבר ממתין',
  added: (name, group) => `${isolate(name)} ברשימת ההמתנה של ${isolate(group)}.`,
  since: (day) => `מאז ${isolate(day)}`,
  offer: 'הצעת מקום',
  offerAsk: (name, group) => `להציע ל${isolate(name)} מקום ב${isolate(group)}?`,
  offerFollows: 'המשפחה תקבל הודעה עד מתי המקום שמור. עד אז איש לא יקבל אותו.',
  offered: (name) => `הוצע מקום ל${isolate(name)}.`,
  offeredUntil: (day) => `הוצע עד ${isolate(day)}`,
  lapsed: 'לא התקבלה תשובה',
  accept: 'רישום',
  accepted: (name, group) => `${isolate(name)} רשום עכשיו ל${isolate(group)}.`,
  decline: 'לא מעוניינים במקום',
  up: 'הקדמה ברשימה',
  down: 'דחייה ברשימה',
  leave: 'הסרה מהרשימה',
  fullPut: (count) => `הוספה לרשימת ההמתנה: ${students(count)}`,
  free: (group, count) => `התפנה מקום ב${isolate(group)}, ממתינים: ${students(count)}`,
}
