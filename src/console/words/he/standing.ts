import type { standing as english } from '../en/standing.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const standing: typeof english = {
  title: {
    active: (name) => `לסמן את ${isolate(name)} במצב פעיל?`,
    paused: (name) => `הפסקה: ${isolate(name)}`,
    graduated: (name) => `סיום לימודים: ${isolate(name)}`,
    withdrawn: (name) => `עזיבה: ${isolate(name)}`,
  },
  staysActive: 'מעכשיו התלמיד מופיע ברשימות של הקבוצות שלו.',
  changePause: 'שינוי ההפסקה',
  from: 'היום הראשון',
  to: 'היום האחרון',
  toHint: 'אם נשאר ריק, עדיין אין להפסקה סוף.',
  dayMissing: 'יש לכתוב את היום.',
  endFirst: 'היום האחרון קודם ליום הראשון.',
  lastDay: 'היום האחרון',
  lastDayHint: 'היום הזה עוד נכלל.',
  reason: 'הסיבה',
  follows: 'מה יקרה',
  noGroups: 'אין רישום לקבוצות.',
  missed: (count) =>
    many(count, {
      one: 'שיעור אחד חל בהפסקה',
      two: 'שני שיעורים חלים בהפסקה',
      other: `${count} שיעורים חלים בהפסקה`,
    }),
  until: (day) => `עד ${isolate(day)}`,
  stillComes: (count) =>
    count === 0
      ? 'אין שיעור עד אז'
      : many(count, { one: 'עוד שיעור אחד', two: 'עוד שני שיעורים', other: `עוד ${count} שיעורים` }),
  feeOf: (month) => `שכר הלימוד של ${isolate(month)}`,
  nothing: 'ללא חיוב',
  same: (amount) => `נשאר ${isolate(amount)}`,
  becomes: (before, after) => `${isolate(after)} במקום ${isolate(before)}`,
  paidAhead: 'שולם מראש',
  paidAheadText: (amount) => `${isolate(amount)} על חודשים שאחרי היום האחרון`,
  pauseText: 'בימים האלה התלמיד לא מופיע ברשימות הנוכחות, ולא נשלחת הודעה על היעדרות.',
  leaveText: 'הנוכחות שנרשמה ודרישות התשלום הקיימות נשמרות.',
  pauses: (from, to) => (to === null ? `בהפסקה מאז ${isolate(from)}` : `בהפסקה עד ${isolate(to)}`),
  willPause: (from, to) =>
    to === null ? `הפסקה צפויה מ־${isolate(from)}` : `הפסקה צפויה מ־${isolate(from)} עד ${isolate(to)}`,
  willLeave: {
    graduated: (day) => `סיום לימודים ב־${isolate(day)}`,
    withdrawn: (day) => `עזיבה ב־${isolate(day)}`,
  },
  left: (day) => `היום האחרון: ${isolate(day)}`,
  takeBack: 'ביטול',
  tookBack: (name) => `${isolate(name)} – הכול נשאר כפי שהיה.`,
  saved: (name) => `נרשם עבור ${isolate(name)}.`,
}
