import { isolate } from '../../../shared/isolate.ts'
import type { backups as english } from '../en/backups.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

export const backups: typeof english = {
  title: 'النسخ الاحتياطية',
  about: 'تحوي كل نسخة كل شيء: الأشخاص والأموال والملفات ومفاتيح الخادم.',
  make: 'إنشاء نسخة الآن',
  making: 'يجري إنشاء النسخة…',
  next: (moment) => `تُنشأ النسخة التالية تلقائيًا: ${isolate(moment)}.`,
  noNightly: 'لا تُنشأ نسخة تلقائيًا. أنشئوا واحدة كل أسبوع على الأقل.',
  alsoElsewhere: 'وتُنسخ كل واحدة إلى مكان آخر أيضًا.',
  notElsewhere: 'تعذّر نسخ الأحدث إلى المكان الآخر. أخبروا المسؤول عن الخادم.',
  failed: (moment) => `فشلت النسخة التي بدأت ${isolate(moment)}. حاولوا مرة أخرى؛ التفاصيل في صفحة «الخادم».`,
  late: 'أحدث نسخة أقدم مما ينبغي، أو فشلت المحاولة الأخيرة. التفاصيل في صفحة «الخادم».',
  elsewhere: 'قاعدة بيانات هذا الخادم في Postgres وتُنسخ على حدة: اسألوا المسؤول عنها.',
  kept: 'النسخ الموجودة',
  none: 'لا نسخة بعد. أنشئوا الأولى الآن.',
  kinds: {
    nightly: 'نسخة الليل',
    before_upgrade: 'قبل إصدار جديد',
    before_restore: 'قبل استرجاع',
    asked: 'عند الطلب',
    brought: 'أُحضرت إلى هنا',
  },
  megabytes: (size) => `‎${size} MB`,
  students: (count) =>
    many(count, {
      zero: 'بلا طلاب',
      one: 'طالب واحد',
      two: 'طالبان',
      few: `${count} طلاب`,
      many: `${count} طالبًا`,
      other: `${count} طالب`,
    }),
  damaged: 'لا يمكن قراءتها',
  download: 'تنزيل',
  downloadOf: (moment) => `تنزيل نسخة ${moment}`,
  downloadTitle: (moment) => `تنزيل نسخة ${isolate(moment)}`,
  downloadText: 'من يملك هذا الملف يملك كل شيء. احفظوه حيث لا يصل إليه غيركم، مثل قرص في درج مقفل.',
  keepElsewhere:
    'هذه النسخ على الحاسوب نفسه. نزّلوا واحدة بين حين وآخر واحفظوها في مكان آخر: فالحريق أو اللص يأخذها كلها.',
}
