import type { fees as english } from '../en/fees.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('he')

export const fees: typeof english = {
  newFee: 'תעריף חדש',
  feeFor: 'עבור',
  chooseFeeFor: 'יש לבחור קורס או קבוצה',
  allGroupsOf: (course) => `כל הקבוצות של ${isolate(course)}`,
  groupOf: (group, course) => `קבוצה ${isolate(group)} (${isolate(course)})`,
  feeAmount: 'סכום',
  feeMissing: 'יש להזין סכום.',
  feeEvery: 'כל כמה זמן',
  everyMonth: 'בכל חודש',
  everyTerm: 'בכל תקופה',
  once: 'פעם אחת',
  feeDay: 'היום בחודש לתשלום',
  feeDayHint: 'אם משאירים ריק, המועד נקבע לפי מספר הימים שבהגדרות.',
  noDay: 'מספר מ־1 עד 31.',
  feeSaved: (name) => `התעריף של ${isolate(name)} נשמר, ומעכשיו נכלל בכל חיוב חודשי.`,
  chargedBy: {
    run: 'מחויב בכל חיוב חודשי.',
    registration: 'מחויב פעם אחת, בדרישת התשלום הראשונה של מי שנרשם.',
    hand: 'מחויב רק בדרישת תשלום ידנית.',
  },
  change: (name) => `שינוי שכר הלימוד ${isolate(name)}`,
  changed: (name) => `שכר הלימוד ${isolate(name)} שונה.`,
  more: (name) => `עוד על ${isolate(name)}`,
  stop: 'הפסקת החיוב',
  stopAsk: (name) => `להפסיק לחייב ${isolate(name)}?`,
  stopText: 'דרישות התשלום הקיימות נשמרות. מעכשיו הוא לא יחויב יותר.',
  stopped: (name) => `החיוב ${isolate(name)} הופסק.`,
  name: 'שם',
  nameMissing: 'יש לכתוב שם.',
  price: 'המחיר',
  prices: { enrollment: 'לפי מה שסוכם', schedule: 'אותו מחיר לכולם' },
  agreed: 'כל תלמיד מחויב במה שסוכם ברישום: מחיר הקבוצה, או המחיר שלו.',
  proration: 'מי שלומד רק בחלק מהחודש',
  prorations: { none: 'משלם חודש מלא', lessons: 'משלם לפי שיעורים', days: 'משלם לפי ימים' },
  validFrom: 'בתוקף מתאריך',
  validTo: 'בתוקף עד תאריך',
  endFirst: 'היום האחרון קודם ליום הראשון.',
  follows: 'מה יקרה',
  concerns: (count, month) =>
    count === 0
      ? `עדיין אין תלמידים שזה נוגע להם. החיוב החל מ${isolate(month)}.`
      : many(count, {
          one: `נוגע לתלמיד אחד, החל מ${isolate(month)}. מה שכבר חויב לא ישתנה.`,
          two: `נוגע לשני תלמידים, החל מ${isolate(month)}. מה שכבר חויב לא ישתנה.`,
          other: `נוגע ל־${count} תלמידים, החל מ${isolate(month)}. מה שכבר חויב לא ישתנה.`,
        }),
  ownPrices: (count) =>
    many(count, {
      one: 'לאחד מהם נשאר המחיר שסוכם איתו.',
      two: 'לשניים מהם נשאר המחיר שסוכם איתם.',
      other: `ל־${count} מהם נשאר המחיר שסוכם איתם.`,
    }),
  partOf: {
    lessons: (count, all) => `${count} מתוך ${all} שיעורים`,
    days: (count, all) => `${count} מתוך ${all} ימים`,
  },
  example: (part, charged, full) => `לדוגמה: ${part} – ${isolate(charged)} מתוך ${isolate(full)}.`,
}
