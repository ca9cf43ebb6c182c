import type { files as english } from '../en/files.ts'
import { isolate } from '../../../shared/isolate.ts'

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
}
