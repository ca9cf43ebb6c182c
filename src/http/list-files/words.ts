import { importReasons as ar } from '#shared/import-reasons/ar.ts'
import { importReasons as en } from '#shared/import-reasons/en.ts'
import { importReasons as he } from '#shared/import-reasons/he.ts'
import type { Locale } from '#kernel/basics/locale.ts'

/** What people say for a code, as the office and the console do. */
type Said = readonly [en: string, ar: string, he: string]

const PLACE: Readonly<Record<Locale, 0 | 1 | 2>> = { en: 0, ar: 1, he: 2 }

const YES: Said = ['yes', 'نعم', 'כן']
const NO: Said = ['no', 'لا', 'לא']

/** By the code alone, or by its field and the code where a code means several things. */
const WORDS: Readonly<Record<string, Said>> = {
  // People
  lead: ['Registered', 'مسجَّل مبدئيًا', 'רישום ראשוני'],
  active: ['Active', 'فعّال', 'פעיל'],
  paused: ['Paused', 'متوقف مؤقتًا', 'בהפסקה'],
  graduated: ['Graduated', 'تخرّج', 'סיום לימודים'],
  withdrawn: ['Left', 'غادر', 'עזיבה'],
  mother: ['Mother', 'الأم', 'אם'],
  father: ['Father', 'الأب', 'אב'],
  grandparent: ['Grandparent', 'جد أو جدة', 'סבא או סבתא'],
  sibling: ['Brother or sister', 'أخ أو أخت', 'אח או אחות'],
  spouse: ['Spouse', 'زوج أو زوجة', 'בן או בת זוג'],
  guardian: ['Guardian', 'وليّ أمر', 'הורה או אפוטרופוס'],
  other: ['Other', 'غير ذلك', 'אחר'],
  invited: ['Invited', 'أُرسلت دعوة', 'נשלחה הזמנה'],
  disabled: ['Disabled', 'موقوف', 'מושבת'],
  ar: ['Arabic', 'العربية', 'ערבית'],
  en: ['English', 'الإنجليزية', 'אנגלית'],
  he: ['Hebrew', 'العبرية', 'עברית'],
  user: ['User', 'مستخدم', 'משתמש'],
  student: ['Student', 'طالب', 'תלמיד'],
  staff: ['Staff', 'طاقم', 'צוות'],
  new: ['New', 'جديد', 'חדש'],
  contacted: ['Spoken to', 'تحدثنا معه', 'דיברנו'],
  converted: ['Became a student', 'أصبح طالبًا', 'נרשם כתלמיד'],
  lost: ['Not interested', 'غير مهتم', 'לא מעוניין'],
  widget: ['Website', 'الموقع', 'האתר'],
  manual: ['By hand', 'يدويًا', 'ידני'],
  import: ['Import', 'استيراد', 'ייבוא'],
  api: ['API', 'واجهة API', 'API'],

  // Teaching
  planned: ['Planned', 'مخطَّط', 'מתוכנן'],
  completed: ['Completed', 'مكتمل', 'הושלם'],
  cancelled: ['Cancelled', 'ملغى', 'בוטל'],
  dropped: ['Left', 'أُلغي التسجيل', 'הרישום בוטל'],
  pending: ['Waits for payment', 'بانتظار الدفع', 'ממתין לתשלום'],
  scheduled: ['To come', 'ستُعقد', 'עתיד להתקיים'],
  held: ['Held', 'عُقدت', 'התקיים'],
  present: ['Present', 'حاضر', 'הגיע'],
  absent: ['Absent', 'غائب', 'נעדר'],
  late: ['Late', 'متأخر', 'איחר'],
  excused: ['Excused', 'غياب بعذر', 'היעדרות מוצדקת'],
  unmarked: ['Not taken', 'لم يُسجَّل', 'לא נרשמה'],
  partial: ['Taken in part', 'سُجّل جزئيًا', 'נרשמה חלקית'],
  complete: ['Taken', 'سُجّل', 'נרשמה'],
  room: ['Room', 'الغرفة', 'חדר'],
  teacher: ['Teacher', 'المعلّم', 'מורה'],
  group: ['In groups', 'في مجموعات', 'בקבוצות'],
  self_paced: ['At one’s own pace', 'تعلّم ذاتي', 'בקצב אישי'],
  quiz: ['Quiz', 'اختبار قصير', 'בוחן'],
  exam: ['Exam', 'امتحان', 'מבחן'],
  homework: ['Homework', 'واجب منزلي', 'שיעורי בית'],
  project: ['Project', 'مشروع', 'פרויקט'],
  final: ['Final exam', 'امتحان نهائي', 'מבחן סופי'],
  draft: ['Draft', 'مسودة', 'טיוטה'],
  sent: ['Sent', 'أُرسل', 'נשלח'],

  // Money
  issued: ['Issued', 'صادرة', 'לתשלום'],
  partially_paid: ['Partly paid', 'مدفوعة جزئيًا', 'שולם חלקית'],
  paid: ['Paid', 'مدفوعة', 'שולם'],
  overdue: ['Overdue', 'انقضى موعدها', 'באיחור'],
  void: ['Void', 'ملغاة', 'בוטל'],
  cash: ['Cash', 'نقدًا', 'מזומן'],
  card: ['Card', 'بطاقة', 'כרטיס'],
  bank_transfer: ['Transfer', 'تحويل', 'העברה'],
  cheque: ['Cheque', 'شيك', "צ'ק"],
  online: ['Online', 'عبر الإنترنت', 'באינטרנט'],
  per_group: ['For a group', 'لمجموعة', 'לקבוצה'],
  per_course: ['For a course', 'لدورة', 'לקורס'],
  one_off: ['Once', 'لمرة واحدة', 'חד פעמי'],
  registration: ['Registration', 'تسجيل', 'רישום'],
  once: ['Once', 'لمرة واحدة', 'חד פעמי'],
  monthly: ['Every month', 'كل شهر', 'כל חודש'],
  yearly: ['Every year', 'كل سنة', 'כל שנה'],
  per_term: ['Every term', 'كل فصل', 'כל סמסטר'],

  // Files, imports, messages
  avatar: ['Picture', 'صورة شخصية', 'תמונה'],
  document: ['Document', 'مستند', 'מסמך'],
  report: ['Report', 'تقرير', 'דוח'],
  attachment: ['Attachment', 'مرفق', 'צרופה'],
  students: ['Students', 'الطلاب', 'תלמידים'],
  enrollments: ['Enrolments', 'التسجيلات', 'רישומים'],
  balances: ['Opening balances', 'الأرصدة الافتتاحية', 'יתרות פתיחה'],
  all: ['All or nothing', 'الكل أو لا شيء', 'הכול או כלום'],
  by_row: ['Row by row', 'سطرًا سطرًا', 'שורה שורה'],
  queued: ['Waiting', 'بالانتظار', 'ממתין'],
  running: ['Running', 'قيد التنفيذ', 'פועל'],
  done: ['Done', 'انتهى', 'הסתיים'],
  failed: ['Failed', 'فشل', 'נכשל'],
  skipped: ['Left out', 'تُرك', 'דולג'],
  delivered: ['Delivered', 'سُلّم', 'נמסר'],
  in_app: ['In the program', 'في البرنامج', 'בתוכנה'],
  email: ['Email', 'بريد إلكتروني', 'דוא״ל'],
  sms: ['SMS', 'SMS', 'SMS'],
  whatsapp: ['WhatsApp', 'واتساب', 'וואטסאפ'],
  push: ['Notification', 'إشعار', 'התראה'],
  smtp: ['Mail server', 'خادم بريد', 'שרת דוא״ל'],
  https: ['HTTPS', 'HTTPS', 'HTTPS'],
  twilio: ['Twilio', 'Twilio', 'Twilio'],
  meta: ['Meta', 'Meta', 'Meta'],
  web_push: ['Browsers', 'المتصفحات', 'דפדפנים'],
  server: ['This server', 'هذا الخادم', 'השרת הזה'],
  starttls: ['STARTTLS', 'STARTTLS', 'STARTTLS'],
  tls: ['TLS', 'TLS', 'TLS'],
  web: ['Browser', 'متصفح', 'דפדפן'],
  mobile: ['Phone', 'هاتف', 'טלפון'],
  secret: ['Secret', 'سري', 'סודי'],
  publishable: ['For websites', 'للمواقع', 'לאתרים'],

  // The vendor's
  trialing: ['Trial', 'فترة تجربة', 'ניסיון'],
  past_due: ['Payment overdue', 'تأخر الدفع', 'תשלום באיחור'],
  expired: ['Expired', 'انتهى', 'פג'],
  suspended: ['Suspended', 'معلَّق', 'מושעה'],
  archived: ['Archived', 'مؤرشف', 'בארכיון'],
  cloud: ['Cloud', 'سحابة', 'ענן'],
  self_hosted: ['Own server', 'خادم خاص', 'שרת עצמי'],
  inherit: ['As elsewhere', 'كالمعتاد', 'כרגיל'],
  on: ['On', 'مفعّل', 'מופעל'],
  off: ['Off', 'معطّل', 'כבוי'],
  subdomain: ['Subdomain', 'نطاق فرعي', 'תת־דומיין'],
  custom: ['Own domain', 'نطاق خاص', 'דומיין משלו'],
  lock: ['Lock', 'قفل', 'נעילה'],
  unlock: ['Unlock', 'فتح القفل', 'פתיחת נעילה'],
  counter_regressed: ['Counter went back', 'تراجع العدّاد', 'המונה חזר לאחור'],
  clock_rollback: ['Clock went back', 'تراجعت الساعة', 'השעון חזר לאחור'],
  duplicate_install: ['Two servers as one', 'خادمان كأنهما واحد', 'שני שרתים כאחד'],
  too_many_installs: ['Too many servers', 'خوادم أكثر من المسموح', 'יותר מדי שרתים'],
  key_changed: ['Key changed', 'تغيّر المفتاح', 'המפתח השתנה'],
  version_downgraded: ['Older version', 'نسخة أقدم', 'גרסה ישנה יותר'],
  locked: ['Locked', 'مقفل', 'נעול'],
  ok: ['Well', 'نجح', 'הצליח'],
}

/** By the field, what a code means there alone. */
const WORDS_OF: Readonly<Record<string, Readonly<Record<string, Said>>>> = {
  'recipient.kind': { guardian: ['Guardian', 'وليّ أمر', 'הורה'] },
  price: {
    schedule: ['The fee', 'الرسوم', 'התעריף'],
    enrollment: ['What was agreed', 'المتفق عليه', 'מה שסוכם'],
  },
  proration: {
    none: ['In full', 'كاملًا', 'במלואו'],
    lessons: ['By lessons', 'بحسب الحصص', 'לפי שיעורים'],
    days: ['By days', 'بحسب الأيام', 'לפי ימים'],
  },
}

/** Their codes are the words: they stand so in the address of a request, in a log and in the programs of others. */
const NAMES = /(?:^|\.)(?:currency|permissions|events|eventType|key|group|unknown)$/

const REASONS: Readonly<Record<Locale, Readonly<Record<string, string>>>> = { en, ar, he }

/** The words for a code; undefined: there are none yet. @param field its name, behind those of the fields that it lies in */
export const wordsFor = (field: string, code: string, locale: Locale): string | undefined => {
  if (NAMES.test(field)) return code
  const said = WORDS_OF[field]?.[code] ?? WORDS[code]
  return said?.[PLACE[locale]] ?? REASONS[locale][code]
}

export const yesOrNo = (value: boolean, locale: Locale): string => (value ? YES : NO)[PLACE[locale]]
