import { featureTitles } from '../../../shared/code-words/ar.ts'
import { isolate } from '../../../shared/isolate.ts'
import type { features as english } from '../en/features.ts'

export const features: typeof english = {
  about: 'يسري كل اختيار فورًا على المعهد كله. ما سُجّل يبقى بعد الإيقاف.',
  on: (name) => `${isolate(name)}: مفعّل.`,
  off: (name) => `${isolate(name)}: موقوف.`,
  address: 'العنوان للمساعد الرقمي',
  addressHint: 'اكتبوه في المساعد الرقمي تحت «موصل» أو «خادم MCP». سيطلب من كل شخص أن يدخل ويوافق.',
  guide: 'كيف يوصَل مساعد رقمي (بالإنجليزية)',
  allGrants: 'المساعدات الرقمية المسموح لها',
  noGrants: 'لم يسمح أحد لمساعد رقمي بعد.',
  inNameOf: (name) => `باسم ${isolate(name)}`,
  inNameAs: (name, roles) => `باسم ${isolate(name)}: يفعل ما يُسمح به لهذا الدور (${isolate(roles)})`,
  each: {
    mcp: {
      title: featureTitles.mcp,
      text: 'من تسمحون له يعمل عبر مساعد رقمي: يبحث، ويسجّل الحضور، ويكتب الفواتير. لا يفعل المساعد أكثر مما يتاح لصاحبه، ويسأل قبل أي تغيير في المال أو إرسال.',
    },
    courses_video: {
      title: featureTitles.courses_video,
      text: 'دروس تُشاهَد في البيت: يرتّبها المكتب، وتشاهدها العائلات وتعلّم ما أنهته.',
    },
    basic_reports: {
      title: featureTitles.basic_reports,
      text: 'تقارير عن الطلاب وشهادات وكشوف حساب، للمكتب وللعائلات.',
    },
    advanced_reports: {
      title: featureTitles.advanced_reports,
      text: 'الصفحات تحت «التقارير»: الحضور والدخل والديون والتسجيل وساعات المعلّمين.',
    },
    integration_api: {
      title: featureTitles.integration_api,
      text: 'مفاتيح للبرامج الأخرى، وتحديثات لها، والنموذج في موقعكم.',
    },
    sms_notifications: {
      title: featureTitles.sms_notifications,
      text: 'رسائل SMS إلى العائلات، عبر مزوّد تحددونه تحت «الرسائل ونصوصها».',
    },
    whatsapp_notifications: {
      title: featureTitles.whatsapp_notifications,
      text: 'رسائل WhatsApp إلى العائلات، عبر مزوّد تحددونه تحت «الرسائل ونصوصها».',
    },
    byo_email_provider: {
      title: featureTitles.byo_email_provider,
      text: 'تخرج الرسائل إلى العائلات عبر خدمة للأعداد الكبيرة من الرسائل بدل صندوق البريد.',
    },
    byo_push_provider: { title: featureTitles.byo_push_provider, text: 'رسائل إلى تطبيق المعهد على هواتف العائلات.' },
  },
}
