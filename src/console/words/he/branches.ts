import type { branches as english } from '../en/branches.ts'
import { isolate } from '../../../shared/isolate.ts'

export const branches: typeof english = {
  title: 'סניפים',
  about: 'המקומות שבהם מלמדים. תלמידים, קבוצות וכספים שייכים לאחד מהם.',
  add: 'סניף חדש',
  change: (name) => `עריכה: ${isolate(name)}`,
  moreOf: (name) => `עוד: ${isolate(name)}`,
  name: 'שם',
  nameHint: 'כפי שקוראים לו אצלכם, למשל לפי השכונה או הרחוב.',
  nameMissing: 'יש להקליד שם.',
  street: 'רחוב ומספר',
  city: 'יישוב',
  phone: 'טלפון',
  phoneWrong: 'זה לא מספר טלפון. יש להקליד אותו עם קידומת, או עם + וקידומת המדינה.',
  nothingKnown: 'עדיין אין כתובת וטלפון',
  isDefault: 'ברירת מחדל',
  closed: 'סגור',
  makeDefault: 'קביעה כברירת מחדל',
  defaultDone: (name) => `מעכשיו, מה שנרשם בלי סניף ישויך אל ${isolate(name)}.`,
  close: 'סגירת הסניף',
  reopen: 'פתיחה מחדש',
  reopened: (name) => `הסניף ${isolate(name)} פתוח שוב.`,
  remove: 'הסרה',
  asks: {
    close: {
      title: (name) => `לסגור את הסניף ${isolate(name)}?`,
      text: 'לא יהיה אפשר לבחור בו. התלמידים, הקבוצות ודרישות התשלום שלו נשארים, ואפשר לפתוח אותו מחדש.',
      verb: 'סגירת הסניף',
      done: (name) => `הסניף ${isolate(name)} נסגר.`,
    },
    remove: {
      title: (name) => `להסיר את הסניף ${isolate(name)}?`,
      text: 'אפשר רק כל עוד שום דבר לא שייך לו. אי אפשר לבטל את ההסרה.',
      verb: 'הסרה',
      done: (name) => `הסניף ${isolate(name)} הוסר.`,
    },
  },
  saved: (name) => `הסניף ${isolate(name)} נשמר.`,
  added: (name) => `הסניף ${isolate(name)} נפתח. אפשר לבחור בו בראש הדף כדי לראות רק אותו.`,
}
