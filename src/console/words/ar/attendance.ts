import type { attendance as english } from '../en/attendance.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

export const attendance: typeof english = {
  statuses: { present: 'حاضر', absent: 'غائب', late: 'متأخر', excused: 'غياب بعذر' },
  counts: {
    present: (count) => `حضور: ${isolate(count)}`,
    absent: (count) => `غياب: ${isolate(count)}`,
    late: (count) => `تأخر: ${isolate(count)}`,
    excused: (count) => `غياب بعذر: ${isolate(count)}`,
  },
  of: (name) => `حضور ${isolate(name)}`,
  detailsHint: 'خيارات أخرى وملاحظة',
  status: 'الحضور',
  minutes: 'دقائق التأخر',
  minutesLate: (minutes) => `${isolate(minutes)} د`,
  minutesWrong: 'اكتبوا عدد الدقائق، 1440 على الأكثر.',
  note: 'ملاحظة',
  noteHint: 'يمكن للطالب وعائلته قراءتها.',
  keys: `الأسهم للاختيار، ${isolate('1–4')} للتسجيل، مفتاح المسافة للملاحظة، ${isolate('Enter')} للتالي، ${isolate('Ctrl+Enter')} للحفظ.`,
  savedAt: (time) => `حُفظ ${isolate(time)}`,
  unsaved: 'لم يُحفظ بعد',
  unsent: 'محفوظ هنا، لم يُرسل بعد',
  restored: 'سجّلتم هذا من قبل ولم تحفظوه.',
  startOver: 'البدء من جديد',
  announced: (reason) => `غياب مبلَّغ عنه: ${isolate(reason)}`,
  cancelledFor: (reason) => `السبب: ${isolate(reason)}`,
  cancelled: 'أُلغيت هذه الحصة. لا يُسجَّل حضورها.',
  notBegun: (when) => `تبدأ هذه الحصة في ${isolate(when)}.`,
  nobody: 'لم يكن أحد مسجَّلًا في المجموعة عندما بدأت هذه الحصة.',
  add: 'حضر طالب ليس في القائمة',
  addTitle: 'من حضر؟',
  addWho: 'الطالب',
  addHint: 'الاسم أو الرقم أو الهاتف. من تختارونه يُسجَّل في المجموعة.',
  addNone: 'لم يُعثر على أحد. يُضاف الطلاب الجدد في صفحة الطلاب.',
  addedLater: (name) =>
    `${isolate(name)}: جرى التسجيل في المجموعة بعد بدء هذه الحصة، ولذلك يظهر الاسم في القائمة من الحصة القادمة.`,
  conflict: 'سجّل شخص آخر حضور هذه الحصة في هذه الأثناء',
  conflictText: (count) =>
    many(count, {
      zero: 'لا اختلاف عمّا سجّلتموه.',
      one: 'يختلف تسجيل واحد عمّا سجّلتموه. اختاروا الصحيح ثم احفظوا.',
      two: 'يختلف تسجيلان عمّا سجّلتموه. اختاروا الصحيح ثم احفظوا.',
      few: `تختلف ${count} تسجيلات عمّا سجّلتموه. اختاروا الصحيح ثم احفظوا.`,
      many: `يختلف ${count} تسجيلًا عمّا سجّلتموه. اختاروا الصحيح ثم احفظوا.`,
      other: `يختلف ${count} تسجيل عمّا سجّلتموه. اختاروا الصحيح ثم احفظوا.`,
    }),
  yours: 'تسجيلكم',
  theirs: (time) => `حُفظ ${isolate(time)}`,
  refused: (group, when) => `لم يُقبل تسجيل حضور ${isolate(group)} (${isolate(when)}).`,
  conflicting: (group, when) => `سجّل شخص آخر أيضًا حضور ${isolate(group)} (${isolate(when)}). اختاروا التسجيل الصحيح.`,
  aClass: 'حصة',
  open: 'فتح',
  discard: 'حذف التسجيل',
  discardTitle: (group, when) => `حذف ما سجّلتموه من حضور ${isolate(group)} (${isolate(when)})`,
  discardText: 'يبقى ما لدى الخادم كما هو.',
}
