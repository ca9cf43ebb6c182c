import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'
import type { Words } from '../words.ts'

const many = plural('ar')

export const till: Words['till'] = {
  title: 'صندوقي',
  about: (since) => `منذ ${isolate(since)}`,
  empty: 'الصندوق فارغ. كل دفعة تُسجَّل من الآن تظهر هنا.',
  lastClosed: (when) => `آخر إقفال: ${isolate(when)}.`,
  entries: (count) =>
    many(count, {
      zero: 'لا حركات',
      one: 'حركة واحدة',
      two: 'حركتان',
      few: `${count} حركات`,
      many: `${count} حركة`,
      other: `${count} حركة`,
    }),
  heldCheques: (count, sum) =>
    many(count, {
      zero: `لا شيكات مؤجلة، ${isolate(sum)}`,
      one: `شيك مؤجل واحد، ${isolate(sum)}`,
      two: `شيكان مؤجلان، ${isolate(sum)}`,
      few: `${count} شيكات مؤجلة، ${isolate(sum)}`,
      many: `${count} شيكا مؤجلا، ${isolate(sum)}`,
      other: `${count} شيك مؤجل، ${isolate(sum)}`,
    }),
  heldBeside: 'لا تدخل في المبالغ. يمكن عدّ ما في الصندوق منها.',
  papersCounted: 'الشيكات المعدودة',
  expected: 'المتوقع',
  countOf: (method) => `المبلغ المعدود: ${isolate(method)}`,
  fits: 'مطابق',
  missing: (amount) => `ينقص ${isolate(amount)}`,
  over: (amount) => `زيادة ${isolate(amount)}`,
  notCounted: 'اكتبوا المبلغ المعدود، و0 إن لم يوجد شيء.',
  note: 'ملاحظة',
  noteHint: 'ما يفسّر الفرق إن وُجد.',
  close: 'إقفال الصندوق',
  closed: 'أُقفل الصندوق.',
  follows: 'يُحفظ الإقفال كما هو ولا يمكن تغييره. وما يُستلم بعده يدخل في الصندوق التالي.',
  movements: 'الحركات',
  closes: 'إقفالات الصندوق',
  noCloses: 'لم يُقفل أي صندوق بعد.',
  paper: 'كشف الإقفال (PDF)',
  paperOf: (name, when) => `كشف إقفال ${isolate(name)}، ${isolate(when)} (PDF)`,
  kinds: { received: 'استُلم', reversed: 'أُلغي', refunded: 'رُدّ', held: 'شيك مؤجل', given_back: 'شيك مؤجل أعيد' },
}
