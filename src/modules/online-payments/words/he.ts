import { isolateLeftToRight, unbroken } from '#shared/isolate.ts'
import type { PayWords } from './pay-words.ts'

export const he: PayWords = {
  paid: (number) => `דרישת תשלום ${number}`,
  due: {
    title: (number) => `תשלום בכרטיס אשראי: דרישת תשלום ${unbroken(number)}`,
    text: (amount, date) =>
      `לתשלום: ${amount}, עד ${date}. פרטי הכרטיס נמסרים בדף של חברת הסליקה בלבד, והמכון אינו רואה אותם.`,
    button: 'תשלום בכרטיס',
  },
  going: { title: 'דף התשלום נפתח', text: 'אם הדף אינו נפתח מעצמו, לחצו על הכפתור.', button: 'המשך' },
  done: { title: 'שולם, תודה', text: (number) => `התשלום התקבל. קבלה מס׳ ${isolateLeftToRight(number)}.` },
  settled: { title: 'אין יתרה לתשלום', text: (number) => `דרישת התשלום ${isolateLeftToRight(number)} שולמה.` },
  void: { title: 'אין יתרה לתשלום', text: (number) => `דרישת התשלום ${isolateLeftToRight(number)} בוטלה.` },
  waiting: {
    title: 'עדיין אין אישור',
    text: 'אם שילמתם זה עתה, האישור מגיע תוך כמה דקות. אין לשלם שוב; הדף בודק שוב מעצמו.',
  },
  off: { title: 'אין כרגע תשלום בכרטיס', text: 'פנו אל המכון כדי לשלם בדרך אחרת.' },
  failed: {
    title: 'דף התשלום לא נפתח',
    text: 'לא בוצע תשלום. נסו שוב בעוד זמן מה, או פנו אל המכון כדי לשלם בדרך אחרת.',
  },
}
