import type { reports as english } from '../en/reports.ts'
import { isolate } from '../../../shared/isolate.ts'

export const reports: typeof english = {
  title: 'דוחות התקדמות',
  none: 'עדיין לא נכתב דוח.',
  write: 'כתיבת דוח',
  writeTitle: (name) => `דוח התקדמות של ${isolate(name)}`,
  from: 'מתאריך',
  to: 'עד תאריך',
  missing: 'יש לבחור יום.',
  backwards: 'היום האחרון צריך להיות אחרי הראשון.',
  comment: 'הערכה',
  commentHint: 'הנוכחות ותוצאות המבחנים של התקופה מתווספות מעצמן.',
  save: 'שמירה כטיוטה',
  written: 'הטיוטה מוכנה. אפשר לראות אותה כ־PDF ואז לשלוח.',
  draft: 'טיוטה',
  sentOn: (day) => `נשלח ב־${isolate(day)}`,
  send: 'שליחה',
  sendTitle: (name) => `לשלוח את הדוח של ${isolate(name)}?`,
  sendText: 'הודעה תישלח לתלמיד ולהורים. דוח שנשלח נשאר כמו שהוא.',
  sent: 'הדוח נשלח.',
  remove: 'מחיקה',
  removeTitle: 'למחוק את הטיוטה הזאת?',
}
