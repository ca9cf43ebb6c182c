import type { files as english } from '../en/files.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

const counted = (count: number): string =>
  many(count, {
    zero: 'لا ملفات',
    one: 'ملف واحد',
    two: 'ملفان',
    few: `${count} ملفات`,
    many: `${count} ملفًا`,
    other: `${count} ملف`,
  })

export const files: typeof english = {
  title: 'الملفات',
  none: 'لم يُضف أي ملف بعد.',
  add: 'إضافة ملفات',
  drop: 'اسحبوا الملفات إلى هنا لإضافتها',
  added: (name) => `أُضيف: ${isolate(name)}`,
  sending: (name) => `جارٍ إرسال ${isolate(name)}…`,
  faults: {
    type: (name) => `نوع ${isolate(name)} غير مقبول. تُقبل ملفات PDF والصور وWord وExcel وCSV.`,
    size: (name) => `${isolate(name)} أكبر من اللازم. الحد الأقصى للملف 20 ميغابايت.`,
    empty: (name) => `${isolate(name)} فارغ.`,
    content: (name) => `${isolate(name)} تالف، أو نوعه ليس كما يدل اسمه.`,
  },
  failed: (name) => `لم يُضف ${isolate(name)}.`,
  remove: (name) => `حذف ${isolate(name)}`,
  removeTitle: (name) => `حذف ${isolate(name)}؟`,
  removeText: 'لا يمكن استعادته.',
  verb: 'حذف',
  removed: (name) => `حُذف: ${isolate(name)}`,
  photo: 'التقاط صورة',
  lessonHint: 'يستطيع طلاب هذه الحصة وعائلاتهم قراءتها.',
  examHint: 'تستطيع العائلات قراءتها بعد نشر النتائج.',
  count: (count) => counted(count),
  countOf: (count, title) => `${counted(count)}: ${isolate(title)}`,
  gone: 'أُزيلت هذه الملفات.',
}
