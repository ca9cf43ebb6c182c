import { isolate } from '../../../shared/isolate.ts'
import type { merge as english } from '../en/merge.ts'

/** Two records of one person that become one. */
export const merge: typeof english = {
  mergeWith: 'دمج مع…',
  title: (name) => `دمج مع ${isolate(name)}`,
  about: 'عندما يكون للشخص الواحد سجلّان: ابحثوا عن السجلّ الآخر. يختفي هو، وينتقل كل ما يرتبط به إلى هنا.',
  find: 'السجلّ الآخر',
  sideBySide: 'السجلّان',
  stays: 'يبقى',
  goes: 'يختفي',
  moves: (what) => `ينتقل إلى هنا: ${what}`,
  against: (what) => `موجود في الاثنين؛ أزيلوا أحدهما أولًا: ${what}`,
  merge: 'دمج',
  look: 'ماذا سيحدث',
  done: 'صار السجلّان واحدًا.',
  what: {
    enrollment: 'التسجيلات في المجموعات',
    attendance: 'الحضور',
    invoice: 'الفواتير',
    receipt: 'الإيصالات',
    exam_result: 'نتائج الامتحانات',
    progress_report: 'تقارير التقدّم',
    fee_charge: 'الرسوم المفوترة',
    course_enrollment: 'الوصول إلى الدورات',
    guardian_link: 'وليّ الأمر والطفل',
    lead: 'الاستفسارات',
    file: 'الملفات',
    notification: 'الرسائل',
    imported_balance: 'الأرصدة الافتتاحية',
    person_invitation: 'الدعوات',
    merged_record: 'سجلّات دُمجت من قبل',
    account: 'حسابات المستخدمين',
  },
}
