import type { groups as english } from '../en/groups.ts'
import { isolate } from '../format.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

export const groups: typeof english = {
  title: 'المجموعات',
  search: 'اسم المجموعة',
  status: 'الحالة',
  anyStatus: 'كل الحالات',
  statuses: { planned: 'مخطَّطة', active: 'فعّالة', completed: 'انتهت', cancelled: 'أُلغيت' },
  course: 'الدورة',
  anyCourse: 'كل الدورات',
  teacher: 'المعلّم/ة',
  anyTeacher: 'كل المعلّمين',
  noTeacher: 'لا معلّم بعد',
  noRoom: 'لا غرفة بعد',
  noLimit: 'بلا حدّ',
  noneYet: 'لا توجد مجموعات بعد.',
  noneFound: 'لا مجموعة تطابق ذلك. جرّبوا حروفًا أو شروطًا أقل.',
  clear: 'عرض كل المجموعات',
  seats: (taken, of) => `${isolate(taken)} من ${isolate(of)} مقعدًا`,
  students: (count) =>
    many(count, {
      zero: 'لا طلاب',
      one: 'طالب واحد',
      two: 'طالبان',
      few: `${count} طلاب`,
      many: `${count} طالبًا`,
      other: `${count} طالب`,
    }),
  full: 'مكتملة',
  name: 'الاسم',
  room: 'الغرفة',
  capacity: 'عدد المقاعد',
  details: 'التفاصيل',
  noSchedule: 'لم تُحدَّد مواعيد أسبوعية.',
  weekly: (days, times) => `${days} ${isolate(times)}`,
  roster: 'الطلاب',
  noRoster: 'لا أحد في هذه المجموعة بعد. افتحوا صفحة طالب لتسجيله فيها.',
  coming: 'الحصص القادمة',
  past: 'الحصص السابقة',
  noComing: 'لا حصص في الأسابيع الأربعة القادمة.',
  noPast: 'لا حصص في الأسابيع الأربعة الماضية.',
  unmarked: 'لم يُسجَّل الحضور',
  marked: (marked, of) => `سُجّل ${isolate(marked)} من ${isolate(of)}`,
  cancelled: 'أُلغيت',
  running: 'الآن',
  attendance: 'الحضور في آخر 30 يومًا',
  noAttendance: 'لم يُسجَّل الحضور في أي حصة من آخر 30 يومًا.',
  rate: 'نسبة الحضور',
  call: (name) => `اتصال: ${isolate(name)}`,
}
