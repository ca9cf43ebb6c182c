import { isolate } from '../../../src/shared/isolate.ts'
import { first } from '../../../src/console/words/ar/first.ts'
import { password } from './password.ts'

/** What the pages behind mail links say. */
export const links = {
  page: {
    tokenMissing: 'عنوان هذه الصفحة غير مكتمل. يُرجى فتح الرابط الوارد في الرسالة مرة أخرى، أو نسخه كاملًا.',
    about: (email: string) => `للحساب ${isolate(email)}.`,
    aboutAt: (email: string, institute: string) => `للحساب ${isolate(email)} في ${isolate(institute)}.`,
    newLink: 'طلب رابط جديد',
    goOn: 'متابعة',
    signIn: 'الانتقال إلى تسجيل الدخول',
  },
  invitation: {
    title: 'قبول الدعوة',
    lead: 'وصلتكم دعوة للانضمام إلى معهد على هذا الخادم.',
    leadFrom: (inviter: string, institute: string) =>
      `وصلتكم دعوة من ${isolate(inviter)} للانضمام إلى ${isolate(institute)}.`,
    known: 'لديكم حساب هنا بالفعل. يبقى اسمكم وكلمة مروركم كما هما.',
    existing:
      'هل لديكم حساب هنا؟ يمكنكم ترك الحقلين فارغين، فيبقى اسمكم وكلمة مروركم كما هما. وإن لزمت كلمة مرور جديدة فستطلبها منكم هذه الصفحة.',
    fullName: 'الاسم الكامل',
    fullNameMissing: 'ليس لديكم حساب هنا بعد. يُرجى إدخال الاسم الكامل.',
    fullNameWrong: 'يُكتب الاسم في سطر واحد لا يزيد على 200 حرف، ولا يكون عنوان صفحة.',
    password: 'اختيار كلمة مرور',
    passwordMissing: 'لم يُؤكَّد هذا العنوان هنا بعد، لذلك تلزم كلمة مرور جديدة. يُرجى اختيار كلمة مرور لا تقل عن 10 أحرف.',
    submit: 'قبول الدعوة',
    sending: 'لحظة من فضلكم…',
    doneTitle: 'أهلًا وسهلًا بكم',
    doneText: 'تم قبول الدعوة. من الآن فصاعدًا يمكنكم تسجيل الدخول ببريدكم الإلكتروني وكلمة مروركم.',
    invalidTitle: 'لم تعد هذه الدعوة صالحة',
    invalidText: 'سبق استخدامها أو انقضت أيامها السبعة. يُرجى أن تطلبوا من المعهد إرسال دعوة جديدة.',
  },
  reset: {
    title: 'اختيار كلمة مرور جديدة',
    lead: 'تسري كلمة المرور الجديدة فورًا، ويُسجَّل خروج حسابكم من كل جهاز ما زال مفتوحًا عليه.',
    password: 'كلمة المرور الجديدة',
    submit: 'حفظ كلمة المرور الجديدة',
    sending: 'جارٍ الحفظ…',
    doneTitle: 'تم حفظ كلمة المرور الجديدة',
    doneText: 'من الآن فصاعدًا يُرجى تسجيل الدخول بكلمة المرور الجديدة.',
    invalidTitle: 'لم يعد هذا الرابط صالحًا',
    invalidText: 'رابط كلمة المرور الجديدة صالح لساعة واحدة ولمرة واحدة. يُرجى طلب رابط جديد من صفحة تسجيل الدخول.',
  },
  verify: {
    title: 'تأكيد عنوان البريد الإلكتروني',
    lead: 'بهذا تؤكدون أن الرسالة وصلت إليكم.',
    submit: 'تأكيد عنواني',
    sending: 'جارٍ التأكيد…',
    doneTitle: 'شكرًا لكم، تم تأكيد العنوان',
    doneText: 'لا يلزم فعل أي شيء آخر.',
    invalidTitle: 'لم يعد هذا الرابط صالحًا',
    invalidText:
      'رابط التأكيد صالح لمدة 24 ساعة ولمرة واحدة. إن لم يكن عنوانكم مؤكَّدًا بعد، فيُرجى طلب رابط جديد من صفحة تسجيل الدخول.',
  },
}

/** All that these pages say. */
export const words = { ...first, links, password }
