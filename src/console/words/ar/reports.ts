import type { reports as english } from '../en/reports.ts'
import { isolate } from '../../../shared/isolate.ts'

export const reports: typeof english = {
  title: 'تقارير التقدّم',
  none: 'لم يُكتب أي تقرير بعد.',
  write: 'كتابة تقرير',
  writeTitle: (name) => `تقرير تقدّم ${isolate(name)}`,
  from: 'من تاريخ',
  to: 'حتى تاريخ',
  missing: 'يجب تحديد اليوم.',
  backwards: 'يجب أن يكون اليوم الأخير بعد اليوم الأول.',
  comment: 'التقييم',
  commentHint: 'يُضاف الحضور ونتائج الامتحانات في هذه الفترة تلقائيًا.',
  save: 'حفظ كمسودة',
  written: 'المسودة جاهزة. يمكن الاطلاع عليها كملف PDF ثم إرسالها.',
  draft: 'مسودة',
  sentOn: (day) => `أُرسل في ${isolate(day)}`,
  send: 'إرسال',
  sendTitle: (name) => `إرسال تقرير ${isolate(name)}؟`,
  sendText: 'يُبلَّغ الطالب وأولياء أمره. التقرير الذي أُرسل يبقى كما هو.',
  sent: 'أُرسل التقرير.',
  remove: 'حذف',
  removeTitle: 'حذف هذه المسودة؟',
}
