import { isolateIn } from '#shared/isolate.ts'
import type { LanguageTexts } from './language-texts.ts'

// The plural and impersonal forms address everybody alike.
export const he: LanguageTexts = {
  greeting: 'שלום {{recipientName}},',
  signature: 'בברכה,\n{{institute}}',
  absence: { absent: 'לא הגיע/ה', late: 'איחר/ה', excused: 'לא הגיע/ה (בהצדקה)' },
  methods: {
    cash: 'מזומן',
    card: 'כרטיס אשראי',
    bank_transfer: 'העברה בנקאית',
    cheque: 'צ׳ק',
    online: 'תשלום מקוון',
    other: 'אמצעי אחר',
  },
  lessons: {
    gone: {
      one: 'שיעור אחד לא יתקיים: {{from}}.',
      many: 'מספר השיעורים שלא יתקיימו: {{count}}, מ{{from}} עד {{to}}.',
    },
    back: {
      one: 'שיעור נוסף אחד: {{from}}.',
      many: 'מספר השיעורים הנוספים: {{count}}, מ{{from}} עד {{to}}.',
    },
  },
  moreLessons: 'ועוד {{count}}.',
  place: {
    plain: '{{student}}: {{group}} ({{course}})',
    withLesson: '{{student}}: {{group}} ({{course}}), השיעור הראשון ב{{date}}, בשעה {{time}}',
  },
  fields: {
    firstName: 'שם פרטי',
    lastName: 'שם משפחה',
    birthDate: 'תאריך לידה',
    phone: 'טלפון',
    email: 'דוא״ל',
    nationalId: 'מספר זהות',
    address: 'כתובת',
  },
  proposal: { left: 'לא שונה:', remark: 'הערתנו:' },
  corrected: { present: 'נוכחות', cleared: 'לא נרשם דבר' },
  paymentProblems: {
    other_amount: 'שולם סכום אחר מהמבוקש. הוא נרשם כפי ששולם.',
    other_currency: 'שולם במטבע אחר. דבר לא נרשם: יש לרשום ידנית.',
    became_credit: 'דרישת התשלום שולמה או בוטלה בינתיים. היתרה היא זכות של המשלם.',
    not_booked: 'שולם, ולא היה אפשר לרשום: יש לרשום ידנית.',
    refunded: 'הכסף הוחזר אצל חברת הסליקה: יש לבטל את התשלום גם כאן.',
    disputed: 'המשלם הכחיש את העסקה בבנק: ראו בדף של חברת הסליקה.',
  },
  payByCard: 'תשלום בכרטיס אשראי:',
  seeIt: 'לצפייה:',
  and: ' ו־',
  digest: { subject: (institute) => `ההודעות שלכם מאת ${isolateIn(institute, 'he')}`, lead: 'אלה ההודעות האחרונות:' },
  optOut: {
    line: 'אפשר להפסיק לקבל את ההודעות האלה בכל עת:',
    action: 'הפסקת ההודעות',
    ask: (institute) => ({
      title: `להפסיק את ההודעות של ${isolateIn(institute, 'he')}?`,
      text: 'לא יגיעו אליכם עוד הודעות דוא״ל על שיעורים, היעדרויות, דרישות תשלום, תשלומים, תוצאות וכדומה. הודעות שביקשתם בעצמכם, כמו קישור לבחירת סיסמה חדשה, ימשיכו להגיע.',
      button: 'הפסקת ההודעות',
    }),
    stopped: (institute) => ({
      title: 'ההודעות הופסקו',
      text: `לא יגיעו אליכם עוד הודעות כאלה מאת ${isolateIn(institute, 'he')}. ייתכן שהודעה שכבר נשלחה עוד תגיע.`,
      button: 'ביטול: לקבל שוב הודעות',
    }),
    resumed: (institute) => ({
      title: 'ההודעות יגיעו שוב',
      text: `ההודעות של ${isolateIn(institute, 'he')} יגיעו אליכם כמו קודם.`,
      button: 'הפסקת ההודעות',
    }),
  },
  trial: {
    title: 'הודעת בדיקה',
    body: 'הודעת הבדיקה הזו הגיעה, כלומר השליחה פועלת. אין צורך לעשות דבר.',
  },
  events: {
    'student.absent': {
      subject: '{{studentName}} {{status}} לשיעור, {{date}}',
      mail: '{{studentName}} {{status}} לשיעור של {{groupName}} ({{courseName}}).\n\nמועד השיעור: {{date}}, בשעה {{time}}\n\nאם זו טעות, נא לעדכן אותנו.\n\n{{seeIt}}',
      brief: '{{studentName}} {{status}} לשיעור של {{groupName}}: {{date}}, בשעה {{time}}.',
    },
    'invoice.issued': {
      subject: 'דרישת תשלום {{invoiceNumber}}',
      mail: 'הונפקה דרישת תשלום {{invoiceNumber}} עבור {{studentName}}.\n\n{{lines}}\n\nסכום: {{total}}\nלתשלום עד: {{dueDate}}\n\n{{payOnline}}\n\n{{footer}}\n\n{{seeIt}}',
      brief: 'דרישת תשלום {{invoiceNumber}} עבור {{studentName}}: {{total}}, לתשלום עד {{dueDate}}.',
    },
    'invoice.overdue': {
      subject: 'חלף מועד התשלום: דרישת תשלום {{invoiceNumber}}',
      mail: 'דרישת התשלום {{invoiceNumber}} עבור {{studentName}} הייתה לתשלום עד {{dueDate}}, וטרם שולמה במלואה.\n\n{{lines}}\n\nיתרה לתשלום: {{balance}}\n\n{{payOnline}}\n\n{{footer}}\n\nאם כבר שילמתם, אפשר להתעלם מהודעה זו.\n\n{{seeIt}}',
      brief:
        'חלף מועד התשלום של דרישת התשלום {{invoiceNumber}} עבור {{studentName}} ({{dueDate}}). יתרה לתשלום: {{balance}}.',
    },
    'invoice.reminder_requested': {
      subject: 'תזכורת: דרישת תשלום {{invoiceNumber}}',
      mail: 'תזכורת: דרישת התשלום {{invoiceNumber}} עבור {{studentName}} טרם שולמה במלואה.\n\n{{lines}}\n\nיתרה לתשלום: {{balance}}\nלתשלום עד: {{dueDate}}\n\n{{payOnline}}\n\n{{footer}}\n\nאם כבר שילמתם, אפשר להתעלם מהודעה זו.\n\n{{seeIt}}',
      brief: 'תזכורת: דרישת תשלום {{invoiceNumber}} עבור {{studentName}}. יתרה לתשלום: {{balance}}, עד {{dueDate}}.',
    },
    'payment.recorded': {
      subject: 'התקבל תשלום: {{amount}}',
      mail: 'תודה רבה. התקבל תשלום בסך {{amount}} ({{method}}) עבור דרישת התשלום {{invoiceNumber}} של {{studentName}}.\n\nתאריך התשלום: {{date}}\nיתרה לתשלום: {{balance}}\n\n{{seeIt}}',
      brief: 'תודה רבה. התקבל תשלום בסך {{amount}} עבור דרישת התשלום {{invoiceNumber}}. יתרה לתשלום: {{balance}}.',
    },
    'receipt.sent': {
      subject: 'קבלה {{receiptNumber}}',
      mail: 'תודה רבה. התקבל תשלום בסך {{amount}} בתאריך {{date}}.\n\nהקבלה {{receiptNumber}} מצורפת להודעה זו.',
      brief: 'תודה רבה. התקבל תשלום בסך {{amount}} בתאריך {{date}}. מספר הקבלה: {{receiptNumber}}.',
    },
    'cheque.bounced': {
      subject: 'צ׳ק שלא כובד: {{amount}}',
      mail: 'הבנק לא כיבד את צ׳ק מס׳ {{chequeNumber}} בסך {{amount}}.\n\nתאריך הפירעון: {{dueDate}}\nסיבה: {{reason}}\n\nהסכום נרשם שוב כחוב. נשמח שתפנו אלינו כדי להסדיר את התשלום.',
      brief: 'הבנק לא כיבד את צ׳ק מס׳ {{chequeNumber}} בסך {{amount}}. נשמח שתפנו אלינו כדי להסדיר את התשלום.',
    },
    'session.cancelled': {
      subject: 'שיעור בוטל: {{groupName}}, {{date}}',
      mail: 'השיעור של {{groupName}} ({{courseName}}) בוטל.\n\nמועד השיעור: {{date}}, בשעה {{time}}\nהסיבה: {{reason}}\n\nאנו מתנצלים על אי־הנוחות.\n\n{{seeIt}}',
      brief: 'השיעור של {{groupName}} בוטל: {{date}}, בשעה {{time}}. הסיבה: {{reason}}',
    },
    'session.added': {
      subject: 'שיעור נוסף: {{groupName}}, {{date}}',
      mail: 'נקבע שיעור נוסף של {{groupName}} ({{courseName}}).\n\nמועד השיעור: {{date}}, משעה {{time}} עד שעה {{end}}\n\n{{seeIt}}',
      brief: 'נקבע שיעור נוסף של {{groupName}}: {{date}}, משעה {{time}} עד שעה {{end}}.',
    },
    'session.moved': {
      subject: 'שיעור הוזז: {{groupName}}, {{newDate}}',
      mail: 'מועד השיעור של {{groupName}} ({{courseName}}) השתנה.\n\nהמועד הקודם: {{date}}, בשעה {{time}}\nהמועד החדש: {{newDate}}, משעה {{newTime}} עד שעה {{newEnd}}\n\n{{seeIt}}',
      brief:
        'מועד השיעור של {{groupName}} השתנה. המועד הקודם: {{date}}, בשעה {{time}}. המועד החדש: {{newDate}}, משעה {{newTime}} עד שעה {{newEnd}}.',
    },
    'session.given': {
      subject: 'שובצתם לשיעור: {{groupName}}, {{date}}',
      mail: 'שובצתם ללמד בשיעור של {{groupName}} ({{courseName}}).\n\nמועד השיעור: {{date}}, משעה {{time}} עד שעה {{end}}\n\n{{seeIt}}',
      brief: 'שובצתם ללמד בשיעור של {{groupName}}: {{date}}, משעה {{time}} עד שעה {{end}}.',
    },
    'group.lessons_changed': {
      subject: 'שינוי בשיעורים של {{groupName}}',
      mail: 'חל שינוי בשיעורים של {{groupName}} ({{courseName}}).\n\n{{changes}}\n\n{{seeIt}}',
      brief: 'חל שינוי בשיעורים של {{groupName}}.\n{{changes}}',
    },
    'group.continues': {
      subject: 'שיבוץ לשנת הלימודים החדשה',
      mail: 'שמרנו לכם מקום לשנת הלימודים החדשה:\n\n{{places}}\n\nלכל שינוי, אנא עדכנו אותנו.',
      brief: 'שמרנו לכם מקום לשנת הלימודים החדשה:\n{{places}}\nלכל שינוי, אנא עדכנו אותנו.',
    },
    'place.offered': {
      subject: 'התפנה מקום: {{studentName}}, {{groupName}}',
      mail: 'התפנה מקום בקבוצה {{groupName}} ({{courseName}}) עבור {{studentName}} מרשימת ההמתנה.\n\nהמקום שמור עד {{until}}. אנא עדכנו אותנו אם אתם מעוניינים בו.',
      brief:
        'התפנה מקום בקבוצה {{groupName}} עבור {{studentName}} מרשימת ההמתנה. המקום שמור עד {{until}}. אנא עדכנו אותנו אם אתם מעוניינים בו.',
    },
    'closure.announced': {
      subject: 'חופשה: {{closureName}}',
      mail: 'אנו בחופשה מ{{from}} עד {{to}}: {{closureName}}.\n\nבימים אלה לא יתקיימו שיעורים.',
      brief: 'חופשה מ{{from}} עד {{to}}: {{closureName}}. בימים אלה לא יתקיימו שיעורים.',
    },
    'closures.announced': {
      subject: 'ימי חופשה',
      mail: 'אלה ימי החופשה שלנו:\n\n{{days}}\n\nבימים אלה לא יתקיימו שיעורים.',
      brief: 'ימי חופשה, שבהם לא יתקיימו שיעורים:\n{{days}}',
    },
    'closure.lifted': {
      subject: 'החופשה בוטלה: {{closureName}}',
      mail: 'השיעורים מ{{from}} עד {{to}} יתקיימו כרגיל. נא להתעלם מהודעתנו על {{closureName}}.',
      brief: 'השיעורים מ{{from}} עד {{to}} יתקיימו כרגיל. נא להתעלם מהודעתנו על {{closureName}}.',
    },
    'cover.given': {
      subject: 'מילוי מקום: {{teacherName}}',
      mail: 'שובצתם למילוי מקום של {{teacherName}} מ{{from}} עד {{to}}. אלה השיעורים:\n\n{{lessons}}',
      brief: 'שובצתם למילוי מקום של {{teacherName}} מ{{from}} עד {{to}}:\n{{lessons}}',
    },
    'cover.lifted': {
      subject: 'מילוי המקום בוטל: {{teacherName}}',
      mail: 'מילוי המקום של {{teacherName}} מ{{from}} עד {{to}} בוטל. אינכם משובצים עוד לשיעורים אלה:\n\n{{lessons}}',
      brief: 'מילוי המקום של {{teacherName}} מ{{from}} עד {{to}} בוטל:\n{{lessons}}',
    },
    'cover.announced': {
      subject: 'מילוי מקום: {{substituteName}}',
      mail: 'מילוי מקום בשיעורים של {{teacherName}} מ{{from}} עד {{to}}: {{substituteName}}. מועדי השיעורים אינם משתנים.',
      brief:
        'מילוי מקום בשיעורים של {{teacherName}} מ{{from}} עד {{to}}: {{substituteName}}. מועדי השיעורים אינם משתנים.',
    },
    'attendance.corrected': {
      subject: 'תיקון: {{studentName}}, {{date}}',
      mail: 'ההודעה על היעדרות של {{studentName}} מהשיעור של {{groupName}} ({{courseName}}) נשלחה בטעות.\n\nמועד השיעור: {{date}}, בשעה {{time}}\nהרישום הנכון: {{correction}}\n\nאנו מתנצלים על אי־הנוחות.\n\n{{seeIt}}',
      brief:
        'תיקון לגבי {{studentName}}, {{groupName}}, {{date}}, בשעה {{time}}: {{correction}}. ההודעה על היעדרות נשלחה בטעות.',
    },
    'exam.published': {
      subject: 'פורסמו תוצאות: {{examTitle}}',
      mail: 'פורסמו תוצאות עבור {{studentName}}: {{examTitle}} ({{groupName}}).\n\nלכל שאלה אנחנו לרשותכם.\n\n{{seeIt}}',
      brief: 'פורסמו תוצאות עבור {{studentName}}: {{examTitle}} ({{groupName}}).',
    },
    'progress_report.sent': {
      subject: 'דוח התקדמות של {{studentName}}',
      mail: 'דוח ההתקדמות של {{studentName}} מוכן.\n\nתקופה: {{periodStart}} – {{periodEnd}}\n\nלכל שאלה אנחנו לרשותכם.\n\n{{seeIt}}',
      brief: 'דוח ההתקדמות של {{studentName}} מוכן ({{periodStart}} – {{periodEnd}}).',
    },
    'progress_reports.submitted': {
      subject: 'דוחות התקדמות לאישור: {{count}}',
      mail: 'דוחות התקדמות הוגשו וממתינים לאישור, מאת {{teacherName}}.\n\nמספר הדוחות: {{count}}\nקבוצות: {{groups}}\n\n{{seeIt}}',
      brief: 'דוחות התקדמות הוגשו לאישור מאת {{teacherName}}: {{count}} ({{groups}}).',
    },
    'progress_report.returned': {
      subject: 'דוח ההתקדמות הוחזר: {{studentName}}',
      mail: 'דוח ההתקדמות של {{studentName}} ({{periodStart}} עד {{periodEnd}}) הוחזר אליכם.\n\nהערה: {{remark}}\n\n{{seeIt}}',
      brief: 'דוח ההתקדמות של {{studentName}} הוחזר אליכם. הערה: {{remark}}',
    },
    'details.proposed': {
      subject: 'עדכון פרטים לאישור: {{personName}}',
      mail: 'התקבלה בקשה לעדכן את הפרטים של {{personName}}, מאת {{byName}}.\n\nמה לעדכן: {{fields}}\n\n{{seeIt}}',
      brief: 'התקבלה בקשה לעדכן את הפרטים של {{personName}}, מאת {{byName}}: {{fields}}.',
    },
    'details.accepted': {
      subject: 'הפרטים עודכנו: {{personName}}',
      mail: 'תודה על העדכון. הפרטים של {{personName}} עודכנו לפי בקשתכם.\n\nעודכן: {{fields}}\n\n{{left}}\n\n{{remark}}\n\n{{seeIt}}',
      brief: 'הפרטים של {{personName}} עודכנו לפי בקשתכם: {{fields}}. {{left}} {{remark}}',
    },
    'details.declined': {
      subject: 'הפרטים לא שונו: {{personName}}',
      mail: 'הפרטים של {{personName}} לא שונו ({{fields}}).\n\n{{remark}}\n\nלכל שאלה אנחנו לרשותכם.\n\n{{seeIt}}',
      brief: 'הפרטים של {{personName}} לא שונו ({{fields}}). {{remark}}',
    },
    'lead.created': {
      subject: 'פנייה חדשה',
      mail: 'התקבלה פנייה חדשה שממתינה למענה. היא מופיעה ברשימת הפניות:\n\n{{link}}',
      brief: 'התקבלה פנייה חדשה שממתינה למענה.',
    },
    'leads.summary': {
      subject: 'פניות נוספות: {{count}}',
      mail: 'בשעה האחרונה התקבלו פניות נוספות שממתינות למענה.\n\nמספר הפניות החדשות: {{count}}\n\nהן מופיעות ברשימת הפניות:\n\n{{link}}',
      brief: 'בשעה האחרונה התקבלו פניות נוספות. מספר הפניות החדשות: {{count}}.',
    },
    'subscription.expiring': {
      subject: 'המינוי עומד להסתיים: {{date}}',
      mail: 'המינוי של {{institute}} (תוכנית {{plan}}) עומד להסתיים.\n\nמועד הסיום: {{date}}\nימים שנותרו: {{days}}\n\nנא לחדש אותו מבעוד מועד.',
      brief: 'המינוי עומד להסתיים: {{date}}. ימים שנותרו: {{days}}.',
    },
    'tenant.locked': {
      subject: 'הגישה אל {{institute}} נחסמה',
      mail: 'הגישה אל {{institute}} נחסמה.\n\nסיבה: {{reason}}\n\nנא לפנות לספק השירות.',
      brief: 'הגישה אל {{institute}} נחסמה. סיבה: {{reason}}',
    },
    'webhook_endpoint.disabled': {
      subject: 'ה־Webhook כובה',
      mail: 'יותר מדי משלוחים ברצף אל {{host}} נכשלו, ולכן לא יישלח לשם דבר.\n\nכשהכתובת תענה שוב, אפשר להפעיל את ה־Webhook ברשימת ה־Webhooks.',
      brief: 'יותר מדי משלוחים ברצף אל {{host}} נכשלו, ולכן לא יישלח לשם דבר.',
    },
    'account.unlinked': {
      subject: 'החשבון שלכם אינו מקושר עוד אל {{personName}}',
      mail: 'החשבון שלכם אצל {{institute}} אינו מקושר עוד לרשומה של {{personName}}, ולכן המידע שבה לא יוצג לכם.\n\nאם זו טעות, נא לעדכן אותנו.',
      brief: 'החשבון שלכם אינו מקושר עוד לרשומה של {{personName}}. אם זו טעות, נא לעדכן אותנו.',
    },
    'online_payment.attention': {
      subject: 'תשלום בכרטיס של {{invoiceNumber}}: יש מה לבדוק',
      mail: '{{amount}} עבור דרישת תשלום {{invoiceNumber}}. {{problem}}',
      brief: '{{amount}} עבור דרישת תשלום {{invoiceNumber}}. {{problem}}',
    },
    'mails.stuck': {
      subject: 'הודעות הדוא״ל לא נשלחות',
      mail: 'שרת הדוא״ל אינו מקבל את ההודעות שלנו. ממתינות או לא נשלחו: {{count}}, הישנה שבהן מיום {{date}}.\n\nמה קרה: {{reason}}\n\nהשרת מנסה לשלוח שוב במשך יומיים. כדאי לבדוק את ״דוא״ל״ בהגדרות; כשהשליחה תפעל, אפשר לשלוח משם את כולן שוב.',
      brief:
        'שרת הדוא״ל אינו מקבל את ההודעות שלנו. ממתינות או לא נשלחו: {{count}}, הישנה שבהן מיום {{date}}. מה קרה: {{reason}} כדאי לבדוק את ״דוא״ל״ בהגדרות; כשהשליחה תפעל, אפשר לשלוח משם את כולן שוב.',
    },
    'update.available': {
      subject: 'יש גרסה חדשה',
      mail: 'אפשר להתקין את גרסה {{version}} של התוכנה. מה חדש בה – בדף ״עדכונים״ בהגדרות.',
      brief: 'אפשר להתקין את גרסה {{version}} של התוכנה. מה חדש בה – בדף ״עדכונים״ בהגדרות.',
    },
    'update.installed': {
      subject: 'הותקנה גרסה חדשה',
      mail: 'גרסה {{version}} של התוכנה הותקנה ופועלת. מה חדש בה – בדף ״עדכונים״ בהגדרות.',
      brief: 'גרסה {{version}} של התוכנה הותקנה ופועלת. מה חדש בה – בדף ״עדכונים״ בהגדרות.',
    },
    'update.failed': {
      subject: 'הגרסה החדשה לא הותקנה',
      mail: 'גרסה {{version}} של התוכנה לא הותקנה. הגרסה הקודמת ממשיכה לפעול, והנתונים נשארו כפי שהיו. מה קרה – בדף ״עדכונים״ בהגדרות.',
      brief:
        'גרסה {{version}} של התוכנה לא הותקנה. הגרסה הקודמת ממשיכה לפעול, והנתונים נשארו כפי שהיו. מה קרה – בדף ״עדכונים״ בהגדרות.',
    },
    'https.failed': {
      subject: 'האישור המאובטח לא חודש',
      mail: 'לא מתקבל אישור חדש לכתובת {{name}}. כשהאישור הנוכחי יפוג, הדפדפנים יזהירו מפני הכתובת. הסיבה – בדף ״מחשבים וטלפונים אחרים״ בהגדרות.',
      brief:
        'לא מתקבל אישור חדש לכתובת {{name}}. כשהאישור הנוכחי יפוג, הדפדפנים יזהירו מפני הכתובת. הסיבה – בדף ״מחשבים וטלפונים אחרים״ בהגדרות.',
    },
  },
}
