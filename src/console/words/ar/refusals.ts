import type { refusals as english } from '../en/refusals.ts'
import { isolate } from '../format.ts'

export const refusals: typeof english = {
  unreachable: 'لا يمكن الوصول إلى الخادم. تحققوا من الاتصال وأعيدوا المحاولة.',
  busy: 'الخادم مشغول جدًا الآن. أعيدوا المحاولة بعد قليل.',
  failed: 'حدث خطأ في الخادم. أعيدوا المحاولة؛ وإن تكرر فأخبروا من يديره.',
  reference: (id) => `المرجع: ${isolate(id)}`,
  invalid: 'تحققوا مما هو معلَّم.',
  notFound: 'لم يعد موجودًا، أو ليس متاحًا لكم.',
  codes: {
    UNAUTHORIZED: 'سجّلوا الدخول أولًا.',
    FORBIDDEN: 'ليس لديكم إذن لفعل هذا.',
    FEATURE_DISABLED: 'هذا ليس ضمن ما لدى المعهد.',
    RATE_LIMITED: 'محاولات كثيرة في وقت قصير. انتظروا دقيقة وأعيدوا المحاولة.',
    VERSION_CONFLICT: 'غيّره شخص آخر في هذه الأثناء. اطّلعوا عليه كما هو الآن ثم غيّروه من جديد.',
    SUBSCRIPTION_SUSPENDED: 'رخصة هذا المعهد مقفلة: لا يمكن تغيير شيء.',
    PAYMENT_REQUIRED: 'انتهت رخصة هذا المعهد: لا يمكن تغيير شيء.',
    TENANT_SUSPENDED: 'هذا المعهد مغلق.',
    MEMBERSHIP_INACTIVE: 'أُنهي دخولكم إلى هذا المعهد.',
    ACCOUNT_DISABLED: 'هذا الحساب موقوف.',
    ACCOUNT_LOCKED: 'كلمات مرور خاطئة كثيرة. انتظروا 15 دقيقة، أو اختاروا كلمة مرور جديدة.',
  },
  reasons: {},
}
