import type { looking as english } from '../en/looking.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

export const looking: typeof english = {
  begin: 'عرض النظام كما يراه دور',
  titleOf: (role) => `عرض النظام كما يراه دور ${isolate(role)}`,
  about: 'ترون ما يراه من يُعطى هذا الدور الآن، لربع ساعة وفي علامة التبويب هذه وحدها. لا يمكن تغيير شيء في هذه الأثناء.',
  whole: 'المعهد كله',
  verb: 'عرض',
  as: (role, branch) =>
    branch === undefined
      ? `تعرضون النظام كما يراه دور ${isolate(role)}: لا يمكن تغيير شيء.`
      : `تعرضون النظام كما يراه دور ${isolate(role)} (${isolate(branch)}): لا يمكن تغيير شيء.`,
  left: (minutes) =>
    many(minutes, {
      zero: 'انتهى الوقت.',
      one: 'بقيت دقيقة واحدة.',
      two: 'بقيت دقيقتان.',
      few: `بقيت ${minutes} دقائق.`,
      many: `بقيت ${minutes} دقيقة.`,
      other: `بقيت ${minutes} دقيقة.`,
    }),
  ofTeacher: 'يجد المعلّمون هنا مجموعاتهم وحصصهم. لا مجموعات لكم في أثناء العرض.',
  ofGuardian: 'يجد أولياء الأمور هنا أولادهم. لا أولاد مرتبطين بكم في أثناء العرض.',
  ofStudent: 'يجد الطلاب هنا مجموعاتهم وعلاماتهم وفواتيرهم. لا شيء منها لكم في أثناء العرض.',
  end: 'إنهاء',
  over: 'انتهى العرض كما يراه هذا الدور: انقضى الوقت، أو تغيّر الدور أو ما يُسمح لكم به. تعملون الآن باسمكم من جديد.',
  noAccount: 'لكل شخص هنا حسابه: الاسم وكلمة المرور والأجهزة. حسابكم لا يظهر في أثناء العرض.',
}
