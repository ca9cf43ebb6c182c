import type { website as english } from '../en/website.ts'
import { isolate } from '../../../shared/isolate.ts'

export const website: typeof english = {
  title: 'نموذج على موقعكم',
  about: 'تملؤه العائلات على موقعكم، ويصل إلى قائمة المهتمين.',
  isOpen: 'يمكن للعائلات التسجيل على الموقع',
  isOpenAbout: 'عند إيقافه يقول النموذج إن التسجيل مغلق.',
  opened: 'أصبح بإمكان العائلات التسجيل على الموقع.',
  closed: 'يقول النموذج على الموقع الآن إن التسجيل مغلق.',
  add: 'وضعه على موقع',
  site: 'عنوان موقعكم',
  siteHint: 'يعمل النموذج على هذا الموقع وحده.',
  siteWrong: 'اكتبوا عنوان الموقع، مثل www.example.org.',
  makeLine: 'تجهيز السطر للنسخ',
  line: 'ألصقوا هذا السطر حيث ينبغي أن يظهر النموذج',
  lineHint: 'يمكن للمسؤول عن موقعكم أن يفعل ذلك. يظهر السطر هذه المرة فقط: إن ضاع فأنهوه في الأسفل وجهّزوا غيره.',
  near: (address) =>
    `عنوان هذا الخادم هو ${isolate(address)}، ولا يصل إليه زوار الموقع. يعمل النموذج حين يصبح للخادم عنوان https خاص به.`,
  preview: 'هكذا سيبدو',
  sites: 'المواقع التي يظهر فيها',
  sitesNone: 'لا يظهر في أي موقع بعد.',
  neverUsed: 'لم يفتحه أحد هناك بعد',
  lastUsed: (moment) => `آخر استخدام: ${isolate(moment)}`,
  end: 'إنهاء',
  endOf: (site) => `إنهاء النموذج على ${isolate(site)}`,
  endTitle: (site) => `إنهاء النموذج على ${isolate(site)}؟`,
  endText: 'يتوقف النموذج هناك فورًا ونهائيًا. تبقى الطلبات التي وصلت من خلاله.',
  ended: (site) => `انتهى النموذج على ${isolate(site)}.`,
}
