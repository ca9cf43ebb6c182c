import type { files as english } from '../en/files.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

const counted = (count: number): string => many(count, { one: 'קובץ אחד', two: 'שני קבצים', other: `${count} קבצים` })

export const files: typeof english = {
  title: 'קבצים',
  none: 'עוד לא נוסף קובץ.',
  add: 'הוספת קבצים',
  drop: 'אפשר לגרור לכאן קבצים כדי להוסיף אותם',
  added: (name) => `נוסף: ${isolate(name)}`,
  sending: (name) => `${isolate(name)} בשליחה…`,
  faults: {
    type: (name) => `קובץ מסוג כמו ${isolate(name)} לא מתקבל. אפשר להוסיף PDF, תמונות, קובצי Word ו־Excel ו־CSV.`,
    size: (name) => `${isolate(name)} גדול מדי. קובץ יכול להיות עד 20 מגה־בייט.`,
    empty: (name) => `${isolate(name)} ריק.`,
    content: (name) => `${isolate(name)} פגום, או שסוגו אינו מה שכתוב בשמו.`,
  },
  failed: (name) => `${isolate(name)} לא נוסף.`,
  remove: (name) => `מחיקת ${isolate(name)}`,
  removeTitle: (name) => `למחוק את ${isolate(name)}?`,
  removeText: 'אי אפשר לשחזר אותו.',
  verb: 'מחיקה',
  removed: (name) => `נמחק: ${isolate(name)}`,
  photo: 'צילום תמונה',
  lessonHint: 'תלמידי השיעור ובני המשפחה שלהם יכולים לקרוא אותם.',
  examHint: 'המשפחות יכולות לקרוא אותם אחרי שהתוצאות פורסמו.',
  count: (count) => counted(count),
  countOf: (count, title) => `${counted(count)}: ${isolate(title)}`,
  gone: 'הקבצים האלה הוסרו.',
}
