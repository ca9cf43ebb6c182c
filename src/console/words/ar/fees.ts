import type { fees as english } from '../en/fees.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

export const fees: typeof english = {
  newFee: 'رسوم جديدة',
  feeFor: 'لأي دورة أو مجموعة',
  chooseFeeFor: 'اختاروا دورة أو مجموعة',
  allGroupsOf: (course) => `كل مجموعات ${isolate(course)}`,
  groupOf: (group, course) => `مجموعة ${isolate(group)} (${isolate(course)})`,
  feeAmount: 'المبلغ',
  feeMissing: 'أدخلوا المبلغ.',
  feeEvery: 'تُدفع',
  everyMonth: 'كل شهر',
  everyTerm: 'كل فصل',
  once: 'مرة واحدة',
  feeDay: 'يوم الاستحقاق من الشهر',
  feeDayHint: 'إن تُرك فارغًا، تُستحق بعد عدد الأيام المحدد في الإعدادات.',
  noDay: 'يوم من 1 إلى 31.',
  feeSaved: (name) => `حُفظت رسوم ${isolate(name)}، وتدخل من الآن في فواتير كل شهر.`,
  chargedBy: {
    run: 'تُحتسب في فوترة كل شهر.',
    registration: 'تُحتسب مرة واحدة، في أول فاتورة لمن يُسجَّل.',
    hand: 'لا تُحتسب إلا في فاتورة تُكتب يدويًا.',
  },
  change: (name) => `تعديل الرسوم ${isolate(name)}`,
  changed: (name) => `عُدّلت الرسوم ${isolate(name)}.`,
  more: (name) => `المزيد عن ${isolate(name)}`,
  stop: 'إيقاف احتسابها',
  stopAsk: (name) => `إيقاف احتساب ${isolate(name)}؟`,
  stopText: 'تبقى الفواتير الموجودة كما هي، ولا تُحتسب هذه الرسوم بعد الآن.',
  stopped: (name) => `أُوقف احتساب ${isolate(name)}.`,
  name: 'الاسم',
  nameMissing: 'اكتبوا الاسم.',
  price: 'السعر',
  prices: { enrollment: 'كما اتُّفق عليه', schedule: 'واحد للجميع' },
  agreed: 'يُحتسب لكل طالب ما اتُّفق عليه عند تسجيله: سعر المجموعة أو سعره الخاص.',
  proration: 'من يتعلم جزءًا من الشهر',
  prorations: { none: 'يدفع الشهر كاملًا', lessons: 'يدفع بحسب الحصص', days: 'يدفع بحسب الأيام' },
  validFrom: 'تُحتسب من',
  validTo: 'تُحتسب حتى',
  endFirst: 'آخر يوم يسبق أول يوم.',
  follows: 'ما يترتب على ذلك',
  concerns: (count, month) =>
    many(count, {
      zero: `لا تخص أحدًا بعد. تُحتسب ابتداءً من ${isolate(month)}.`,
      one: `تخص طالبًا واحدًا ابتداءً من ${isolate(month)}. يبقى ما فُوتر من قبل.`,
      two: `تخص طالبين ابتداءً من ${isolate(month)}. يبقى ما فُوتر من قبل.`,
      few: `تخص ${count} طلاب ابتداءً من ${isolate(month)}. يبقى ما فُوتر من قبل.`,
      many: `تخص ${count} طالبًا ابتداءً من ${isolate(month)}. يبقى ما فُوتر من قبل.`,
      other: `تخص ${count} طالب ابتداءً من ${isolate(month)}. يبقى ما فُوتر من قبل.`,
    }),
  ownPrices: (count) =>
    many(count, {
      zero: 'لا سعر خاصًّا لأحد منهم.',
      one: 'يبقى لواحد منهم سعره الخاص.',
      two: 'يبقى لاثنين منهم سعرهما الخاص.',
      few: `يبقى لـ ${count} منهم سعرهم الخاص.`,
      many: `يبقى لـ ${count} منهم سعرهم الخاص.`,
      other: `يبقى لـ ${count} منهم سعرهم الخاص.`,
    }),
  partOf: {
    lessons: (count, all) => `الحصص: ${count} من ${all}`,
    days: (count, all) => `الأيام: ${count} من ${all}`,
  },
  example: (part, charged, full) => `مثلًا: ${part} – ${isolate(charged)} من ${isolate(full)}.`,
}
