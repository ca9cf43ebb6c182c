import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'
import type { Words } from '../words.ts'

const many = plural('he')

export const till: Words['till'] = {
  title: 'הקופה שלי',
  about: (since) => `מאז ${isolate(since)}`,
  empty: 'הקופה ריקה. כל תשלום שיירשם מעכשיו יופיע כאן.',
  lastClosed: (when) => `נסגרה לאחרונה ב־${isolate(when)}.`,
  entries: (count) => many(count, { one: 'תנועה אחת', two: 'שתי תנועות', other: `${count} תנועות` }),
  heldCheques: (count, sum) =>
    many(count, {
      one: `צ׳ק דחוי אחד, ${isolate(sum)}`,
      two: `שני צ׳קים דחויים, ${isolate(sum)}`,
      other: `${count} צ׳קים דחויים, ${isolate(sum)}`,
    }),
  heldBeside: 'לא נכללים בסכומים. אפשר לספור כמה צ׳קים כאלה יש בקופה.',
  papersCounted: 'צ׳קים שנספרו',
  expected: 'צפוי',
  countOf: (method) => `נספר: ${isolate(method)}`,
  fits: 'תואם',
  missing: (amount) => `חסרים ${isolate(amount)}`,
  over: (amount) => `עודף של ${isolate(amount)}`,
  notCounted: 'יש לרשום כמה נספר, ו־0 אם אין.',
  note: 'הערה',
  noteHint: 'מה שמסביר הפרש, אם יש.',
  close: 'סגירת הקופה',
  closed: 'הקופה נסגרה.',
  follows: 'סגירה נשמרת כפי שהיא ואי אפשר לשנות אותה. מה שיתקבל אחריה יירשם בקופה הבאה.',
  movements: 'תנועות',
  closes: 'סגירות קופה',
  noCloses: 'עוד לא נסגרה קופה.',
  paper: 'דוח סגירת קופה (PDF)',
  paperOf: (name, when) => `דוח סגירת קופה של ${isolate(name)}, ${isolate(when)} (PDF)`,
  kinds: { received: 'התקבל', reversed: 'בוטל', refunded: 'הוחזר', held: 'צ׳ק דחוי', given_back: 'צ׳ק דחוי שהוחזר' },
}
