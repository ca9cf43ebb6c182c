import type { faults as english } from '../en/faults.ts'
import { isolate } from '../format.ts'

export const faults: typeof english = {
  unreachable: 'لا يمكن الوصول إلى الخادم. تحققوا من الاتصال وأعيدوا المحاولة.',
  busy: 'الخادم مشغول جدًا الآن. أعيدوا المحاولة بعد قليل.',
  failed: 'حدث خطأ في الخادم. أعيدوا المحاولة؛ وإن تكرر فأخبروا من يديره.',
  brokenTitle: 'هذه الصفحة لا تعمل',
  broken: 'لا تعمل هذه الصفحة كما يجب. يُرجى إعادة تحميلها، وإن لم يُفد ذلك فيُرجى إبلاغ من يدير الخادم.',
  reference: (id) => `المرجع: ${isolate(id)}`,
  invalid: 'تحققوا مما هو معلَّم.',
  notFound: 'لم يعد موجودًا، أو ليس متاحًا لكم.',
}
