import type { family as english } from '../en/family.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

export const family: typeof english = {
  otherGuardians: 'أولياء أمر آخرون',
  guardiansOf: (names) => `لـ${names}`,
  messages: 'الرسائل',
  noMessages: 'لم تُرسَل إليهم أي رسالة بعد.',
  states: {
    queued: 'في الطريق',
    sent: 'أُرسلت',
    failed: 'لم تصل',
    skipped: 'لم تُرسَل',
  },
  attended: (share) => `الحضور ${share} في آخر 30 يومًا`,
  addGuardian: 'ربط وليّ أمر',
  addChild: 'ربط طالب',
  linkTitle: (student) => `وليّ أمر ${isolate(student)}`,
  childTitle: (guardian) => `من أبناء ${isolate(guardian)}`,
  find: 'اسم وليّ الأمر أو هاتفه',
  noneFound: 'لا أحد يطابق ذلك. جرّبوا حروفًا أقل أو أضيفوه.',
  already: 'مرتبط',
  newGuardian: 'وليّ أمر جديد',
  add: 'إضافة',
  relation: (guardian, student) => `صلة ${isolate(guardian)} بـ${isolate(student)}`,
  choose: 'اختيار…',
  missingRelation: 'اختاروا واحدًا.',
  pays: 'جهة الدفع عن الطالب',
  first: 'جهة الاتصال الأولى',
  marksHint: 'وليّ أمر واحد يدفع، وواحد يُتصل به أولًا: تحديد أحدهم هنا يلغي التحديد السابق.',
  link: 'ربط',
  linked: (guardian, student) => `رُبط ${isolate(guardian)} بـ${isolate(student)}.`,
  changed: (guardian) => `تم الحفظ: ${isolate(guardian)}`,
  change: 'تغيير الصلة',
  unlink: 'فك الربط',
  unlinkTitle: (guardian, student) => `فك ربط ${isolate(guardian)} عن ${isolate(student)}؟`,
  unlinkText: 'لن تصل إلى وليّ الأمر رسائل عن الطالب بعد ذلك. يبقى كلاهما في القوائم.',
  unlinkPayer:
    'لن تصل إلى وليّ الأمر رسائل عن الطالب بعد ذلك، ولا جهة دفع له حتى يُختار وليّ أمر آخر. يبقى كلاهما في القوائم.',
  unlinked: (guardian, student) => `لم يعد ${isolate(guardian)} مرتبطًا بـ${isolate(student)}.`,
  noNextLesson: 'لا حصة مقررة',
  report: (from, to) => `تقرير، ${isolate(`${from} – ${to}`)}`,
  average: (share) => `المعدل ${isolate(share)}`,
  earlierReports: (count) =>
    many(count, {
      zero: 'لا تقارير سابقة',
      one: 'تقرير سابق واحد',
      two: 'تقريران سابقان',
      few: `${count} تقارير سابقة`,
      many: `${count} تقريرًا سابقًا`,
      other: `${count} تقرير سابق`,
    }),
  waitsUntil: (when: string) => `تنتظر حتى ${isolate(when)}`,
}
