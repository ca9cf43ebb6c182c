import type { find as english } from '../en/find.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const find: typeof english = {
  title: 'חיפוש',
  label: 'חיפוש אדם, קבוצה או מספר…',
  hint: 'יש להקליד שתי אותיות של שם, או ספרות של טלפון, של מספר תלמיד או של חשבון לתשלום.',
  recent: 'נצפו לאחרונה',
  results: 'תוצאות',
  none: (typed) => `אין שום דבר שמתאים ל„${isolate(typed)}”.`,
  noneHint: 'כדאי לנסות פחות אותיות, או חלק ממספר הטלפון.',
  more: 'יש עוד תוצאות. אות נוספת תצמצם אותן.',
  count: (count) => many(count, { one: 'תוצאה אחת', two: 'שתי תוצאות', other: `${count} תוצאות` }),
  types: {
    student: 'תלמידים',
    guardian: 'הורים',
    staff: 'צוות',
    group: 'קבוצות',
    course: 'קורסים',
    invoice: 'חשבונות לתשלום',
    lead: 'פניות',
  },
}
