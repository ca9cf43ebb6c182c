import type { today as english } from '../en/today.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

export const today: typeof english = {
  title: 'اليوم',
  now: 'الآن',
  takeAttendance: 'تسجيل الحضور',
  seeAttendance: 'عرض الحضور',
  classes: 'حصص اليوم',
  nextClass: 'الحصة القادمة',
  currentClass: 'الآن',
  cancelled: 'ملغاة',
  notMarked: 'لم يُسجَّل',
  students: (count) =>
    many(count, {
      zero: 'بلا طلاب',
      one: 'طالب واحد',
      two: 'طالبان',
      few: `${count} طلاب`,
      many: `${count} طالبًا`,
      other: `${count} طالب`,
    }),
  marked: (marked, all) => `سُجّل ${isolate(marked)} من ${isolate(all)}`,
  noClasses: 'لا حصص اليوم.',
  noClassesAhead: 'لا حصص في الأيام السبعة القادمة.',
  toGroups: 'عرض المجموعات',
  firstSteps: 'المعهد جديد. هذا هو الترتيب الأسهل للساعة الأولى:',
  firstOpen: 'فتح',
  firstBranches: 'تسمية الفرع، وإضافة الفروع الأخرى',
  firstPeople: 'دعوة المعلّمين وموظفي المكتب',
  firstCourse: 'إضافة دورة: ماذا تُعلّمون وكم رسومها',
  firstGroup: 'فتح مجموعة بمواعيدها، ثم لصق قائمة طلابها فيها',
  firstFees: 'تحديد ما يُدفع كل شهر، وإعداد أول الفواتير',
  notOnStaff: 'حسابكم غير مرتبط بأحد من الموظفين بعد. يمكن لمن يدير شؤون الموظفين أن يربطه.',
  earlierUnmarked: 'لم يُسجَّل حضورها بعد',
  showAll: (count) => `عرض الكل (${isolate(count)})`,
  absent: 'غياب مبلَّغ عنه اليوم',
  absentUntil: (day) => `حتى ${isolate(day)}`,
  needs: 'بانتظار المتابعة',
  calm: 'لا شيء بانتظار المتابعة الآن.',
  markThem: 'تسجيل',
  look: 'عرض',
  unmarkedTitle: 'حصص لم يُسجَّل حضورها',
  unmarkedMore: (count) =>
    many(count, {
      zero: 'ولا حصص أقدم.',
      one: 'وحصة أقدم واحدة.',
      two: 'وحصتان أقدم.',
      few: `و${isolate(count)} حصص أقدم.`,
      many: `و${isolate(count)} حصة أقدم.`,
      other: `و${isolate(count)} حصة أقدم.`,
    }),
  unmarkedNone: 'سُجّل حضور كل الحصص.',
  unmarkedToday: (count) =>
    many(count, {
      zero: 'سُجّل حضور كل حصص اليوم',
      one: 'انتهت اليوم حصة واحدة ولم يُسجَّل حضورها',
      two: 'انتهت اليوم حصتان ولم يُسجَّل حضورهما',
      few: `انتهت اليوم ${count} حصص ولم يُسجَّل حضورها`,
      many: `انتهت اليوم ${count} حصة ولم يُسجَّل حضورها`,
      other: `انتهت اليوم ${count} حصة ولم يُسجَّل حضورها`,
    }),
  unmarkedBefore: (count) =>
    many(count, {
      zero: 'سُجّل حضور كل الحصص السابقة',
      one: 'حصة واحدة من أيام سابقة لم يُسجَّل حضورها',
      two: 'حصتان من أيام سابقة لم يُسجَّل حضورهما',
      few: `${count} حصص من أيام سابقة لم يُسجَّل حضورها`,
      many: `${count} حصة من أيام سابقة لم يُسجَّل حضورها`,
      other: `${count} حصة من أيام سابقة لم يُسجَّل حضورها`,
    }),
  invoicesOverdue: (count, balance) =>
    many(count, {
      zero: 'لا فواتير متأخرة',
      one: `فاتورة واحدة متأخرة: ${isolate(balance)}`,
      two: `فاتورتان متأخرتان: ${isolate(balance)}`,
      few: `${count} فواتير متأخرة: ${isolate(balance)}`,
      many: `${count} فاتورة متأخرة: ${isolate(balance)}`,
      other: `${count} فاتورة متأخرة: ${isolate(balance)}`,
    }),
  invoicesDue: (count, balance) =>
    many(count, {
      zero: 'لا فواتير تُستحق اليوم',
      one: `فاتورة واحدة تُستحق اليوم: ${isolate(balance)}`,
      two: `فاتورتان تُستحقان اليوم: ${isolate(balance)}`,
      few: `${count} فواتير تُستحق اليوم: ${isolate(balance)}`,
      many: `${count} فاتورة تُستحق اليوم: ${isolate(balance)}`,
      other: `${count} فاتورة تُستحق اليوم: ${isolate(balance)}`,
    }),
  newLeads: (count) =>
    many(count, {
      zero: 'لا مهتمين جدد',
      one: 'مهتم جديد واحد',
      two: 'مهتمان جديدان',
      few: `${count} مهتمين جدد`,
      many: `${count} مهتمًا جديدًا`,
      other: `${count} مهتم جديد`,
    }),
  failedMessages: (count) =>
    many(count, {
      zero: 'وصلت كل الرسائل',
      one: 'رسالة واحدة لم تصل',
      two: 'رسالتان لم تصلا',
      few: `${count} رسائل لم تصل`,
      many: `${count} رسالة لم تصل`,
      other: `${count} رسالة لم تصل`,
    }),
  backupNone: 'لا توجد نسخة احتياطية بعد',
  backupOld: (when) => `أحدث نسخة احتياطية من ${isolate(when)}`,
  backupElsewhere: 'تعذّر حفظ نسخة احتياطية في مكان آخر',
  licenseEnded: 'انتهت مدة الرخصة. كل شيء يعمل كالمعتاد.',
  licenseSilent: (date) => `لم يجب مزوّد الرخصة منذ ${isolate(date)}`,
  markedAbsent: (count: number) =>
    many(count, {
      zero: 'لا غياب اليوم',
      one: 'غائب اليوم: طالب واحد',
      two: 'غائبان اليوم: طالبان',
      few: `الغائبون اليوم: ${count} طلاب`,
      many: `الغائبون اليوم: ${count} طالبًا`,
      other: `الغائبون اليوم: ${count} طالب`,
    }),
  told: 'أُبلغت العائلة',
  notTold: 'لم تُبلَّغ',
  excused: 'أُبلغ مسبقًا',
}
