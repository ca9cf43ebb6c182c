// The phone numbers have hyphens at which no line breaks.

import type { Locale } from '../shared/locale.ts'

const en = {
  title: 'Registration',
  student: 'Student',
  guardian: 'Parent or guardian',
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  email: 'Email',
  course: 'Course',
  undecided: 'Not decided yet',
  message: 'Message',
  optional: 'optional',
  send: 'Send registration',
  sending: 'Sending…',
  thanks: 'Thank you',
  received: 'The registration of {name} has arrived. The institute will be in touch.',
  fix: 'Please check the marked fields.',
  required: 'Please fill in this field.',
  badPhone: 'Please enter a full phone number, such as 050\u2011123\u20114567.',
  badEmail: 'Please enter an email address, such as name@example.com.',
  badField: 'Please check this field.',
  captcha: 'Please complete the security check.',
  captchaAgain: 'The security check did not succeed. Please complete it again.',
  captchaMissing: 'The security check could not be loaded. Please reload the page and try again.',
  network:
    'There is no connection. What you have filled in is still here: please check the connection and send it again.',
  origin: 'This form does not work on this website. Please contact the institute directly.',
  broken: 'This form does not work in this browser. Please update the browser, or contact the institute directly.',
  closed: 'The institute takes no registrations at present.',
  notOffered: 'This course takes no registrations at present.',
  limit: 'Too many registrations have come in. Please try again {when}.',
  server: 'The registration could not be taken. Please try again in a few minutes.',
  inFront:
    'The institute’s server cannot be reached at present. What you have filled in is still here: please send it again in a few minutes.',
}

export type Texts = typeof en

const ar: Texts = {
  title: 'التسجيل',
  student: 'بيانات الطالب أو الطالبة',
  guardian: 'بيانات وليّ الأمر',
  firstName: 'الاسم الأول',
  lastName: 'اسم العائلة',
  phone: 'رقم الهاتف',
  email: 'البريد الإلكتروني',
  course: 'الدورة',
  undecided: 'لم يُحدَّد بعد',
  message: 'رسالة',
  optional: 'اختياري',
  send: 'إرسال طلب التسجيل',
  sending: 'جارٍ الإرسال…',
  thanks: 'شكرًا جزيلًا',
  received: 'وصلنا طلب تسجيل {name}. سيتواصل معكم المعهد قريبًا.',
  fix: 'يُرجى مراجعة الحقول المشار إليها.',
  required: 'يُرجى تعبئة هذا الحقل.',
  badPhone: 'يُرجى كتابة رقم هاتف كامل، مثل \u200e050\u2011123\u20114567.',
  badEmail: 'يُرجى كتابة بريد إلكتروني صحيح، مثل name@example.com.',
  badField: 'يُرجى مراجعة هذا الحقل.',
  captcha: 'يُرجى إتمام التحقق الأمني.',
  captchaAgain: 'لم ينجح التحقق الأمني. يُرجى إتمامه من جديد.',
  captchaMissing: 'تعذّر تحميل التحقق الأمني. يُرجى إعادة تحميل الصفحة والمحاولة من جديد.',
  network: 'لا يوجد اتصال بالإنترنت. ما كتبتموه ما زال محفوظًا هنا: يُرجى التحقق من الاتصال ثم الإرسال من جديد.',
  origin: 'لا يعمل هذا النموذج في هذا الموقع. يُرجى التواصل مع المعهد مباشرة.',
  broken: 'لا يعمل هذا النموذج في هذا المتصفح. يُرجى تحديث المتصفح أو التواصل مع المعهد مباشرة.',
  closed: 'المعهد لا يستقبل طلبات تسجيل في الوقت الحالي.',
  notOffered: 'التسجيل لهذه الدورة غير متاح في الوقت الحالي.',
  limit: 'وصلتنا طلبات كثيرة. يُرجى المحاولة من جديد {when}.',
  server: 'تعذّر استقبال الطلب. يُرجى المحاولة من جديد بعد بضع دقائق.',
  inFront: 'لا يمكن الوصول إلى خادم المعهد حاليًا. ما كتبتموه ما زال محفوظًا هنا: يُرجى الإرسال من جديد بعد بضع دقائق.',
}

const he: Texts = {
  title: 'הרשמה',
  student: 'פרטי הנרשם או הנרשמת',
  guardian: 'פרטי הורה או אפוטרופוס',
  firstName: 'שם פרטי',
  lastName: 'שם משפחה',
  phone: 'טלפון',
  email: 'דואר אלקטרוני',
  course: 'קורס',
  undecided: 'עדיין לא הוחלט',
  message: 'הודעה',
  optional: 'לא חובה',
  send: 'שליחת ההרשמה',
  sending: 'ההרשמה נשלחת…',
  thanks: 'תודה רבה',
  received: 'ההרשמה של {name} התקבלה. המכון ייצור איתכם קשר.',
  fix: 'נא לבדוק את השדות המסומנים.',
  required: 'נא למלא את השדה הזה.',
  badPhone: 'נא להזין מספר טלפון מלא, למשל \u200e050\u2011123\u20114567.',
  badEmail: 'נא להזין כתובת דואר אלקטרוני, למשל name@example.com.',
  badField: 'נא לבדוק את השדה הזה.',
  captcha: 'נא להשלים את בדיקת האבטחה.',
  captchaAgain: 'בדיקת האבטחה לא הצליחה. נא להשלים אותה שוב.',
  captchaMissing: 'לא ניתן היה לטעון את בדיקת האבטחה. נא לטעון את הדף מחדש ולנסות שוב.',
  network: 'אין חיבור לאינטרנט. מה שמילאתם עדיין כאן: נא לבדוק את החיבור ולשלוח שוב.',
  origin: 'הטופס אינו פועל באתר הזה. נא לפנות ישירות אל המכון.',
  broken: 'הטופס הזה לא פועל בדפדפן הזה. נא לעדכן את הדפדפן או לפנות ישירות למכון.',
  closed: 'המכון אינו מקבל הרשמות בשלב זה.',
  notOffered: 'ההרשמה לקורס הזה סגורה בשלב זה.',
  limit: 'התקבלו הרשמות רבות מדי. נא לנסות שוב {when}.',
  server: 'לא ניתן היה לקבל את ההרשמה. נא לנסות שוב בעוד כמה דקות.',
  inFront: 'לא ניתן להגיע כרגע אל שרת המכון. מה שמילאתם עדיין כאן: נא לשלוח שוב בעוד כמה דקות.',
}

export const TEXTS: Readonly<Record<Locale, Texts>> = { en, ar, he }

/** In so many seconds, as people say it: "in 3 minutes". Browsers write 1 and 2 behind the Hebrew words for them. */
export const whenOf = (seconds: number, locale: Locale): string => {
  const words = new Intl.RelativeTimeFormat(locale)
  const minutes = Math.ceil(seconds / 60)
  const when = minutes < 90 ? words.format(minutes, 'minute') : words.format(Math.ceil(minutes / 60), 'hour')
  return when.replace(/ \(\d\)$/, '')
}
