import { isolate } from '../../../shared/isolate.ts'
import type { Words } from '../words.ts'

export const card: Words['card'] = {
  title: 'תשלום בכרטיס אשראי',
  about: 'משפחות משלמות דרישות תשלום בכרטיס בדף של חברת סליקה. צריך חשבון אצל החברה, והכסף מגיע אליו.',
  untried:
    'החיבור נבנה לפי המסמכים הפומביים של החברה, ולא נוסה מול השירות האמיתי. לפני שמודיעים למשפחות, שלמו בעצמכם דרישת תשלום אחת בסכום קטן, ובדקו שהיא מסומנת כאן כשולמה ושהכסף הגיע לבנק.',
  on: 'פועל',
  off: 'כבוי',
  switchOn: 'הפעלה',
  forget: 'הסרה',
  forgetTitle: (company) => `להסיר את ${isolate(company)}?`,
  forgetText:
    'המפתחות שלה נמחקים מכאן, ואי אפשר לשלם דרכה. תשלומים שהגיעו דרכה נשמרים. כדי להגדיר אותה שוב יש להקליד את המפתחות מחדש.',
  forgotten: (company) => `${isolate(company)} הוסרה.`,
  switchOff: 'כיבוי',
  switchOnAnyway: 'הפעלה בכל זאת',
  switchedOn: 'משפחות יכולות לשלם בכרטיס.',
  switchedOff: 'משפחות אינן יכולות עוד לשלם בכרטיס.',
  names: { stripe: isolate('Stripe'), payplus: isolate('PayPlus') },
  setUpOf: (name) => `הגדרת ${isolate(name)}`,
  changeOf: (name) => `החלפת המפתחות של ${isolate(name)}`,
  keep: 'שמירה',
  kept: 'המפתחות נשמרו. כדאי לנסות אותם עכשיו.',
  try: 'ניסיון',
  works: 'החברה מכירה את החשבון. לא בוצע תשלום.',
  worksNot: (why) => `החברה אינה מקבלת את החשבון: ${isolate(why)}`,
  noticeUrl: 'כתובת להודעות',
  noticeProblems: {
    not_public:
      'כתובת השרת מובילה רק למחשב הזה או לרשת שלו, ולכן הודעות החברה אינן יכולות להגיע: תשלום יופיע כאן רק כשהשרת ישאל, אחרי כמה דקות. כדאי לתת לשרת כתובת שנגישה מהאינטרנט, עם https.',
    not_https:
      'כתובת השרת אינה מתחילה ב־https, והחברה אינה שולחת לשם הודעות: תשלום יופיע כאן רק כשהשרת ישאל, אחרי כמה דקות. כדאי להגדיר https קודם.',
  },
  toAddress: 'כתובת השרת',
  noticeHint: {
    stripe: `יש להוסיף אותה בלוח הבקרה של ${isolate('Stripe')} כ-${isolate('webhook endpoint')}, עם האירועים ${isolate('checkout.session.*')}, ${isolate('charge.refunded')} ו-${isolate('charge.dispute.created.')}`,
    payplus: `הכתובת נמסרת ל-${isolate('PayPlus')} עם כל דף; אין צורך לעשות דבר.`,
  },
  fields: {
    secretKey: `מפתח סודי (${isolate('Secret key')})`,
    webhookSecret: `סוד החתימה של ה-${isolate('webhook')} ‏(${isolate('whsec_…')})`,
    apiKey: `מפתח ${isolate('API')}`,
    paymentPageUid: `מזהה דף התשלום (${isolate('UID')})`,
    terminalUid: `מזהה המסוף (${isolate('UID')})`,
  },
  missing: 'שדה חובה.',
  isTest: `מערכת הניסיון של ${isolate('PayPlus')}: בלי כסף אמיתי`,
  keptSecret: 'אפשר להשאיר ריק כדי לא לשנות.',
  pay: (number) => `תשלום ${isolate(number)} בכרטיס`,
  link: 'קישור לתשלום בכרטיס',
  linkHint: 'שלחו אותו למי שמשלם. הוא פועל כל עוד יש יתרה לתשלום.',
  whatsapp: (number, amount, url) => `דרישת תשלום ${number}, ${amount}: ${url}`,
  send: 'שליחה בוואטסאפ',
  online: 'תשלומים בכרטיס',
  states: {
    opening: 'נפתח',
    open: 'דף התשלום נפתח',
    pending: 'ממתין לבנק',
    paid: 'שולם',
    failed: 'נכשל',
    expired: 'לא שולם',
  },
  problems: {
    other_amount: 'שולם סכום אחר מהמבוקש. הוא נרשם כפי ששולם.',
    other_currency: 'שולם במטבע אחר. דבר לא נרשם: יש לרשום ידנית.',
    became_credit: 'דרישת התשלום שולמה או בוטלה בינתיים. היתרה היא זכות של המשלם.',
    not_booked: 'שולם, ולא היה אפשר לרשום: יש לרשום ידנית.',
    refunded: 'הכסף הוחזר אצל חברת הסליקה: יש לבטל את התשלום גם כאן.',
    disputed: 'המשלם הכחיש את העסקה בבנק: ראו בדף של חברת הסליקה.',
  },
  seen: 'טופל',
}
