import type { find as english } from '../en/find.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

export const find: typeof english = {
  title: 'بحث',
  label: 'ابحثوا عن شخص أو مجموعة أو رقم…',
  hint: 'اكتبوا حرفين من الاسم، أو أرقامًا من هاتف أو رقم طالب أو فاتورة.',
  recent: 'شوهد مؤخرًا',
  results: 'النتائج',
  none: (typed) => `لا شيء يطابق «${isolate(typed)}».`,
  noneHint: 'جرّبوا حروفًا أقل، أو جزءًا من رقم الهاتف.',
  more: 'هناك نتائج أخرى. اكتبوا حرفًا آخر لتضييقها.',
  count: (count) =>
    many(count, {
      zero: 'لا نتائج',
      one: 'نتيجة واحدة',
      two: 'نتيجتان',
      few: `${count} نتائج`,
      many: `${count} نتيجة`,
      other: `${count} نتيجة`,
    }),
  types: {
    student: 'الطلاب',
    guardian: 'أولياء الأمور',
    staff: 'الموظفون',
    group: 'المجموعات',
    course: 'الدورات',
    invoice: 'الفواتير',
    receipt: 'الإيصالات',
    credit_note: 'الإشعارات الدائنة',
    refund: 'المبالغ المردودة',
    lead: 'المهتمون',
  },
}
