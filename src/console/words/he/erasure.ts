import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'
import type { erasure as english } from '../en/erasure.ts'

const many = plural('he')

/** A person is erased who asks for it. */
export const erasure: typeof english = {
  erase: 'מחיקת הפרטים…',
  title: (name) => `מחיקת הפרטים של ${isolate(name)}`,
  about: 'למי שמבקש שלא תשמרו עליו מידע. אי אפשר לבטל.',
  dataFirst: 'הציעו קודם את המידע השמור: אחרי המחיקה הוא לא יישאר.',
  against: 'לסדר קודם',
  reasons: {
    active: () => 'התלמיד/ה עדיין בסטטוס פעיל: סמנו עזיבה או סיום.',
    enrolled: (count) =>
      many(count, { one: 'רישום לקבוצה אחת.', two: 'רישום לשתי קבוצות.', other: `רישום ל־${count} קבוצות.` }),
    waiting: (count) =>
      many(count, { one: 'ברשימת המתנה אחת.', two: 'בשתי רשימות המתנה.', other: `ב־${count} רשימות המתנה.` }),
    in_course: (count) =>
      many(count, {
        one: 'קורס וידאו אחד: סיימו אותו.',
        two: 'שני קורסי וידאו: סיימו אותם.',
        other: `${count} קורסי וידאו: סיימו אותם.`,
      }),
    draft: (count) =>
      many(count, {
        one: 'טיוטת חשבונית אחת: הפיקו או בטלו אותה.',
        two: 'שתי טיוטות חשבונית: הפיקו או בטלו אותן.',
        other: `${count} טיוטות חשבונית: הפיקו או בטלו אותן.`,
      }),
    debt: (count) =>
      many(count, {
        one: 'חשבונית אחת לא שולמה.',
        two: 'שתי חשבוניות לא שולמו.',
        other: `${count} חשבוניות לא שולמו.`,
      }),
    credit: () => 'יש יתרת זכות: החזירו אותה או השתמשו בה.',
    cheque: (count) =>
      many(count, {
        one: 'צ׳ק אחד טרם נפרע.',
        two: 'שני צ׳קים טרם נפרעו.',
        other: `${count} צ׳קים טרם נפרעו.`,
      }),
    online_payment: (count) =>
      many(count, {
        one: 'תשלום אחד בכרטיס לא נסגר.',
        two: 'שני תשלומים בכרטיס לא נסגרו.',
        other: `${count} תשלומים בכרטיס לא נסגרו.`,
      }),
    payer: (count) =>
      many(count, {
        one: 'משלם/ת עבור תלמיד אחד: קבעו משלם אחר.',
        two: 'משלם/ת עבור שני תלמידים: קבעו משלם אחר.',
        other: `משלם/ת עבור ${count} תלמידים: קבעו משלם אחר.`,
      }),
    only_guardian: (count) =>
      many(count, {
        one: 'ההורה היחיד/ה של תלמיד אחד: קשרו הורה נוסף.',
        two: 'ההורה היחיד/ה של שני תלמידים: קשרו הורה נוסף.',
        other: `ההורה היחיד/ה של ${count} תלמידים: קשרו הורה נוסף.`,
      }),
  },
  see: 'הצגה',
  goes: 'נמחק לתמיד',
  details: 'שם, פרטי קשר, מספר זהות, כתובת, הערות ומה שנכתב על האדם',
  goesToo: {
    guardian_link: 'הקשר למשפחה',
    student_pause: 'הפסקות',
    announced_absence: 'היעדרויות שנמסרו מראש',
    progress_report: 'דוחות התקדמות',
    discount: 'הנחות',
    lead: 'פניות',
    file: 'קבצים ותמונות',
    proposed_change: 'שינויים שהוצעו',
    notification: 'הודעות',
  },
  account: {
    erased: 'החשבון נסגר ומנותק מכל המכשירים.',
    taken_off: 'החשבון משמש גם לדבר אחר: הוא רק מנותק מהרשומה הזאת.',
  },
  stays: 'נשאר בלי שם',
  staying: {
    enrollment: 'תקופות בקבוצות',
    attendance: 'נוכחות',
    exam_result: 'תוצאות מבחנים',
    course_enrollment: 'קורסי וידאו',
  },
  papers: 'השם נשאר עליהם',
  papersWhy: 'דיני המס מחייבים לשמור מסמכים כפי שנמסרו. גם הסכומים והמספרים נשארים.',
  paper: { invoice: 'חשבוניות', receipt: 'קבלות', credit_note: 'חשבוניות זיכוי', refund: 'החזרים' },
  noPapers: 'אין מסמך שנושא את השם הזה.',
  besides: 'מה חשוב לדעת',
  know: [
    'בגיבויים קודמים האדם עדיין נמצא, עד שגיבויים חדשים מחליפים אותם. אם תשחזרו גיבוי כזה, מחקו שוב.',
    'רשימות שיובאו נמחקות מעצמן בתוך חודש.',
    'שמות בהערות על אחרים נשארים, למשל בהערות של שיעור: בדקו אותן בעצמכם.',
    'המחיקה לא מגיעה לנייר, לקבצים שיוצאו ולתוכנות אחרות.',
  ],
  typeName: (name) => `כדי להמשיך, הקלידו את השם: ${isolate(name)}`,
  otherName: 'זה לא השם.',
  verb: 'מחיקה לתמיד',
  done: 'הפרטים נמחקו. מה שנותר ביומנים ובקבצים יימחק בתוך דקות.',
  erasedOn: (day) => `הפרטים נמחקו ב־${isolate(day)}. כאן כבר לא משנים דבר; מה שנשאר הוא לספרים ולנתונים.`,
  accountOf: 'חשבוניות ותשלומים',
}
