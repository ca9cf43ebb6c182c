import { isolateIn } from '#shared/isolate.ts'
import type { LanguageTexts } from './language-texts.ts'

// The plural and impersonal forms address everybody alike.
export const ar: LanguageTexts = {
  greeting: 'تحية طيبة، {{recipientName}}،',
  signature: 'مع فائق التقدير،\n{{institute}}',
  absence: { absent: 'غياب', late: 'تأخّر', excused: 'غياب بعذر' },
  methods: {
    cash: 'نقدًا',
    card: 'بطاقة ائتمان',
    bank_transfer: 'تحويل بنكي',
    cheque: 'شيك',
    online: 'دفع إلكتروني',
    other: 'وسيلة أخرى',
  },
  lessons: {
    gone: {
      one: 'حصة واحدة لن تُعقد: {{from}}.',
      many: 'عدد الحصص التي لن تُعقد: {{count}}، من {{from}} إلى {{to}}.',
    },
    back: {
      one: 'حصة إضافية واحدة: {{from}}.',
      many: 'عدد الحصص الإضافية: {{count}}، من {{from}} إلى {{to}}.',
    },
  },
  moreLessons: 'و{{count}} غيرها.',
  place: {
    plain: '{{student}}: {{group}} ({{course}})',
    withLesson: '{{student}}: {{group}} ({{course}})، الحصة الأولى {{date}}، الساعة {{time}}',
  },
  fields: {
    firstName: 'الاسم الأول',
    lastName: 'اسم العائلة',
    birthDate: 'تاريخ الميلاد',
    phone: 'الهاتف',
    email: 'البريد الإلكتروني',
    nationalId: 'رقم الهوية',
    address: 'العنوان',
  },
  proposal: { left: 'لم يتغيّر:', remark: 'ملاحظتنا:' },
  corrected: { present: 'حضور', cleared: 'لم يُسجَّل شيء' },
  paymentProblems: {
    other_amount: 'دُفع مبلغ غير المطلوب. سُجّل كما دُفع.',
    other_currency: 'دُفع بعملة أخرى. لم يُسجَّل شيء: سجّلوه يدويًا.',
    became_credit: 'دُفعت الفاتورة أو أُلغيت في هذه الأثناء. ما تبقى رصيد للدافع.',
    not_booked: 'دُفع ولم يمكن تسجيله: سجّلوه يدويًا.',
    refunded: 'أُعيد المال لدى شركة الدفع: ألغوا الدفعة هنا أيضًا.',
    disputed: 'يعترض الدافع على الدفعة لدى بنكه: راجعوا صفحة شركة الدفع.',
  },
  payByCard: 'الدفع بالبطاقة:',
  seeIt: 'للاطّلاع:',
  and: ' و',
  digest: { subject: (institute) => `رسائلكم من ${isolateIn(institute, 'ar')}`, lead: 'إليكم آخر الرسائل:' },
  optOut: {
    line: 'يمكنكم إيقاف هذه الرسائل في أي وقت:',
    action: 'إيقاف الرسائل',
    ask: (institute) => ({
      title: `إيقاف رسائل ${isolateIn(institute, 'ar')}؟`,
      text: 'لن تصلكم بعد ذلك رسائل بريد إلكتروني عن الحصص والغياب والفواتير والدفعات والنتائج وما شابه. أما الرسائل التي تطلبونها بأنفسكم، مثل رابط اختيار كلمة مرور جديدة، فتصلكم كالمعتاد.',
      button: 'إيقاف الرسائل',
    }),
    stopped: (institute) => ({
      title: 'تم إيقاف الرسائل',
      text: `لن تصلكم رسائل كهذه من ${isolateIn(institute, 'ar')} بعد الآن. وقد تصلكم رسالة أُرسلت قبل ذلك.`,
      button: 'تراجع: استئناف الرسائل',
    }),
    resumed: (institute) => ({
      title: 'ستصلكم الرسائل من جديد',
      text: `ستصلكم رسائل ${isolateIn(institute, 'ar')} كما في السابق.`,
      button: 'إيقاف الرسائل',
    }),
  },
  trial: {
    title: 'رسالة تجريبية',
    body: 'وصلت هذه الرسالة التجريبية، فالإرسال يعمل. لا يلزم فعل شيء.',
  },
  events: {
    'student.absent': {
      subject: 'بخصوص {{studentName}}: {{status}}، {{date}}',
      mail: 'نودّ إعلامكم بأنه سُجّل {{status}} باسم {{studentName}}.\n\nالحصة: {{groupName}} ({{courseName}})\nالموعد: {{date}}، الساعة {{time}}\n\nإن كان هناك خطأ فنرجو التواصل معنا.\n\n{{seeIt}}',
      brief: '{{studentName}}: {{status}} في حصة {{groupName}}، {{date}}، الساعة {{time}}.',
    },
    'invoice.issued': {
      subject: 'فاتورة رقم {{invoiceNumber}}',
      mail: 'صدرت الفاتورة رقم {{invoiceNumber}} عن {{studentName}}.\n\n{{lines}}\n\nالمبلغ: {{total}}\nتاريخ الاستحقاق: {{dueDate}}\n\n{{payOnline}}\n\n{{footer}}\n\n{{seeIt}}',
      brief: 'فاتورة رقم {{invoiceNumber}} عن {{studentName}}: {{total}}، مستحقة حتى {{dueDate}}.',
    },
    'invoice.overdue': {
      subject: 'تأخّر سداد الفاتورة رقم {{invoiceNumber}}',
      mail: 'كانت الفاتورة رقم {{invoiceNumber}} عن {{studentName}} مستحقة حتى {{dueDate}}، ولم تُسدَّد بالكامل بعد.\n\n{{lines}}\n\nالمبلغ المتبقي: {{balance}}\n\n{{payOnline}}\n\n{{footer}}\n\nإن كنتم قد دفعتم في هذه الأثناء فيُرجى تجاهل هذه الرسالة.\n\n{{seeIt}}',
      brief:
        'تأخّر سداد الفاتورة رقم {{invoiceNumber}} عن {{studentName}} (مستحقة حتى {{dueDate}}). المبلغ المتبقي: {{balance}}.',
    },
    'invoice.reminder_requested': {
      subject: 'تذكير: الفاتورة رقم {{invoiceNumber}}',
      mail: 'نودّ تذكيركم بأن الفاتورة رقم {{invoiceNumber}} عن {{studentName}} لم تُسدَّد بالكامل بعد.\n\n{{lines}}\n\nالمبلغ المتبقي: {{balance}}\nتاريخ الاستحقاق: {{dueDate}}\n\n{{payOnline}}\n\n{{footer}}\n\nإن كنتم قد دفعتم في هذه الأثناء فيُرجى تجاهل هذه الرسالة.\n\n{{seeIt}}',
      brief:
        'تذكير: الفاتورة رقم {{invoiceNumber}} عن {{studentName}}. المبلغ المتبقي: {{balance}}، مستحقة حتى {{dueDate}}.',
    },
    'payment.recorded': {
      subject: 'استلام دفعة: {{amount}}',
      mail: 'شكرًا لكم. استلمنا دفعة بمبلغ {{amount}} ({{method}}) عن الفاتورة رقم {{invoiceNumber}} باسم {{studentName}}.\n\nتاريخ الدفع: {{date}}\nالمبلغ المتبقي: {{balance}}\n\n{{seeIt}}',
      brief: 'شكرًا لكم. استلمنا {{amount}} عن الفاتورة رقم {{invoiceNumber}}. المبلغ المتبقي: {{balance}}.',
    },
    'receipt.sent': {
      subject: 'الإيصال {{receiptNumber}}',
      mail: 'شكرًا لكم. استلمنا مبلغ {{amount}} بتاريخ {{date}}.\n\nالإيصال {{receiptNumber}} مرفق بهذه الرسالة.',
      brief: 'شكرًا لكم. استلمنا مبلغ {{amount}} بتاريخ {{date}}. رقم الإيصال: {{receiptNumber}}.',
    },
    'cheque.bounced': {
      subject: 'شيك راجع: {{amount}}',
      mail: 'أعاد البنك الشيك رقم {{chequeNumber}} بمبلغ {{amount}} دون صرف.\n\nتاريخ الاستحقاق: {{dueDate}}\nالسبب: {{reason}}\n\nأصبح المبلغ مستحقًا من جديد. يُرجى التواصل معنا لتسوية الدفع.',
      brief: 'أعاد البنك الشيك رقم {{chequeNumber}} بمبلغ {{amount}} دون صرف. يُرجى التواصل معنا لتسوية الدفع.',
    },
    'session.cancelled': {
      subject: 'إلغاء حصة: {{groupName}}، {{date}}',
      mail: 'أُلغيت حصة {{groupName}} ({{courseName}}).\n\nموعد الحصة: {{date}}، الساعة {{time}}\nالسبب: {{reason}}\n\nنعتذر عن الإزعاج.\n\n{{seeIt}}',
      brief: 'أُلغيت حصة {{groupName}}: {{date}}، الساعة {{time}}. السبب: {{reason}}',
    },
    'session.added': {
      subject: 'حصة إضافية: {{groupName}}، {{date}}',
      mail: 'أُضيفت حصة {{groupName}} ({{courseName}}).\n\nموعد الحصة: {{date}}، من الساعة {{time}} حتى الساعة {{end}}\n\n{{seeIt}}',
      brief: 'حصة إضافية {{groupName}}: {{date}}، من الساعة {{time}} حتى الساعة {{end}}.',
    },
    'session.moved': {
      subject: 'تغيير موعد حصة: {{groupName}}، {{newDate}}',
      mail: 'تغيّر موعد حصة {{groupName}} ({{courseName}}).\n\nالموعد السابق: {{date}}، الساعة {{time}}\nالموعد الجديد: {{newDate}}، من الساعة {{newTime}} حتى الساعة {{newEnd}}\n\n{{seeIt}}',
      brief:
        'تغيّر موعد حصة {{groupName}}. الموعد السابق: {{date}}، الساعة {{time}}. الموعد الجديد: {{newDate}}، من الساعة {{newTime}} حتى الساعة {{newEnd}}.',
    },
    'session.given': {
      subject: 'أُسندت إليكم حصة: {{groupName}}، {{date}}',
      mail: 'أُسندت إليكم حصة {{groupName}} ({{courseName}}).\n\nموعد الحصة: {{date}}، من الساعة {{time}} حتى الساعة {{end}}\n\n{{seeIt}}',
      brief: 'أُسندت إليكم حصة {{groupName}}: {{date}}، من الساعة {{time}} حتى الساعة {{end}}.',
    },
    'group.lessons_changed': {
      subject: 'تغيير في حصص {{groupName}}',
      mail: 'طرأ تغيير على حصص {{groupName}} ({{courseName}}).\n\n{{changes}}\n\n{{seeIt}}',
      brief: 'طرأ تغيير على حصص {{groupName}}.\n{{changes}}',
    },
    'group.continues': {
      subject: 'التسجيل للسنة الدراسية الجديدة',
      mail: 'حجزنا لكم الأماكن التالية للسنة الدراسية الجديدة:\n\n{{places}}\n\nيُرجى إبلاغنا إن رغبتم في أي تغيير.',
      brief: 'حجزنا لكم الأماكن التالية للسنة الدراسية الجديدة:\n{{places}}\nيُرجى إبلاغنا إن رغبتم في أي تغيير.',
    },
    'place.offered': {
      subject: 'مقعد شاغر: {{studentName}}، {{groupName}}',
      mail: 'شغر مقعد في مجموعة {{groupName}} ({{courseName}}). اسم الطالب في قائمة الانتظار: {{studentName}}.\n\nنحتفظ بالمقعد حتى {{until}}. يُرجى إبلاغنا إن كنتم ترغبون فيه.',
      brief:
        'شغر مقعد في مجموعة {{groupName}}. اسم الطالب في قائمة الانتظار: {{studentName}}. نحتفظ بالمقعد حتى {{until}}. يُرجى إبلاغنا إن كنتم ترغبون فيه.',
    },
    'closure.announced': {
      subject: 'عطلة: {{closureName}}',
      mail: 'نُعلمكم بأننا في عطلة من {{from}} إلى {{to}}: {{closureName}}.\n\nلا حصص في هذه الأيام.',
      brief: 'عطلة من {{from}} إلى {{to}}: {{closureName}}. لا حصص في هذه الأيام.',
    },
    'closures.announced': {
      subject: 'أيام العطل',
      mail: 'نُعلمكم بأيام العطل لدينا:\n\n{{days}}\n\nلا حصص في هذه الأيام.',
      brief: 'أيام العطل التي لا حصص فيها:\n{{days}}',
    },
    'closure.lifted': {
      subject: 'إلغاء العطلة: {{closureName}}',
      mail: 'تُعقد الحصص من {{from}} إلى {{to}} كالمعتاد. نرجو تجاهل رسالتنا بشأن {{closureName}}.',
      brief: 'تُعقد الحصص من {{from}} إلى {{to}} كالمعتاد. نرجو تجاهل رسالتنا بشأن {{closureName}}.',
    },
    'cover.given': {
      subject: 'تغطية حصص: {{teacherName}}',
      mail: 'كُلِّفتم بتغطية حصص {{teacherName}} من {{from}} إلى {{to}}. وهذه الحصص:\n\n{{lessons}}',
      brief: 'كُلِّفتم بتغطية حصص {{teacherName}} من {{from}} إلى {{to}}:\n{{lessons}}',
    },
    'cover.lifted': {
      subject: 'إلغاء تغطية حصص: {{teacherName}}',
      mail: 'أُلغيت تغطية حصص {{teacherName}} من {{from}} إلى {{to}}، ولم تعودوا مكلَّفين بهذه الحصص:\n\n{{lessons}}',
      brief: 'أُلغيت تغطية حصص {{teacherName}} من {{from}} إلى {{to}}:\n{{lessons}}',
    },
    'cover.announced': {
      subject: 'معلّم بديل: {{substituteName}}',
      mail: 'البديل لحصص {{teacherName}} من {{from}} إلى {{to}}: {{substituteName}}. مواعيد الحصص لا تتغيّر.',
      brief: 'البديل لحصص {{teacherName}} من {{from}} إلى {{to}}: {{substituteName}}. مواعيد الحصص لا تتغيّر.',
    },
    'attendance.corrected': {
      subject: 'تصحيح: {{studentName}}، {{date}}',
      mail: 'وصلتكم بالخطأ رسالة عن غياب {{studentName}} عن حصة {{groupName}} ({{courseName}}).\n\nموعد الحصة: {{date}}، الساعة {{time}}\nالصحيح: {{correction}}\n\nنعتذر عن الإزعاج.\n\n{{seeIt}}',
      brief:
        'تصحيح بشأن {{studentName}}، {{groupName}}، {{date}}، الساعة {{time}}: {{correction}}. رسالة الغياب وصلتكم بالخطأ.',
    },
    'exam.published': {
      subject: 'نشر النتائج: {{examTitle}}',
      mail: 'نُشرت نتيجة {{studentName}}: {{examTitle}} ({{groupName}}).\n\nنحن في خدمتكم للإجابة عن أي سؤال.\n\n{{seeIt}}',
      brief: 'نُشرت نتيجة {{studentName}}: {{examTitle}} ({{groupName}}).',
    },
    'progress_report.sent': {
      subject: 'تقرير تقدّم {{studentName}}',
      mail: 'أصبح تقرير تقدّم {{studentName}} جاهزًا.\n\nالفترة: {{periodStart}} – {{periodEnd}}\n\nنحن في خدمتكم للإجابة عن أي سؤال.\n\n{{seeIt}}',
      brief: 'أصبح تقرير تقدّم {{studentName}} جاهزًا ({{periodStart}} – {{periodEnd}}).',
    },
    'progress_reports.submitted': {
      subject: 'تقارير تقدّم للمراجعة: {{count}}',
      mail: 'قُدّمت تقارير تقدّم من {{teacherName}}، وهي تنتظر المراجعة.\n\nعدد التقارير: {{count}}\nالمجموعات: {{groups}}\n\n{{seeIt}}',
      brief: 'قُدّمت تقارير تقدّم للمراجعة من {{teacherName}}: {{count}} ({{groups}}).',
    },
    'progress_report.returned': {
      subject: 'أُعيد تقرير التقدّم: {{studentName}}',
      mail: 'أُعيد إليكم تقرير التقدّم الخاص بـ{{studentName}} ({{periodStart}} – {{periodEnd}}).\n\nالملاحظة: {{remark}}\n\n{{seeIt}}',
      brief: 'أُعيد إليكم تقرير التقدّم الخاص بـ{{studentName}}. الملاحظة: {{remark}}',
    },
    'details.proposed': {
      subject: 'تعديل بيانات للموافقة: {{personName}}',
      mail: 'وصل طلب لتعديل بيانات {{personName}} من {{byName}}.\n\nالمطلوب تعديله: {{fields}}\n\n{{seeIt}}',
      brief: 'وصل طلب لتعديل بيانات {{personName}} من {{byName}}: {{fields}}.',
    },
    'details.accepted': {
      subject: 'تم تعديل البيانات: {{personName}}',
      mail: 'شكرًا لكم على التحديث. تم تعديل بيانات {{personName}} كما طلبتم.\n\nما تم تعديله: {{fields}}\n\n{{left}}\n\n{{remark}}\n\n{{seeIt}}',
      brief: 'تم تعديل بيانات {{personName}} كما طلبتم: {{fields}}. {{left}} {{remark}}',
    },
    'details.declined': {
      subject: 'لم تُعدَّل البيانات: {{personName}}',
      mail: 'لم تُعدَّل بيانات {{personName}} ({{fields}}).\n\n{{remark}}\n\nنحن في خدمتكم للإجابة عن أي سؤال.\n\n{{seeIt}}',
      brief: 'لم تُعدَّل بيانات {{personName}} ({{fields}}). {{remark}}',
    },
    'lead.created': {
      subject: 'استفسار جديد',
      mail: 'وصل استفسار جديد ينتظر الرد، وهو في قائمة المهتمّين:\n\n{{link}}',
      brief: 'وصل استفسار جديد ينتظر الرد.',
    },
    'leads.summary': {
      subject: 'استفسارات أخرى: {{count}}',
      mail: 'وصلت في الساعة الأخيرة استفسارات أخرى تنتظر الرد.\n\nعدد الاستفسارات الجديدة: {{count}}\n\nوهي في قائمة المهتمّين:\n\n{{link}}',
      brief: 'وصلت في الساعة الأخيرة استفسارات أخرى. عدد الاستفسارات الجديدة: {{count}}.',
    },
    'subscription.expiring': {
      subject: 'يقترب موعد انتهاء الاشتراك: {{date}}',
      mail: 'يقترب موعد انتهاء اشتراك {{institute}} (الباقة {{plan}}).\n\nتاريخ الانتهاء: {{date}}\nالأيام المتبقية: {{days}}\n\nيُرجى تجديده في الوقت المناسب.',
      brief: 'يقترب موعد انتهاء الاشتراك: {{date}}. الأيام المتبقية: {{days}}.',
    },
    'tenant.locked': {
      subject: 'تم إيقاف الدخول إلى {{institute}}',
      mail: 'تم إيقاف الدخول إلى {{institute}}.\n\nالسبب: {{reason}}\n\nيُرجى التواصل مع مزوّد الخدمة.',
      brief: 'تم إيقاف الدخول إلى {{institute}}. السبب: {{reason}}',
    },
    'webhook_endpoint.disabled': {
      subject: 'تم إيقاف Webhook',
      mail: 'فشلت عمليات إرسال كثيرة متتالية إلى {{host}}، ولذلك توقّف الإرسال إليه.\n\nعندما يستجيب العنوان من جديد يمكن إعادة التشغيل من قائمة Webhooks.',
      brief: 'فشلت عمليات إرسال كثيرة متتالية إلى {{host}}، ولذلك توقّف الإرسال إليه.',
    },
    'account.unlinked': {
      subject: 'لم يعد حسابكم مرتبطًا بسجل {{personName}}',
      mail: 'لم يعد حسابكم لدى {{institute}} مرتبطًا بسجل {{personName}}، ولذلك لن تظهر لكم بياناته بعد الآن.\n\nإن كان هناك خطأ فنرجو التواصل معنا.',
      brief: 'لم يعد حسابكم مرتبطًا بسجل {{personName}}. إن كان هناك خطأ فنرجو التواصل معنا.',
    },
    'online_payment.attention': {
      subject: 'دفعة بالبطاقة للفاتورة {{invoiceNumber}}: يُرجى المراجعة',
      mail: '{{amount}} للفاتورة {{invoiceNumber}}. {{problem}}',
      brief: '{{amount}} للفاتورة {{invoiceNumber}}. {{problem}}',
    },
    'mails.stuck': {
      subject: 'رسائل البريد الإلكتروني لا تُرسَل',
      mail: 'لا يقبل خادم البريد رسائلنا. ما ينتظر أو لم يُرسل: {{count}}، وأقدمها منذ {{date}}.\n\nما حدث: {{reason}}\n\nتُعاد محاولة الإرسال لمدة يومين. راجعوا «البريد» في الإعدادات؛ وعندما يعمل يمكن إرسالها كلها من هناك مرة أخرى.',
      brief:
        'لا يقبل خادم البريد رسائلنا. ما ينتظر أو لم يُرسل: {{count}}، وأقدمها منذ {{date}}. ما حدث: {{reason}} راجعوا «البريد» في الإعدادات؛ وعندما يعمل يمكن إرسالها كلها من هناك مرة أخرى.',
    },
    'update.available': {
      subject: 'يوجد إصدار جديد',
      mail: 'يمكن تثبيت الإصدار {{version}} من البرنامج. الجديد فيه مذكور في صفحة «التحديثات» في الإعدادات.',
      brief: 'يمكن تثبيت الإصدار {{version}} من البرنامج. الجديد فيه مذكور في صفحة «التحديثات» في الإعدادات.',
    },
    'update.installed': {
      subject: 'ثُبّت إصدار جديد',
      mail: 'ثُبّت الإصدار {{version}} من البرنامج وهو يعمل. الجديد فيه مذكور في صفحة «التحديثات» في الإعدادات.',
      brief: 'ثُبّت الإصدار {{version}} من البرنامج وهو يعمل. الجديد فيه مذكور في صفحة «التحديثات» في الإعدادات.',
    },
    'update.failed': {
      subject: 'لم يُثبَّت الإصدار الجديد',
      mail: 'لم يُثبَّت الإصدار {{version}} من البرنامج. الإصدار السابق مستمر في العمل والبيانات كما كانت. ما حدث مذكور في صفحة «التحديثات» في الإعدادات.',
      brief:
        'لم يُثبَّت الإصدار {{version}} من البرنامج. الإصدار السابق مستمر في العمل والبيانات كما كانت. ما حدث مذكور في صفحة «التحديثات» في الإعدادات.',
    },
    'https.failed': {
      subject: 'لم تُجدَّد شهادة الاتصال الآمن',
      mail: 'لا تصل شهادة جديدة للعنوان {{name}}. عندما تنتهي الشهادة الحالية ستحذّر المتصفحات من هذا العنوان. السبب مذكور في صفحة «حواسيب وهواتف أخرى» في الإعدادات.',
      brief:
        'لا تصل شهادة جديدة للعنوان {{name}}. عندما تنتهي الشهادة الحالية ستحذّر المتصفحات من هذا العنوان. السبب مذكور في صفحة «حواسيب وهواتف أخرى» في الإعدادات.',
    },
  },
}
