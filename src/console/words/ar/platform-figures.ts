import type { platformFigures as english } from '../en/platform-figures.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

export const platformFigures: typeof english = {
  about: 'حال المنصة شهرًا بعد شهر.',
  print: 'طباعة',
  span: 'المدة',
  months: (count) =>
    many(count, {
      zero: 'بلا أشهر',
      one: 'شهر واحد',
      two: 'شهران',
      few: `${count} أشهر`,
      many: `${count} شهرًا`,
      other: `${count} شهر`,
    }),
  month: 'الشهر',
  institutes: 'المعاهد',
  comeAndGo: 'من انضم ومن غادر',
  created: 'أُضيفت',
  cancelled: 'أُلغي اشتراكها',
  archived: 'أُغلقت نهائيًا',
  locked: 'أُقفلت',
  students: 'الطلاب',
  recurring: 'الدخل الشهري',
  recurringIn: (currency) => `الدخل الشهري بعملة ${isolate(currency)}`,
  byMonth: 'الأرقام شهرًا بعد شهر',
  byPlan: 'الدخل الشهري بحسب الخطة',
  plan: 'الخطة',
  subscriptions: 'الاشتراكات',
  counted:
    'تبدأ الأشهر وتنتهي بحسب UTC. يُعدّ الطلاب والدخل كل ساعة، وآخر عدّ في الشهر هو رقمه؛ والشهر الذي لم يُعدّ فيه شيء بلا رقم. الفترة التجريبية لا تدخل في الدخل، والخطة السنوية تُحسب كل شهر بجزء من اثني عشر.',
  lists: {
    createdIn: (month) => `أُضيفت في ${isolate(month)}.`,
    cancelledIn: (month) => `أُلغي اشتراكها في ${isolate(month)}.`,
    archivedIn: (month) => `أُغلقت نهائيًا في ${isolate(month)}.`,
    lockedIn: (month) => `أُقفلت في ${isolate(month)} وما زالت مقفلة.`,
  },
  all: 'عرض كل المعاهد',
}
