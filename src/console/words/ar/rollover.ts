import type { rollover as english } from '../en/rollover.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

const groups = (count: number) =>
  many(count, {
    zero: 'لا مجموعات',
    one: 'مجموعة واحدة',
    two: 'مجموعتان',
    few: `${count} مجموعات`,
    many: `${count} مجموعة`,
    other: `${count} مجموعة`,
  })

const students = (count: number) =>
  many(count, {
    zero: 'لا طلاب',
    one: 'طالب واحد',
    two: 'طالبان',
    few: `${count} طلاب`,
    many: `${count} طالبًا`,
    other: `${count} طالب`,
  })

const lessons = (count: number) =>
  many(count, {
    zero: 'لا حصص',
    one: 'حصة واحدة',
    two: 'حصتان',
    few: `${count} حصص`,
    many: `${count} حصة`,
    other: `${count} حصة`,
  })

const places = (count: number) =>
  many(count, {
    zero: 'لا مقاعد',
    one: 'مقعد واحد',
    two: 'مقعدان',
    few: `${count} مقاعد`,
    many: `${count} مقعدًا`,
    other: `${count} مقعد`,
  })

export const rollover: typeof english = {
  title: 'سنة دراسية جديدة',
  about: 'تستمر المجموعات بمواعيدها ومعلّميها وطلابها، وتُنهى المجموعات السابقة بعد آخر يوم فيها.',
  goOnGroup: 'إلى السنة الجديدة',
  groups: 'المجموعات',
  all: (count) => `كل المعروض: ${groups(count)}`,
  noGroups: 'لا مجموعة تناسب هذا التحديد.',
  noEnd: 'بلا آخر يوم',
  until: (day) => `حتى ${isolate(day)}`,
  year: 'السنة الجديدة',
  firstDay: 'أول يوم',
  lastDay: 'آخر يوم',
  endFirst: 'آخر يوم يسبق أول يوم.',
  keepTimes: 'في المواعيد الأسبوعية نفسها',
  keepTeachers: 'مع المعلّمين أنفسهم',
  price: 'ما يدفعه الطلاب',
  prices: { keep: 'المبلغ المتفق عليه', group_default: 'رسوم المجموعة' },
  plan: 'ما سيتم',
  sum: (count, kept) => `${groups(count)}، والمستمرّون: ${places(kept)}`,
  newName: (former) => `اسم المجموعة الجديدة بعد ${isolate(former)}`,
  ends: (day) => `آخر يوم: ${isolate(day)}`,
  lessons,
  goOn: (kept) => `المستمرّون: ${students(kept)}`,
  goOnOf: (kept, capacity) => `المقاعد المشغولة: ${kept} من ${capacity}`,
  leftOut: (count) => `· لا يستمرّ: ${students(count)}`,
  showStudents: 'عرض الطلاب',
  hideStudents: 'إخفاء الطلاب',
  studentsOf: (group) => `طلاب ${isolate(group)}`,
  reasons: {
    paused: 'تسجيله موقوف مؤقتًا، حدّدوه إن كان سيستمرّ',
    withdrawn: 'انسحب من المعهد',
    graduated: 'تخرّج',
    already_enrolled: 'له مقعد في مجموعة لاحقة من الدورة',
    left_before_end: 'ينتهي مقعده قبل نهاية المجموعة أو قبل بداية الجديدة',
    group_full: 'لم يبقَ مقعد',
  },
  withoutTeacher: (name) => `${isolate(name)} لا يدرّس المجموعة الجديدة`,
  clash: {
    teacher: (when, group) => `${isolate(when)}: لدى المعلّم أيضًا ${isolate(group)}`,
    room: (when, group) => `${isolate(when)}: الغرفة محجوزة أيضًا للمجموعة ${isolate(group)}`,
  },
  closed: (count) => `في أيام العطل: ${lessons(count)}`,
  fees: (names) => `رسوم تستمرّ: ${isolate(names)}`,
  noRoom: (free) =>
    free <= 0 ? 'لا تتسع خطة المعهد لمجموعة أخرى.' : `ما تتسع له خطة المعهد من المجموعات الإضافية: ${free}.`,
  takeOut: (count) => (count === 1 ? 'إخراجها من الاختيار' : `إخراج ${groups(count)} من الاختيار`),
  open: (count) => (count === 0 ? 'فتح المجموعات' : `فتح المجموعات الجديدة (${count})`),
  ask: (count, kept) => `فتح المجموعات الجديدة (${count})؟ المستمرّون: ${places(kept)}`,
  follows: (day) => `يُسجَّل الطلاب ابتداءً من ${isolate(day)}. تبقى المجموعات السابقة كما هي حتى آخر يوم فيها.`,
  notify: 'إبلاغ العائلات: رسالة واحدة لكل عائلة بأماكن جميع أبنائها',
  made: (count) => `فُتح للسنة الجديدة: ${groups(count)}`,
  allDone: 'سُجِّل جميع الطلاب وأُضيفت الحصص.',
  goesOn: 'المجموعات موجودة، ويُستكمل تسجيل الطلاب والحصص خلال دقائق، حتى لو أُغلقت هذه الصفحة.',
}
