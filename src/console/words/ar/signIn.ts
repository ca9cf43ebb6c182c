import type { signIn as english } from '../en/signIn.ts'
import { isolate } from '../../../shared/isolate.ts'

export const signIn: typeof english = {
  title: 'تسجيل الدخول',
  email: 'البريد الإلكتروني',
  password: 'كلمة المرور',
  show: 'إظهار كلمة المرور',
  hide: 'إخفاء كلمة المرور',
  submit: 'تسجيل الدخول',
  busy: 'جارٍ تسجيل الدخول…',
  forgot: 'نسيتم كلمة المرور؟',
  emailMissing: 'اكتبوا عنوان البريد الإلكتروني.',
  passwordMissing: 'اكتبوا كلمة المرور.',
  wrong: 'عنوان البريد الإلكتروني أو كلمة المرور غير صحيح.',
  again: 'يُرجى تسجيل الدخول من جديد',
  againText: 'انتهت الجلسة. ما كنتم تعملون عليه ما زال هنا.',
  another: 'تسجيل الدخول بحساب آخر',
  unreachable: 'لا يمكن الوصول إلى الخادم',
  unreachableText: 'تحققوا من اتصال الجهاز. تتابع الصفحة من تلقاء نفسها عندما يجيب الخادم.',
  forgotTitle: 'نسيتم كلمة المرور؟',
  forgotText: 'اكتبوا عنوان بريدكم الإلكتروني. إن كان مرتبطًا بحساب فستصلكم خلال دقائق رسالة فيها رابط.',
  forgotSubmit: 'إرسال الرابط',
  forgotDone: 'تفقّدوا بريدكم',
  forgotDoneText: (email) =>
    `إن كان ${isolate(email)} مرتبطًا بحساب فالرابط في طريقه إليكم. يبقى الرابط صالحًا ساعة واحدة.`,
  toSignIn: 'العودة إلى تسجيل الدخول',
  which: 'أي معهد؟',
  whichText: 'أنتم أعضاء في أكثر من معهد. يمكن الانتقال إلى معهد آخر في أي وقت.',
  noInstitute: 'لا تنتمون إلى أي معهد بعد',
  noInstituteText: 'اطلبوا دعوة ممن يدير معهدكم.',
}
