import { isolate } from '../../../shared/isolate.ts'
import type { personFile as english } from '../en/person-file.ts'

/** All that is kept of one person, as a file. */
export const personFile: typeof english = {
  theirData: 'המידע השמור…',
  title: (name) => `המידע השמור על ${isolate(name)}`,
  about:
    'כל אדם רשאי לבקש לדעת מה שמור עליו. בקובץ נמצא הכול: דף שנפתח בכל דפדפן, אותו מידע עבור תוכנות, והקבצים שהועלו.',
  holds: 'יש בו גם מה שהצוות רשם לעצמו. עברו עליו לפני שמוסרים אותו.',
  others: 'על אחרים במשפחה יש בו רק את השמות.',
  logged: 'ביומן יירשם שהורדתם אותו.',
  save: 'שמירת כל המידע',
}
