import { isolate } from '../../../src/shared/isolate.ts'
import { clocks } from '../../../src/console/words/ar/clocks.ts'
import { first } from '../../../src/console/words/ar/first.ts'

/** What the wizard begins with. */
export const wizard = {
  steps: {
    language: 'اللغة',
    institute: 'المعهد',
    owner: 'المالك',
    address: 'العنوان',
    mail: 'البريد',
    review: 'المراجعة',
  },
  setup: {
    title: 'إعداد الخادم',
    steps: 'خطوات الإعداد',
    count: (n: number, total: number) => `الخطوة ${n} من ${total}`,
    next: 'متابعة',
    back: 'رجوع',
  },
  language: {
    title: 'أهلًا وسهلًا بكم',
    lead: 'هنا يجري إعداد الخادم الخاص بمعهدكم في خطوات قليلة لا تستغرق سوى دقائق. لن يُنشأ أي شيء قبل تأكيدكم في النهاية.',
    legend: 'بأي لغة تفضّلون إجراء الإعداد؟',
    hint: 'يمكنكم تغيير اللغة في أي وقت، ويبقى ما كتبتموه محفوظًا.',
    moving: 'هل معهدكم على خادم آخر؟',
    move: 'انقلوه إلى هنا من نسخة احتياطية',
  },
  token: {
    label: 'رمز الإعداد',
    hint: `تجدونه في آخر العنوان الذي عرضه الخادم عند تشغيله أول مرة، ويعرضه الأمر ${isolate('institute setup-token')} على الخادم مرة أخرى. يمكنكم أيضًا لصق العنوان كاملًا.`,
    missing: 'يُرجى إدخال رمز الإعداد.',
    wrong: `لا يقبل الخادم رمز الإعداد هذا. يعرض الأمر ${isolate('institute setup-token')} على الخادم الرمز الصحيح.`,
    checking: 'جارٍ التحقق…',
  },
  clocks,
  signedOut: {
    title: 'تم تسجيل خروجكم',
    text: 'يستمر المعهد في العمل. يمكنكم الآن إغلاق هذه الصفحة.',
  },
  already: {
    title: 'سبق إعداد هذا الخادم',
    text: 'يجري الإعداد مرة واحدة فقط، ويوجد هنا معهد بالفعل. لم يتغيّر أي شيء.',
    next: 'يسجّل مالك المعهد دخوله بالبريد الإلكتروني وكلمة المرور في التطبيق الذي يستخدمه المعهد. يستجيب الخادم للبرامج على هذا العنوان:',
  },
  cloud: {
    title: 'لا حاجة إلى الإعداد هنا',
    text: 'يعمل هذا الخادم في الوضع السحابي، ومسؤولو المنصة هم من يفتحون المعاهد.',
  },
  unreachable: {
    title: 'الخادم لا يستجيب',
  },
  copy: {
    label: 'نسخ',
    done: 'تم النسخ',
    api: 'نسخ عنوان واجهة البرمجة',
    key: 'نسخ مفتاح API',
    request: 'نسخ مثال الطلب',
    folder: 'نسخ مسار المجلد',
    command: 'نسخ الأمر',
  },
  open: 'فتح صفحة المعهد',
  openDocs: 'فتح الدليل المرجعي',
  signIn: 'الانتقال إلى تسجيل الدخول',
}

/** All that its first page says. */
export const words = { ...first, wizard }
