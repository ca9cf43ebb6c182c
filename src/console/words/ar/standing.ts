import type { standing as english } from '../en/standing.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

export const standing: typeof english = {
  title: {
    active: (name) => `تفعيل ${isolate(name)}؟`,
    paused: (name) => `إيقاف مؤقت: ${isolate(name)}`,
    graduated: (name) => `تخرّج: ${isolate(name)}`,
    withdrawn: (name) => `انسحاب: ${isolate(name)}`,
  },
  staysActive: 'من الآن يظهر الطالب في قوائم مجموعاته.',
  changePause: 'تعديل الإيقاف',
  from: 'أول يوم',
  to: 'آخر يوم',
  toHint: 'إن تُرك فارغًا فلا نهاية للإيقاف بعد.',
  dayMissing: 'اكتبوا اليوم.',
  endFirst: 'آخر يوم يسبق أول يوم.',
  lastDay: 'آخر يوم',
  lastDayHint: 'هذا اليوم محسوب أيضًا.',
  reason: 'السبب',
  follows: 'ما يترتب على ذلك',
  noGroups: 'غير مسجَّل في أي مجموعة.',
  missed: (count) =>
    many(count, {
      zero: 'لا حصص ضمن الإيقاف',
      one: 'حصة واحدة ضمن الإيقاف',
      two: 'حصتان ضمن الإيقاف',
      few: `${count} حصص ضمن الإيقاف`,
      many: `${count} حصة ضمن الإيقاف`,
      other: `${count} حصة ضمن الإيقاف`,
    }),
  until: (day) => `حتى ${isolate(day)}`,
  stillComes: (count) =>
    many(count, {
      zero: 'لا حصص حتى ذلك اليوم',
      one: 'بقيت حصة واحدة',
      two: 'بقيت حصتان',
      few: `بقيت ${count} حصص`,
      many: `بقيت ${count} حصة`,
      other: `بقيت ${count} حصة`,
    }),
  feeOf: (month) => `رسوم ${isolate(month)}`,
  nothing: 'لا شيء',
  same: (amount) => `تبقى ${isolate(amount)}`,
  becomes: (before, after) => `${isolate(after)} بدلًا من ${isolate(before)}`,
  paidAhead: 'مدفوع مسبقًا',
  paidAheadText: (amount) => `${isolate(amount)} عن أشهر بعد آخر يوم`,
  pauseText: 'في هذه الأيام لا يظهر الطالب في قوائم الحضور، ولا تصل رسالة عن غيابه.',
  leaveText: 'يبقى الحضور السابق والفواتير الموجودة كما هي.',
  pauses: (from, to) => (to === null ? `متوقف منذ ${isolate(from)}` : `متوقف حتى ${isolate(to)}`),
  willPause: (from, to) =>
    to === null ? `إيقاف قادم من ${isolate(from)}` : `إيقاف قادم من ${isolate(from)} إلى ${isolate(to)}`,
  willLeave: { graduated: (day) => `يتخرّج في ${isolate(day)}`, withdrawn: (day) => `ينسحب في ${isolate(day)}` },
  left: (day) => `آخر يوم: ${isolate(day)}`,
  takeBack: 'تراجع',
  tookBack: (name) => `يبقى كل شيء كما كان: ${isolate(name)}.`,
  saved: (name) => `سُجّل ذلك: ${isolate(name)}.`,
}
