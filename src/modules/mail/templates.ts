import * as v from 'valibot'
import type { Locale } from '#kernel/actor.ts'

/** The mail's kind, and the values that it shows. */
export const MailTemplate = v.variant('template', [
  v.object({ template: v.literal('reset-password') }),
  v.object({ template: v.literal('verify-email') }),
  v.object({ template: v.literal('invitation'), values: v.object({ institute: v.string() }) }),
])
export type MailTemplate = v.InferOutput<typeof MailTemplate>

/**
 * Breaks up whatever mail programs would turn into a link (evil.example, a@b.c, tel:1): the only link of a mail is
 * ours.
 */
const unlinked = (value: string): string =>
  value.replaceAll(/(?<=\S)[.:@/\u3002\uff0e\uff61](?=\S)/gu, '\u2060$&\u2060')

/**
 * Wraps a value in Unicode isolates, so that a name in the other writing direction does not reorder the text around it.
 */
const isolated = (value: string): string => `\u2068${value}\u2069`

interface Words {
  subject: string
  /** Why the mail came. */
  lead: string
  /** The caption of the link: what it does. */
  action: string
  /** How long the link is valid, and what to do when the mail is unexpected. */
  note: string
}

const RESET: Record<Locale, Words> = {
  ar: {
    subject: 'اختيار كلمة مرور جديدة',
    lead: 'وصلنا طلب لاختيار كلمة مرور جديدة لحسابكم.',
    action: 'اختيار كلمة مرور جديدة',
    note: 'يسري الرابط لمدة ساعة واحدة ولمرة واحدة فقط. إن لم تطلبوا ذلك فلا يلزم فعل شيء، وتبقى كلمة مروركم كما هي.',
  },
  he: {
    subject: 'בחירת סיסמה חדשה',
    lead: 'קיבלנו בקשה לבחור סיסמה חדשה לחשבון שלכם.',
    action: 'בחירת סיסמה חדשה',
    note: 'הקישור תקף לשעה אחת ולשימוש יחיד. אם לא ביקשתם זאת, אין צורך לעשות דבר והסיסמה שלכם נשארת כפי שהיא.',
  },
  en: {
    subject: 'Choose a new password',
    lead: 'Somebody asked for a new password for your account.',
    action: 'Choose a new password',
    note: 'The link works once, within one hour. If it was not you, there is nothing to do: your password stays as it is.',
  },
}

const VERIFY: Record<Locale, Words> = {
  ar: {
    subject: 'تأكيد عنوان البريد الإلكتروني',
    lead: 'يُرجى تأكيد أن هذا العنوان لكم.',
    action: 'تأكيد العنوان',
    note: 'يسري الرابط لمدة 24 ساعة ولمرة واحدة فقط. إن لم تنشئوا بأنفسكم حسابًا هنا فلا تؤكدوا العنوان: فقد أدخله شخص آخر.',
  },
  he: {
    subject: 'אימות כתובת הדוא״ל',
    lead: 'נא לאשר שהכתובת הזו שלכם.',
    action: 'אימות הכתובת',
    note: 'הקישור תקף ל־24 שעות ולשימוש יחיד. אם לא פתחתם כאן חשבון בעצמכם, אל תאמתו את הכתובת: מישהו אחר הזין אותה.',
  },
  en: {
    subject: 'Confirm your email address',
    lead: 'Please confirm that this address is yours.',
    action: 'Confirm the address',
    note: 'The link works once, within 24 hours. If you did not make an account here yourself, do not confirm: somebody else entered your address.',
  },
}

const INVITATION: Record<Locale, (institute: string) => Words> = {
  ar: (institute) => ({
    subject: `دعوة للانضمام إلى ${institute}`,
    lead: `وصلتكم دعوة للانضمام إلى ${institute}.`,
    action: 'قبول الدعوة',
    note: 'تسري الدعوة لمدة 7 أيام ولمرة واحدة فقط. إن لم تكونوا تنتظرونها فيمكن تجاهل هذه الرسالة.',
  }),
  he: (institute) => ({
    subject: `הזמנה להצטרף אל ${institute}`,
    lead: `קיבלתם הזמנה להצטרף אל ${institute}.`,
    action: 'קבלת ההזמנה',
    note: 'ההזמנה תקפה ל־7 ימים ולשימוש יחיד. אם לא ציפיתם לה, אפשר להתעלם מההודעה.',
  }),
  en: (institute) => ({
    subject: `Invitation to ${institute}`,
    lead: `You are invited to join ${institute}.`,
    action: 'Accept the invitation',
    note: 'The invitation works once, within 7 days. If you did not expect it, you can ignore this mail.',
  }),
}

const wordsOf = (mail: MailTemplate, locale: Locale): Words => {
  if (mail.template === 'invitation') return INVITATION[locale](isolated(unlinked(mail.values.institute)))
  return mail.template === 'reset-password' ? RESET[locale] : VERIFY[locale]
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string)

const htmlOf = ({ subject, lead, action, note }: Words, locale: Locale, link: string): string => {
  const address = escaped(link)
  return `<!doctype html>
<html lang="${locale}" dir="${locale === 'en' ? 'ltr' : 'rtl'}">
  <head>
    <meta charset="utf-8">
    <title>${escaped(subject)}</title>
  </head>
  <body style="margin:0;padding:24px;font:16px/1.6 sans-serif;color:#1b1b1b;background:#ffffff">
    <p>${escaped(lead)}</p>
    <p><a href="${address}" style="display:inline-block;padding:10px 20px;border-radius:6px;color:#ffffff;background:#1f5fbf;text-decoration:none">${escaped(action)}</a></p>
    <p dir="ltr" style="font-size:13px;word-break:break-all"><a href="${address}">${address}</a></p>
    <p style="font-size:14px;color:#555555">${escaped(note)}</p>
  </body>
</html>
`
}

/** The link to the template's page with the token, such as {base}/reset-password?token=… */
export const linkOf = (base: string, { template }: MailTemplate, token: string): string =>
  `${base}/${template}?token=${encodeURIComponent(token)}`

/** Writes the mail in the reader's language, as text and as HTML. */
export const writeMail = (
  mail: MailTemplate,
  locale: Locale,
  link: string,
): { subject: string; text: string; html: string } => {
  const words = wordsOf(mail, locale)
  return {
    subject: words.subject,
    text: `${words.lead}\n\n${words.action}:\n${link}\n\n${words.note}\n`,
    html: htmlOf(words, locale, link),
  }
}
