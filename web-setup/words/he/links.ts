import { isolate } from '../../../src/shared/isolate.ts'
import { first } from '../../../src/console/words/he/first.ts'
import { password } from './password.ts'

/** What the pages behind mail links say. */
export const links = {
  page: {
    tokenMissing: 'הכתובת של הדף הזה אינה שלמה. נא לפתוח שוב את הקישור שבהודעת הדוא״ל, או להעתיק אותו במלואו.',
    about: (email: string) => `עבור החשבון ${isolate(email)}.`,
    aboutAt: (email: string, institute: string) => `עבור החשבון ${isolate(email)} ב־${isolate(institute)}.`,
    newLink: 'בקשת קישור חדש',
    goOn: 'המשך',
    signIn: 'המשך לכניסה לחשבון',
  },
  invitation: {
    title: 'קבלת ההזמנה',
    lead: 'הוזמנתם להצטרף למכון שפועל בשרת הזה.',
    leadFrom: (inviter: string, institute: string) =>
      `קיבלתם הזמנה מאת ${isolate(inviter)} להצטרף אל ${isolate(institute)}.`,
    known: 'כבר יש לכם חשבון כאן. השם והסיסמה שלכם יישארו כפי שהם.',
    existing:
      'כבר יש לכם חשבון כאן? אפשר להשאיר את שני השדות ריקים: השם והסיסמה יישארו כפי שהם. אם תידרש סיסמה חדשה, הדף הזה יבקש אותה.',
    fullName: 'שם מלא',
    fullNameMissing: 'עדיין אין לכם חשבון כאן. נא להזין שם מלא.',
    fullNameWrong: 'שם הוא שורה אחת של עד 200 תווים, ואינו כתובת של דף.',
    password: 'בחירת סיסמה',
    passwordMissing: 'הכתובת הזו עדיין לא אומתה כאן, ולכן נדרשת סיסמה חדשה. נא לבחור סיסמה של 10 תווים לפחות.',
    submit: 'קבלת ההזמנה',
    sending: 'רק רגע…',
    doneTitle: 'ברוכים הבאים',
    doneText: 'ההזמנה התקבלה. מעכשיו נכנסים עם כתובת הדוא״ל והסיסמה שלכם.',
    invalidTitle: 'ההזמנה הזו כבר אינה בתוקף',
    invalidText: 'כבר נעשה בה שימוש, או שחלפו שבעת ימי התוקף שלה. נא לבקש מהמכון לשלוח הזמנה חדשה.',
  },
  reset: {
    title: 'בחירת סיסמה חדשה',
    lead: 'הסיסמה תיכנס לתוקף מיד, והחשבון שלכם ינותק מכל מקום שבו הוא עדיין מחובר.',
    password: 'סיסמה חדשה',
    submit: 'שמירת הסיסמה החדשה',
    sending: 'שומרים…',
    doneTitle: 'הסיסמה החדשה נשמרה',
    doneText: 'מעכשיו היכנסו עם הסיסמה החדשה.',
    invalidTitle: 'הקישור הזה כבר אינו בתוקף',
    invalidText: 'קישור לבחירת סיסמה תקף לשעה אחת ולשימוש אחד. נא לבקש קישור חדש במסך הכניסה.',
  },
  verify: {
    title: 'אימות כתובת הדוא״ל',
    lead: 'כך תאשרו שההודעה הגיעה אליכם.',
    submit: 'אימות הכתובת שלי',
    sending: 'מאמתים…',
    doneTitle: 'תודה, הכתובת אומתה',
    doneText: 'אין צורך לעשות דבר נוסף.',
    invalidTitle: 'הקישור הזה כבר אינו בתוקף',
    invalidText:
      'קישור לאימות תקף ל־24 שעות ולשימוש אחד. אם הכתובת שלכם עדיין לא אומתה, נא לבקש קישור חדש במסך הכניסה.',
  },
}

/** All that these pages say. */
export const words = { ...first, links, password }
