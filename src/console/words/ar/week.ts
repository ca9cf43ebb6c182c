import type { week as english } from '../en/week.ts'
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

export const week: typeof english = {
  title: 'الأسبوع',
  previous: 'الأسبوع السابق',
  next: 'الأسبوع التالي',
  today: 'اليوم',
  days: 'أيام الأسبوع',
  lessons: (count) =>
    many(count, {
      zero: 'لا حصص',
      one: 'حصة واحدة',
      two: 'حصتان',
      few: `${count} حصص`,
      many: `${count} حصة`,
      other: `${count} حصة`,
    }),
  ownLessons: 'حصصي',
  anyTeacher: 'كل المعلّمين',
  anyRoom: 'كل الغرف',
  anyGroup: 'كل المجموعات',
  room: 'الغرفة',
  group: 'المجموعة',
  noLessonsDay: 'لا حصص في هذا اليوم.',
  noLessons: 'لا حصص في هذا الأسبوع.',
  showAll: 'عرض كل الحصص',
  notAll: (count) => `تظهر أول ${isolate(count)} حصة من الأسبوع. اختاروا معلّمًا أو غرفة لرؤية البقية.`,
  clashes: (count) =>
    many(count, {
      zero: 'لا تعارض',
      one: 'تعارض واحد',
      two: 'تعارضان',
      few: `${count} تعارضات`,
      many: `${count} تعارضًا`,
      other: `${count} تعارض`,
    }),
  clash: 'تعارض',
  clashWith: {
    teacher: (group, times) => `المعلّم/ة في ${isolate(group)} أيضًا، ${isolate(times)}`,
    room: (group, times) => `الغرفة مشغولة بـ ${isolate(group)}، ${isolate(times)}`,
    student: (group, times) => `طلاب منها في ${isolate(group)} أيضًا، ${isolate(times)}`,
  },
  often: (count, first) => {
    const times = many(count, {
      zero: 'ولا مرة',
      one: 'مرة',
      two: 'مرتين',
      few: `${count} مرات`,
      many: `${count} مرة`,
      other: `${count} مرة`,
    })
    return `${times}، أولها ${isolate(first)}`
  },
  anotherLesson: 'حصة أخرى',
  cancelled: 'أُلغيت',
  notMarked: 'لم يُسجَّل الحضور',
  now: 'الآن',
  continued: 'منذ اليوم السابق',
  noTeacher: 'لا معلّم بعد',
  openGroup: 'صفحة المجموعة',
  students,
  move: 'نقل',
  moveTitle: (group) => `نقل حصة من ${isolate(group)}`,
  date: 'التاريخ',
  starts: 'البداية',
  ends: 'النهاية',
  endFirst: 'يجب أن تكون النهاية بعد البداية.',
  missing: 'حدّدوا الموعد.',
  moves: (count) =>
    many(count, {
      zero: 'تُنقل حصة واحدة بلا طلاب.',
      one: 'تُنقل حصة واحدة لطالب واحد.',
      two: 'تُنقل حصة واحدة لطالبين.',
      few: `تُنقل حصة واحدة لـ ${count} طلاب.`,
      many: `تُنقل حصة واحدة لـ ${count} طالبًا.`,
      other: `تُنقل حصة واحدة لـ ${count} طالب.`,
    }),
  movesTold: 'سيُبلَغون بذلك هم وأولياء أمورهم والمعلّم.',
  isPast: 'هذا الموعد قد مضى.',
  free: 'لا تعارض للمعلّم ولا للغرفة في هذا الموعد.',
  moveIt: 'نقل الحصة',
  moved: (group, when) => `موعد ${isolate(group)} الآن ${isolate(when)}.`,
  back: 'رجوع',
  cancel: 'إلغاء الحصة',
  cancelTitle: (group) => `إلغاء حصة من ${isolate(group)}`,
  reason: 'السبب',
  reasonHint: 'يظهر في الرسالة التي تصل إلى الجميع.',
  missingReason: 'اذكروا السبب كي لا يضطر أحد إلى السؤال.',
  tells: (count) =>
    many(count, {
      zero: 'سيُبلَّغ المعلّم.',
      one: 'سيُبلَّغ الطالب وأولياء أمره والمعلّم.',
      two: 'سيُبلَّغ طالبان وأولياء أمورهما والمعلّم.',
      few: `سيُبلَّغ ${count} طلاب وأولياء أمورهم والمعلّم.`,
      many: `سيُبلَّغ ${count} طالبًا وأولياء أمورهم والمعلّم.`,
      other: `سيُبلَّغ ${count} طالب وأولياء أمورهم والمعلّم.`,
    }),
  tellsTeacher: 'لا أحد في المجموعة: سيُبلَّغ المعلّم وحده.',
  cancelLasts: 'الحصة الملغاة تبقى ملغاة. يمكن إضافة حصة أخرى لاحقًا.',
  wasCancelled: (group) => `أُلغيت حصة ${isolate(group)}.`,
  substitute: 'معلّم بديل',
  correctTeacher: 'من أعطى الحصة',
  substituteTitle: (group) => `من يعطي حصة ${isolate(group)}؟`,
  correctTitle: (group) => `من أعطى حصة ${isolate(group)}؟`,
  ownTeacher: 'معلّم المجموعة',
  ofYourBranches: 'تظهر هنا أسماء معلّمي الفروع التي تراها. من يدير المعهد كله يستطيع إسناد الحصة إلى غيرهم.',
  teacherFree: 'لا حصة أخرى في هذا الموعد.',
  substituted: (name, group) => `حصة ${isolate(group)} مع ${isolate(name)}.`,
  ownAgain: (group) => `حصة ${isolate(group)} مع معلّم المجموعة.`,
}
