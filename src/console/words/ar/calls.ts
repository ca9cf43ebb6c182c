import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'
import type { calls as shape } from '../en/calls.ts'
import { peopleOf, toPeople } from './people-counted.ts'

const many = plural('ar')

export const calls: typeof shape = {
  title: 'قائمة الاتصال',
  about: 'عائلات لها رقم هاتف ولا تصلها الرسائل. من يبلغها يسجّل ذلك، حتى لا يبلغها شخصان.',
  see: 'فتح قائمة الاتصال',
  states: { open: 'لم يُبلَّغوا بعد', told: 'أُبلغوا', not_needed: 'لا حاجة' },
  stateLabel: 'الحالة',
  anyState: 'الجميع',
  none: 'لا يوجد من يجب الاتصال به.',
  noneFound: 'لا أحد في هذه الحالة.',
  ofMessage: 'من رسالة واحدة',
  noPhone: 'لم يعد في السجل رقم هاتف.',
  call: (name) => `الاتصال بـ${isolate(name)}`,
  whatsapp: 'WhatsApp',
  sms: 'رسالة نصية',
  copy: 'نسخ النص',
  copied: 'نُسخ النص.',
  told: 'تم الإبلاغ',
  toldOf: (name) => `سُجّل إبلاغ ${isolate(name)}.`,
  more: (name) => `المزيد عن ${isolate(name)}`,
  otherwise: 'أُبلغوا بطريقة أخرى',
  allTold: 'أُبلغ الجميع',
  allToldTitle: 'هل أُبلغ كل من في هذه القائمة؟',
  allToldAbout: 'مثلاً في مجموعة أولياء الأمور على WhatsApp. من سُجّل إبلاغه من قبل يبقى كما هو.',
  allToldHow: 'كيف أُبلغوا',
  allAreTold: (count) => `سُجّل إبلاغ ${peopleOf(count)}.`,
  onlyThis: 'كل من في هذه الرسالة',
  notNeeded: 'لا حاجة إلى إبلاغهم',
  leftOut: (name) => `خرج ${isolate(name)} من القائمة.`,
  again: 'إعادة إلى القائمة',
  toldBy: (name, how, when) => `${isolate(name)}، ${how}، ${isolate(when)}`,
  leftOutBy: (name, when) => `${isolate(name)}، ${isolate(when)}`,
  ways: { call: 'بالهاتف', whatsapp: 'عبر WhatsApp', sms: 'برسالة نصية', other: 'بطريقة أخرى' },
  alreadyTold: (name, how, when) => `سبق أن أبلغهم ${isolate(name)}، ${how}، ${isolate(when)}.`,
  canCall: (count) =>
    many(count, {
      zero: 'لا هاتف لأحد منهم',
      one: 'لواحد منهم رقم هاتف ويمكن الاتصال به',
      two: 'لاثنين منهم رقم هاتف ويمكن الاتصال بهما',
      few: `لـ${count} منهم أرقام هواتف ويمكن الاتصال بهم`,
      many: `لـ${count} منهم أرقام هواتف ويمكن الاتصال بهم`,
      other: `لـ${count} منهم أرقام هواتف ويمكن الاتصال بهم`,
    }),
  toCall: 'إضافتهم إلى قائمة الاتصال',
  cannot: (count) => `بلا عنوان وبلا هاتف: ${peopleOf(count)}`,
  onlyCall: (count) => `إضافة ${toPeople(count)} إلى القائمة`,
  onlyCallTitle: (count) => `إضافة ${toPeople(count)} إلى قائمة الاتصال؟`,
  onlyCallVerb: 'إضافة إلى القائمة',
  listed: (count) => `في قائمة الاتصال: ${peopleOf(count)}.`,
  listedTitle: 'أُضيفوا إلى القائمة',
  putOn: (count) => `إضافة ${toPeople(count)} إلى قائمة الاتصال`,
  areListed: 'من له رقم هاتف في قائمة الاتصال.',
  noMailbox: 'لا صندوق بريد بعد: تنتظر رسائل البريد حتى يتوفر واحد.',
  setUpMailbox: 'إعداد صندوق بريد',
  allReached: (people) => `ستصل الرسالة إلى الجميع (${people}).`,
  someReached: (reached, people) =>
    reached === 0 ? `لن تصل الرسالة إلى أحد من أصل ${people}.` : `ستصل الرسالة إلى ${reached} من أصل ${people}.`,
  willCall: (count) => `لهم هاتف فقط وسيكونون في قائمة الاتصال: ${peopleOf(count)}.`,
  waitingMails: (count) =>
    many(count, {
      zero: 'لا رسائل تنتظر.',
      one: 'رسالة بريد واحدة تنتظر: لا صندوق بريد بعد.',
      two: 'رسالتا بريد تنتظران: لا صندوق بريد بعد.',
      few: `${count} رسائل بريد تنتظر: لا صندوق بريد بعد.`,
      many: `${count} رسالة بريد تنتظر: لا صندوق بريد بعد.`,
      other: `${count} رسالة بريد تنتظر: لا صندوق بريد بعد.`,
    }),
  toMake: (count) =>
    many(count, {
      zero: 'لا مكالمات مع العائلات',
      one: 'مكالمة واحدة مع عائلة',
      two: 'مكالمتان مع العائلات',
      few: `${count} مكالمات مع العائلات`,
      many: `${count} مكالمة مع العائلات`,
      other: `${count} مكالمة مع العائلات`,
    }),
}
