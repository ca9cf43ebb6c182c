import type { rollover as english } from '../en/rollover.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

const groups = (count: number) => many(count, { one: 'קבוצה אחת', two: 'שתי קבוצות', other: `${count} קבוצות` })
const students = (count: number) => many(count, { one: 'תלמיד אחד', two: 'שני תלמידים', other: `${count} תלמידים` })
const lessons = (count: number) => many(count, { one: 'שיעור אחד', two: 'שני שיעורים', other: `${count} שיעורים` })
const places = (count: number) => many(count, { one: 'מקום אחד', two: 'שני מקומות', other: `${count} מקומות` })

export const rollover: typeof english = {
  title: 'שנת לימודים חדשה',
  about: 'הקבוצות ממשיכות עם המועדים, המורים והתלמידים. הקבוצות הקודמות מסתיימות אחרי היום האחרון שלהן.',
  goOnGroup: 'לשנה החדשה',
  groups: 'אילו קבוצות',
  all: (count) => `כל המוצגות: ${groups(count)}`,
  noGroups: 'אין קבוצה שמתאימה לסינון הזה.',
  noEnd: 'בלי יום אחרון',
  until: (day) => `עד ${isolate(day)}`,
  year: 'השנה החדשה',
  firstDay: 'היום הראשון',
  lastDay: 'היום האחרון',
  endFirst: 'היום האחרון קודם ליום הראשון.',
  keepTimes: 'באותם מועדים שבועיים',
  keepTeachers: 'עם אותם מורים',
  price: 'כמה התלמידים משלמים',
  prices: { keep: 'מה שסוכם', group_default: 'מחיר הקבוצה' },
  plan: 'מה ייעשה',
  sum: (count, kept) => `${groups(count)}, לתלמידים הממשיכים: ${places(kept)}`,
  newName: (former) => `שם הקבוצה החדשה אחרי ${isolate(former)}`,
  ends: (day) => `היום האחרון: ${isolate(day)}`,
  lessons,
  goOn: (kept) => `ממשיכים: ${students(kept)}`,
  goOnOf: (kept, capacity) => `מקומות תפוסים: ${kept} מתוך ${capacity}`,
  leftOut: (count) => `· לא ממשיכים: ${students(count)}`,
  showStudents: 'הצגת התלמידים',
  hideStudents: 'הסתרת התלמידים',
  studentsOf: (group) => `התלמידים של ${isolate(group)}`,
  reasons: {
    paused: 'בהקפאה, אפשר לסמן כדי להמשיך',
    withdrawn: 'כבר לא לומד במכון',
    graduated: 'סיים את לימודיו',
    already_enrolled: 'יש לו מקום בקבוצה מאוחרת יותר של הקורס',
    left_before_end: 'המקום שלו מסתיים לפני סוף הקבוצה או לפני תחילת החדשה',
    group_full: 'לא נשאר מקום',
  },
  withoutTeacher: (name) => `${isolate(name)} לא ילמד את הקבוצה החדשה`,
  clash: {
    teacher: (when, group) => `${isolate(when)}: למורה יש גם ${isolate(group)}`,
    room: (when, group) => `${isolate(when)}: החדר תפוס גם על ידי ${isolate(group)}`,
  },
  closed: (count) => `בימי חופשה: ${lessons(count)}`,
  fees: (names) => `תעריפים שממשיכים: ${isolate(names)}`,
  noRoom: (free) =>
    free <= 0 ? 'בתוכנית של המכון אין מקום לקבוצה נוספת.' : `בתוכנית של המכון יש מקום לעוד ${groups(free)} בלבד.`,
  takeOut: (count) => (count === 1 ? 'להוציא אותה' : `להוציא ${groups(count)}`),
  open: (count) => (count === 0 ? 'פתיחת הקבוצות' : `פתיחת ${groups(count)}`),
  ask: (count, kept) => `לפתוח ${groups(count)}? לתלמידים הממשיכים: ${places(kept)}`,
  follows: (day) => `התלמידים רשומים החל מ-${isolate(day)}. הקבוצות הקודמות נשארות כפי שהן עד היום האחרון שלהן.`,
  notify: 'לעדכן את המשפחות: הודעה אחת לכל משפחה, עם המקומות של כל הילדים',
  made: (count) => `ממשיכות: ${groups(count)}`,
  allDone: 'כל התלמידים רשומים, והשיעורים נקבעו.',
  goesOn: 'הקבוצות פתוחות. רישום התלמידים והשיעורים יושלמו תוך דקות, גם אם הדף הזה ייסגר.',
}
