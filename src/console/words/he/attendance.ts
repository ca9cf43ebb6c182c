import type { attendance as english } from '../en/attendance.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const attendance: typeof english = {
  statuses: { present: 'הגיע', absent: 'נעדר', late: 'איחר', excused: 'היעדרות מוצדקת' },
  counts: {
    present: (count) => `הגיעו: ${isolate(count)}`,
    absent: (count) => `נעדרו: ${isolate(count)}`,
    late: (count) => `איחרו: ${isolate(count)}`,
    excused: (count) => `היעדרות מוצדקת: ${isolate(count)}`,
  },
  of: (name) => `הנוכחות של ${isolate(name)}`,
  detailsHint: 'אפשרויות נוספות והערה',
  status: 'נוכחות',
  minutes: 'דקות איחור',
  minutesLate: (minutes) => `${isolate(minutes)} דק׳`,
  minutesWrong: 'יש להקליד מספר שלם של דקות, 1440 לכל היותר.',
  note: 'הערה',
  noteHint: 'התלמיד והמשפחה רואים אותה.',
  keys: `החצים לבחירה, ${isolate('1–4')} לסימון, מקש הרווח להערה, ${isolate('Enter')} לשורה הבאה, ${isolate('Ctrl+Enter')} לשמירה.`,
  savedAt: (time) => `נשמר ${isolate(time)}`,
  unsaved: 'עוד לא נשמר',
  unsent: 'נשמר כאן, עוד לא נשלח',
  restored: 'סימנתם את זה קודם ולא שמרתם.',
  startOver: 'להתחיל מחדש',
  announced: (reason) => `היעדרות שנמסרה מראש: ${isolate(reason)}`,
  cancelledFor: (reason) => `הסיבה: ${isolate(reason)}`,
  cancelled: 'השיעור הזה בוטל. לא נרשמת בו נוכחות.',
  notBegun: (when) => `השיעור הזה מתחיל ב־${isolate(when)}.`,
  nobody: 'איש לא היה רשום לקבוצה כשהשיעור הזה התחיל.',
  add: 'הגיע מישהו שאינו ברשימה',
  addTitle: 'מי הגיע?',
  addWho: 'תלמיד/ה',
  addHint: 'שם, מספר או טלפון. מי שתבחרו יירשם לקבוצה.',
  addNone: 'לא נמצא אף אחד. תלמידים חדשים מוסיפים בדף התלמידים.',
  addedLater: (name) =>
    `${isolate(name)}: הרישום לקבוצה נעשה אחרי תחילת השיעור הזה, ולכן השם יופיע ברשימה מהשיעור הבא.`,
  conflict: 'מישהו אחר רשם בינתיים את הנוכחות בשיעור הזה',
  conflictText: (count) =>
    many(count, {
      one: 'סימון אחד שונה משלכם. יש לבחור מה נכון, ואז לשמור.',
      two: 'שני סימונים שונים משלכם. יש לבחור מה נכון, ואז לשמור.',
      other: `${count} סימונים שונים משלכם. יש לבחור מה נכון, ואז לשמור.`,
    }),
  yours: 'שלכם',
  theirs: (time) => `נשמר ${isolate(time)}`,
  refused: (group, when) => `הנוכחות שרשמתם ב${isolate(group)} (${isolate(when)}) לא התקבלה.`,
  conflicting: (group, when) => `גם מישהו אחר רשם נוכחות ב${isolate(group)} (${isolate(when)}). יש לבחור מה נכון.`,
  aClass: 'שיעור',
  open: 'פתיחה',
  discard: 'מחיקת הסימונים',
  discardTitle: (group, when) => `מחיקת הנוכחות שרשמתם ב${isolate(group)} (${isolate(when)})`,
  discardText: 'מה שכבר שמור בשרת נשאר כפי שהוא.',
}
