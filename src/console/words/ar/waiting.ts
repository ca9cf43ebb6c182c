import type { waiting as english } from '../en/waiting.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

const students = (count: number) =>
  many(count, {
    zero: 'لا طلاب',
    one: 'طالب واحد',
    two: 'طالبان',
    few: `${count} طلاب`,
    many: `${count} طالبًا`,
    other: `${count} طالب`,
  })

export const waiting: typeof english = {
  title: 'قائمة الانتظار',
  nobody: 'لا أحد ينتظر مقعدًا.',
  add: 'إضافة إلى القائمة',
  addTitle: (group) => `من ينتظر مقعدًا في ${isolate(group)}؟`,
  note: 'ملاحظة',
  waits: 'ينتظر أصلًا',
  added: (name, group) => `أُضيف ${isolate(name)} إلى قائمة انتظار ${isolate(group)}.`,
  since: (day) => `منذ ${isolate(day)}`,
  offer: 'عرض مقعد',
  offerAsk: (name, group) => `عرض مقعد في ${isolate(group)} على ${isolate(name)}؟`,
  offerFollows: 'تُبلَّغ العائلة حتى متى يُحفظ المقعد، ولا يُعطى لغيرها قبل ذلك.',
  offered: (name) => `عُرض مقعد على ${isolate(name)}.`,
  offeredUntil: (day) => `معروض حتى ${isolate(day)}`,
  lapsed: 'لم تصل إجابة',
  accept: 'تسجيل',
  accepted: (name, group) => `${isolate(name)} مسجَّل الآن في ${isolate(group)}.`,
  decline: 'لا يرغبون في المقعد',
  up: 'تقديم في القائمة',
  down: 'تأخير في القائمة',
  leave: 'إخراج من القائمة',
  fullPut: (count) => `إضافة إلى قائمة الانتظار: ${students(count)}`,
  free: (group, count) => `يوجد مقعد شاغر في ${isolate(group)}، وفي قائمة الانتظار ${students(count)}`,
}
