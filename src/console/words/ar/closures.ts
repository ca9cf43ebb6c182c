import type { closures as english } from '../en/closures.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('ar')

const lessons = (count: number) =>
  many(count, {
    zero: 'لا حصص',
    one: 'حصة واحدة',
    two: 'حصتان',
    few: `${count} حصص`,
    many: `${count} حصة`,
    other: `${count} حصة`,
  })

const holidays = (count: number) =>
  many(count, {
    zero: 'لا عطل',
    one: 'عطلة واحدة',
    two: 'عطلتان',
    few: `${count} عطل`,
    many: `${count} عطلة`,
    other: `${count} عطلة`,
  })

export const closures: typeof english = {
  title: 'العطل',
  about: 'لا حصص في هذه الأيام.',
  previous: 'السنة السابقة',
  next: 'السنة التالية',
  yearOf: (year) => `سنة ${year}`,
  listTitle: (year) => `عطل سنة ${year}`,
  noneYet: 'لا عطل في هذه السنة بعد.',
  add: 'إضافة عطلة',
  change: (name) => `عطلة: ${isolate(name)}`,
  moreOf: (name) => `المزيد: ${isolate(name)}`,
  dayClosed: (day, name) => `${day}، عطلة: ${isolate(name)}`,
  name: 'المناسبة',
  nameHint: 'تقرؤها العائلات سببًا للعطلة، مثل عيد الفطر أو عطلة الشتاء.',
  nameMissing: 'اكتبوا المناسبة.',
  from: 'أول يوم',
  to: 'آخر يوم',
  toHint: 'اتركوه فارغًا إن كانت العطلة يومًا واحدًا.',
  dayMissing: 'اكتبوا أول يوم.',
  endFirst: 'آخر يوم يسبق أول يوم.',
  where: 'المكان',
  everywhere: 'كل الفروع',
  isBilled: 'تُحتسب هذه الحصص في الرسوم التي تُحسب بالحصة',
  close: 'حفظ العطلة',
  closeFollows: 'تُلغى الحصص في هذه الأيام. من تصله الرسائل من العائلات والمعلّمين تصله رسالة واحدة عنها كلها.',
  changeFollows: 'تعود الحصص في الأيام التي لم تعد عطلة، وتُلغى الحصص في الأيام التي صارت عطلة.',
  saved: (name, count) => `حُفظت العطلة: ${isolate(name)}. الحصص الملغاة: ${count}.`,
  cancelled: (count) => `الملغى: ${lessons(count)}`,
  reopen: 'إلغاء العطلة',
  reopenAsk: (name) => `إلغاء العطلة: ${isolate(name)}؟`,
  reopenFollows: (count) => `تُعقد الحصص التي أُلغيت بسببها (${lessons(count)})، ويُبلَّغ أصحابها.`,
  reopened: (name) => `أُلغيت العطلة: ${isolate(name)}.`,
  holidays: 'المناسبات القادمة',
  legend: 'يوم ملوّن: مغلق. خطّ تحت اليوم: مناسبة ما زال المعهد مفتوحًا فيها.',
  holidaysAbout: 'حدّدوا المناسبات التي تعطّلون فيها.',
  closeTicked: (count) => (count === 0 ? 'حفظ المحدَّد عطلةً' : `حفظ ${holidays(count)}`),
  closedHolidays: (count) => `حُفظ: ${holidays(count)}.`,
  calendars: {
    country: 'مناسبات وطنية',
    muslim: 'أعياد إسلامية',
    jewish: 'أعياد يهودية',
    western: 'أعياد مسيحية (التقويم الغربي)',
    eastern: 'أعياد مسيحية (التقويم الشرقي)',
  },
  upToTheMoon: 'حسب رؤية الهلال',
}
