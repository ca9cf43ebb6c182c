import { isolate } from '../../../shared/isolate.ts'
import type { personFile as english } from '../en/person-file.ts'

/** All that is kept of one person, as a file. */
export const personFile: typeof english = {
  theirData: 'المعلومات المحفوظة…',
  title: (name) => `المعلومات المحفوظة عن ${isolate(name)}`,
  about:
    'يحقّ لكل شخص أن يسأل عمّا تحفظونه عنه. في الملف كل شيء: صفحة تُفتح في أيّ متصفّح، والمعلومات نفسها للبرامج، والملفات المرفوعة.',
  holds: 'فيه أيضًا ما دوّنه الطاقم لنفسه. راجعوه قبل تسليمه.',
  others: 'عن بقية العائلة فيه الأسماء فقط.',
  logged: 'يُسجَّل في سجل التغييرات أنكم أخذتموه.',
  save: 'حفظ كل المعلومات',
}
