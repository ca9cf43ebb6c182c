import type { groups as english } from '../en/groups.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const groups: typeof english = {
  title: 'קבוצות',
  search: 'שם הקבוצה',
  status: 'מצב',
  anyStatus: 'כל המצבים',
  statuses: { planned: 'מתוכננת', active: 'פעילה', completed: 'הסתיימה', cancelled: 'בוטלה' },
  course: 'קורס',
  anyCourse: 'כל הקורסים',
  teacher: 'מורה',
  anyTeacher: 'כל המורים',
  noTeacher: 'עדיין אין מורה',
  noTeachers: 'המורים מופיעים כאן אחרי שקיבלו את ההזמנה: הגדרות, אנשים ותפקידים.',
  noRoom: 'עדיין אין חדר',
  noLimit: 'ללא הגבלה',
  noneYet: 'עדיין אין קבוצות.',
  noneFound: 'אין קבוצה מתאימה. כדאי לנסות פחות אותיות או פחות סינונים.',
  clear: 'הצגת כל הקבוצות',
  seats: (taken, of) => `${isolate(taken)} מתוך ${isolate(of)} מקומות`,
  students: (count) => many(count, { one: 'תלמיד אחד', two: 'שני תלמידים', other: `${count} תלמידים` }),
  full: 'מלאה',
  name: 'שם',
  room: 'חדר',
  capacity: 'מקומות',
  when: 'מתי',
  topic: 'נושא',
  details: 'פרטים',
  noSchedule: 'לא נקבעו מועדים שבועיים',
  weekly: (days, times) => `${days} ${isolate(times)}`,
  weeklyTimes: 'מועדים שבועיים',
  changeTimes: 'שינוי המועדים השבועיים',
  timesTitle: (group) => `המועדים השבועיים של ${isolate(group)}`,
  days: 'ימים',
  addTime: 'מועד נוסף',
  removeTime: 'הסרת המועד הזה',
  timesFrom: 'החל מיום',
  chooseDays: 'צריך לבחור לפחות יום אחד.',
  overlap: 'המועד הזה חופף למועד אחר.',
  foresees: (count, until) =>
    many(count, {
      one: `שיעור אחד עד ${until}`,
      two: `שני שיעורים עד ${until}`,
      other: `${count} שיעורים עד ${until}`,
    }),
  adds: (count) =>
    many(count, { one: 'ייווסף שיעור אחד', two: 'ייווספו שני שיעורים', other: `ייווספו ${count} שיעורים` }),
  takesAway: (count) =>
    many(count, { one: 'יוסר שיעור אחד', two: 'יוסרו שני שיעורים', other: `יוסרו ${count} שיעורים` }),
  nothingChanges: 'אף שיעור לא ישתנה.',
  keeps: 'שיעורים שהתקיימו, בוטלו או נוספו ידנית יישארו.',
  moreLessons: (count) => many(count, { one: 'ועוד אחד', two: 'ועוד שניים', other: `ועוד ${count}` }),
  noClash: 'המורה והחדר פנויים בכל המועדים האלה.',
  savedTimes: (group) => `המועדים השבועיים של ${isolate(group)} נשמרו.`,
  firstDay: 'היום הראשון',
  lastDay: 'היום האחרון',
  notSet: 'לא נקבע',
  fee: 'שכר לימוד',
  noFee: 'ללא תשלום',
  roster: 'תלמידים',
  noRoster: 'עדיין אין אף אחד בקבוצה.',
  enrolMany: 'רישום תלמידים',
  enrolTitle: (group) => `רישום תלמידים ל${isolate(group)}`,
  enrolFind: 'שם, מספר או טלפון של תלמיד/ה',
  paste: 'או הדבקה של רשימה',
  pasteHint: 'תלמיד/ה בכל שורה: שם, מספר או טלפון. אפשר להדביק גם שורות מתוך טבלה.',
  lookUp: 'חיפוש',
  which: (line) => `מי זה ${isolate(line)}?`,
  choose: 'בחירה',
  registerNew: (count) =>
    many(count, {
      one: 'רישום תלמיד חדש אחד',
      two: 'רישום שני תלמידים חדשים',
      other: `רישום ${count} תלמידים חדשים`,
    }),
  unknown: (count) =>
    many(count, {
      one: 'שורה אחת לא מתאימה לאף תלמיד:',
      two: 'שתי שורות לא מתאימות לאף תלמיד:',
      other: `${count} שורות לא מתאימות לאף תלמיד:`,
    }),
  chosen: 'מי יירשמו',
  takeOff: (name) => `הסרת ${isolate(name)} מהרשימה`,
  notEnough: (free) =>
    free === 0
      ? 'אין מקום פנוי. צריך להוסיף קודם מקומות לקבוצה.'
      : many(free, {
          one: 'יש רק מקום פנוי אחד. מי שאחריו לא יירשם.',
          two: 'יש רק שני מקומות פנויים. מי שאחריהם לא יירשם.',
          other: `יש רק ${free} מקומות פנויים. מי שאחריהם לא יירשם.`,
        }),
  enrolVerb: (count) =>
    many(count, { one: 'רישום תלמיד אחד', two: 'רישום שני תלמידים', other: `רישום ${count} תלמידים` }),
  enrolledMany: (count, group) =>
    `נרשמו ל${isolate(group)}: ${many(count, { one: 'תלמיד אחד', two: 'שני תלמידים', other: `${count} תלמידים` })}.`,
  refusedMany: (count) =>
    many(count, {
      one: 'תלמיד אחד לא נרשם:',
      two: 'שני תלמידים לא נרשמו:',
      other: `${count} תלמידים לא נרשמו:`,
    }),
  print: 'הדפסת הרשימה',
  signature: 'הערות',
  tellAll: 'להודיע לתלמידים, להורים ולמורה',
  tellTeacher: 'להודיע למורה',
  addLesson: 'הוספת שיעור',
  addLessonTitle: (group) => `הוספת שיעור ל${isolate(group)}`,
  addedLesson: (group, when) => `נוסף שיעור של ${isolate(group)}: ${isolate(when)}.`,
  coming: 'השיעורים הבאים',
  past: 'שיעורים קודמים',
  noComing: 'אין שיעור מתוכנן בארבעת השבועות הקרובים.',
  noPast: 'לא היה שיעור בארבעת השבועות האחרונים.',
  unmarked: 'הנוכחות לא נרשמה',
  marked: (marked, of) => `נרשמו ${isolate(marked)} מתוך ${isolate(of)}`,
  cancelled: 'בוטל',
  running: 'עכשיו',
  lastAttendance: 'נוכחות בשיעורים האחרונים',
  came: (came, counted) => `נוכחות: ${came} מתוך ${counted}`,
  call: (name) => `שיחה אל ${isolate(name)}`,
}
