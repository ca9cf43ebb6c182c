import type { own as english } from '../en/own.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

export const own: typeof english = {
  children: 'الأبناء',
  child: 'الطالب',
  nobody: 'لا طالب مرتبط بحسابكم. راجعوا مكتب المدرسة.',
  places: (name) => `عن ${isolate(name)}`,
  lessons: 'الحصص',
  marks: 'العلامات',
  money: 'المدفوعات',
  present: 'حضور',
  absent: 'غياب',
  late: 'تأخّر',
  lateBy: (minutes) =>
    many(minutes, {
      zero: 'تأخّر',
      one: 'تأخّر دقيقة',
      two: 'تأخّر دقيقتين',
      few: `تأخّر ${minutes} دقائق`,
      many: `تأخّر ${minutes} دقيقة`,
      other: `تأخّر ${minutes} دقيقة`,
    }),
  excused: 'غياب بعذر',
  unmarked: 'لم يُسجَّل بعد',
  announcedToday: 'غياب اليوم، كما أُبلغ مسبقًا',
  announceFollows: 'يراه المعلّمون في قوائم هذه الأيام.',
  nextLessons: 'الحصص القادمة',
  noLessons: 'لا حصص في الأسبوعين القادمين.',
  noMarks: 'لم تُنشر علامات بعد.',
  courses: 'دورات الفيديو',
  progress: (done, all) => `${done} من ${all} درسًا`,
  completed: 'اكتملت',
  pending: 'تُفتح بعد الدفع',
  toPay: (amount) => `للدفع: ${isolate(amount)}`,
  paperOf: (number) => `PDF: ${isolate(number)}`,
  howToPay: 'كيف تدفعون',
  noReceipts: 'لم تُسجَّل أي دفعة بعد.',
  paidInvoices: 'فواتير مدفوعة',
  takenBack: 'أُلغي',
  told: 'واجبات الحصص الأخيرة وملفاتها',
  filesOf: (group, day) => `${isolate(group)}، ${isolate(day)}`,
}
