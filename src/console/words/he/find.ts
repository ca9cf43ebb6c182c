import type { find as english } from '../en/find.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const find: typeof english = {
  title: 'חיפוש',
  label: 'חיפוש אדם, קבוצה או מספר…',
  hint: 'אפשר להקליד שתי אותיות של שם, או ספרות של טלפון, של מספר תלמיד או של דרישת תשלום.',
  recent: 'נצפו לאחרונה',
  results: 'תוצאות',
  none: (typed) => `לא נמצא דבר עבור ״${isolate(typed)}״.`,
  noneHint: 'כדאי לנסות פחות אותיות, או חלק ממספר הטלפון.',
  more: 'יש עוד תוצאות. אות נוספת תצמצם אותן.',
  count: (count) => many(count, { one: 'תוצאה אחת', two: 'שתי תוצאות', other: `${count} תוצאות` }),
  types: {
    student: 'תלמידים',
    guardian: 'הורים',
    staff: 'צוות',
    group: 'קבוצות',
    course: 'קורסים',
    invoice: 'דרישות תשלום',
    receipt: 'קבלות',
    credit_note: 'הודעות זיכוי',
    refund: 'החזרים כספיים',
    lead: 'פניות',
  },
}
