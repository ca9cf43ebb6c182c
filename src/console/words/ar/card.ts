import { isolate } from '../../../shared/isolate.ts'
import type { Words } from '../words.ts'

export const card: Words['card'] = {
  title: 'الدفع بالبطاقة',
  about: 'تدفع العائلات الفواتير بالبطاقة في صفحة شركة دفع. يلزم حساب لدى الشركة، والمال يصل إليه.',
  untried:
    'بُني هذا الربط وفق وثائق الشركة المنشورة، ولم يُجرَّب مع الخدمة الحقيقية. قبل إبلاغ العائلات ادفعوا بأنفسكم فاتورة واحدة بمبلغ صغير، وتأكدوا أنها عُلّمت هنا مدفوعة وأن المال وصل إلى البنك.',
  on: 'يعمل',
  off: 'متوقف',
  switchOn: 'تشغيل',
  forget: 'إزالة',
  forgetTitle: (company) => `إزالة ${isolate(company)}؟`,
  forgetText:
    'تُحذف مفاتيحها من هنا، ولا يمكن الدفع عبرها. تبقى الدفعات التي وصلت عبرها. عند إعدادها من جديد تُطلب المفاتيح مرة أخرى.',
  forgotten: (company) => `أُزيلت ${isolate(company)}.`,
  switchOff: 'إيقاف',
  switchOnAnyway: 'تشغيل على أي حال',
  switchedOn: 'يمكن للعائلات الدفع بالبطاقة.',
  switchedOff: 'لم يعد بإمكان العائلات الدفع بالبطاقة.',
  names: { stripe: isolate('Stripe'), payplus: isolate('PayPlus') },
  setUpOf: (name) => `إعداد ${isolate(name)}`,
  changeOf: (name) => `تغيير مفاتيح ${isolate(name)}`,
  keep: 'حفظ',
  kept: 'حُفظت المفاتيح. جرّبوها الآن.',
  try: 'تجربة',
  works: 'الشركة تعرف الحساب. لم يُدفع شيء.',
  worksNot: (why) => `الشركة لا تقبل الحساب: ${isolate(why)}`,
  noticeUrl: 'عنوان الإشعارات',
  noticeProblems: {
    not_public:
      'عنوان الخادم لا يقود إلا إلى هذا الجهاز أو شبكته، فلا تصل إشعارات الشركة: لا يظهر ما دُفع هنا إلا حين يسأل الخادم بعد دقائق. امنحوا الخادم عنوانًا يصل إليه الإنترنت ويبدأ بـ https.',
    not_https:
      'عنوان الخادم لا يبدأ بـ https، والشركة لا ترسل إليه إشعارات: لا يظهر ما دُفع هنا إلا حين يسأل الخادم بعد دقائق. أعدّوا https أولًا.',
  },
  toAddress: 'عنوان الخادم',
  noticeHint: {
    stripe: `أضيفوه في لوحة ${isolate('Stripe')} بصفة ${isolate('webhook endpoint')}، مع الأحداث ${isolate('checkout.session.*')}‎ و ${isolate('charge.refunded')} و ${isolate('charge.dispute.created.')}`,
    payplus: `يُبلَّغ ${isolate('PayPlus')} بالعنوان مع كل صفحة؛ لا حاجة لأي إجراء.`,
  },
  fields: {
    secretKey: `المفتاح السري (${isolate('Secret key')})`,
    webhookSecret: `سر توقيع ${isolate('webhook')} ‏(${isolate('whsec_…')})`,
    apiKey: `مفتاح ${isolate('API')}`,
    paymentPageUid: `معرّف صفحة الدفع (${isolate('UID')})`,
    terminalUid: `معرّف الجهاز (${isolate('UID')})`,
  },
  missing: 'هذا الحقل مطلوب.',
  isTest: `نظام التجربة في ${isolate('PayPlus')}: بلا مال حقيقي`,
  keptSecret: 'اتركوه فارغًا ليبقى كما هو.',
  pay: (number) => `دفع ${isolate(number)} بالبطاقة`,
  link: 'رابط الدفع بالبطاقة',
  linkHint: 'أرسلوه إلى من يدفع. يعمل ما دام هناك مبلغ للدفع.',
  whatsapp: (number, amount, url) => `فاتورة ${number}، ${amount}: ${url}`,
  send: 'إرسال عبر واتساب',
  online: 'الدفع بالبطاقة',
  states: {
    opening: 'قيد الفتح',
    open: 'فُتحت صفحة الدفع',
    pending: 'بانتظار البنك',
    paid: 'مدفوع',
    failed: 'فشل',
    expired: 'لم يُدفع',
  },
  problems: {
    other_amount: 'دُفع مبلغ غير المطلوب. سُجّل كما دُفع.',
    other_currency: 'دُفع بعملة أخرى. لم يُسجَّل شيء: سجّلوه يدويًا.',
    became_credit: 'دُفعت الفاتورة أو أُلغيت في هذه الأثناء. ما تبقى رصيد للدافع.',
    not_booked: 'دُفع ولم يمكن تسجيله: سجّلوه يدويًا.',
    refunded: 'أُعيد المال لدى شركة الدفع: ألغوا الدفعة هنا أيضًا.',
    disputed: 'يعترض الدافع على الدفعة لدى بنكه: راجعوا صفحة شركة الدفع.',
  },
  seen: 'تمت المعالجة',
}
