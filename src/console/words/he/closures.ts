import type { closures as english } from '../en/closures.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

const lessons = (count: number) => many(count, { one: 'שיעור אחד', two: 'שני שיעורים', other: `${count} שיעורים` })

const holidays = (count: number) => many(count, { one: 'חג אחד', two: 'שני חגים', other: `${count} חגים` })

export const closures: typeof english = {
  title: 'ימי חופשה',
  about: 'בימים האלה אין שיעורים.',
  previous: 'השנה הקודמת',
  next: 'השנה הבאה',
  yearOf: (year) => `שנת ${year}`,
  listTitle: (year) => `חופשות בשנת ${year}`,
  noneYet: 'עדיין אין חופשות בשנה הזו.',
  add: 'הוספת חופשה',
  change: (name) => `חופשה: ${isolate(name)}`,
  moreOf: (name) => `עוד: ${isolate(name)}`,
  dayClosed: (day, name) => `${day}, חופשה: ${isolate(name)}`,
  name: 'לרגל מה',
  nameHint: 'המשפחות יקראו את זה כסיבה, למשל פסח או חופשת החורף.',
  nameMissing: 'יש לכתוב לרגל מה.',
  from: 'יום ראשון של החופשה',
  to: 'יום אחרון של החופשה',
  toHint: 'אם זה יום אחד, אפשר להשאיר ריק.',
  dayMissing: 'יש לכתוב את היום הראשון.',
  endFirst: 'היום האחרון קודם ליום הראשון.',
  where: 'היכן',
  everywhere: 'כל הסניפים',
  isBilled: 'בתשלום לפי שיעור, השיעורים האלה יחויבו בכל זאת',
  close: 'שמירת החופשה',
  closeFollows: 'השיעורים בימים האלה יבוטלו. משפחות ומורים שהודעות מגיעות אליהם יקבלו הודעה אחת על כולם.',
  changeFollows: 'שיעורים בימים שכבר אינם חופשה יחזרו, ושיעורים בימים שנעשו חופשה יבוטלו.',
  saved: (name, count) => `${isolate(name)} נשמר. בוטלו: ${lessons(count)}.`,
  cancelled: (count) => `בוטלו: ${lessons(count)}`,
  reopen: 'ביטול החופשה',
  reopenAsk: (name) => `לבטל את החופשה ${isolate(name)}?`,
  reopenFollows: (count) => `השיעורים שבוטלו בגללה (${lessons(count)}) יתקיימו, והמשפחות והמורים יקבלו הודעה.`,
  reopened: (name) => `החופשה ${isolate(name)} בוטלה.`,
  holidays: 'חגים קרובים',
  legend: 'צבוע: סגור. קו מתחת ליום: חג שבו עדיין פתוח.',
  holidaysAbout: 'סמנו את החגים שבהם אתם בחופשה.',
  closeTicked: (count) => (count === 0 ? 'שמירת המסומנים כחופשה' : `שמירה כחופשה: ${holidays(count)}`),
  closedHolidays: (count) => `נשמרו כחופשה: ${holidays(count)}.`,
  calendars: {
    country: 'חגי המדינה',
    muslim: 'חגים מוסלמיים',
    jewish: 'חגי ישראל',
    western: 'חגים נוצריים (לוח מערבי)',
    eastern: 'חגים נוצריים (לוח מזרחי)',
  },
  upToTheMoon: 'לפי ראיית הירח',
}
