import type { branches as english } from '../en/branches.ts'
import { isolate } from '../../../shared/isolate.ts'

export const branches: typeof english = {
  title: 'الفروع',
  about: 'الأماكن التي تُعلّمون فيها. الطلاب والمجموعات والأموال تتبع أحدها.',
  add: 'فرع جديد',
  change: (name) => `تعديل: ${isolate(name)}`,
  moreOf: (name) => `المزيد: ${isolate(name)}`,
  name: 'الاسم',
  nameHint: 'كما تسمّونه بينكم، مثل اسم الحيّ أو الشارع.',
  nameMissing: 'اكتبوا اسمًا.',
  street: 'الشارع والرقم',
  city: 'البلدة',
  phone: 'الهاتف',
  phoneWrong: 'هذا ليس رقم هاتف. اكتبوه مع رمز المنطقة، أو مع + ورمز البلد.',
  nothingKnown: 'لا عنوان ولا هاتف بعد',
  isDefault: 'الافتراضي',
  closed: 'مغلق',
  makeDefault: 'جعله الفرع الافتراضي',
  defaultDone: (name) => `من الآن يتبع ${isolate(name)} كل ما يأتي بلا فرع.`,
  close: 'إغلاق الفرع',
  reopen: 'فتحه من جديد',
  reopened: (name) => `فُتح ${isolate(name)} من جديد.`,
  remove: 'إزالة',
  asks: {
    close: {
      title: (name) => `إغلاق فرع ${isolate(name)}؟`,
      text: 'لن يظهر بين الخيارات. يبقى طلابه ومجموعاته وفواتيره، ويمكن فتحه من جديد.',
      verb: 'إغلاق الفرع',
      done: (name) => `أُغلق فرع ${isolate(name)}.`,
    },
    remove: {
      title: (name) => `إزالة فرع ${isolate(name)}؟`,
      text: 'هذا ممكن فقط ما دام لا شيء يتبعه، ولا يمكن التراجع عنه.',
      verb: 'إزالة',
      done: (name) => `أُزيل فرع ${isolate(name)}.`,
    },
  },
  saved: (name) => `حُفظ فرع ${isolate(name)}.`,
  added: (name) => `أُضيف ${isolate(name)}. يمكن اختياره في أعلى الصفحة لرؤيته وحده.`,
}
