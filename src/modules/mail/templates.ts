import * as v from 'valibot'
import type { Locale } from '#kernel/actor.ts'
import type { Mail } from '#ports/mail/port.ts'

/** The mail's kind, and the values that it shows. */
export const MailTemplate = v.variant('template', [
  v.object({ template: v.literal('reset-password') }),
  v.object({ template: v.literal('verify-email') }),
  v.object({
    template: v.literal('invitation'),
    values: v.object({ institute: v.string(), inviter: v.optional(v.string()) }),
  }),
])
export type MailTemplate = v.InferOutput<typeof MailTemplate>

/**
 * Breaks up whatever mail programs would turn into a link (evil.example, a@b.c, tel:1): the only link of a mail is
 * ours.
 */
export const unlinked = (value: string): string =>
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

/** null: the mail names no institute. */
type Institute = string | null

const RESET: Record<Locale, (institute: Institute) => Words> = {
  ar: (institute) => ({
    subject: 'اختيار كلمة مرور جديدة',
    lead: `وصلنا طلب لاختيار كلمة مرور جديدة لحسابكم${institute === null ? '' : ` في ${institute}`}.`,
    action: 'اختيار كلمة مرور جديدة',
    note: 'يسري الرابط لمدة ساعة واحدة ولمرة واحدة فقط. إن لم تطلبوا ذلك فلا يلزم فعل شيء، وتبقى كلمة مروركم كما هي.',
  }),
  he: (institute) => ({
    subject: 'בחירת סיסמה חדשה',
    lead: `קיבלנו בקשה לבחור סיסמה חדשה לחשבון שלכם${institute === null ? '' : ` ב־${institute}`}.`,
    action: 'בחירת סיסמה חדשה',
    note: 'הקישור תקף לשעה אחת ולשימוש יחיד. אם לא ביקשתם זאת, אין צורך לעשות דבר והסיסמה שלכם נשארת כפי שהיא.',
  }),
  en: (institute) => ({
    subject: 'Choose a new password',
    lead: `Somebody asked for a new password for your account${institute === null ? '' : ` at ${institute}`}.`,
    action: 'Choose a new password',
    note: 'The link works once, within one hour. If it was not you, there is nothing to do: your password stays as it is.',
  }),
}

const VERIFY: Record<Locale, (institute: Institute) => Words> = {
  ar: (institute) => ({
    subject: 'تأكيد عنوان البريد الإلكتروني',
    lead: `${institute === null ? '' : `أُدخل هذا العنوان لحساب في ${institute}. `}يُرجى تأكيد أن هذا العنوان لكم.`,
    action: 'تأكيد العنوان',
    note: 'يسري الرابط لمدة 24 ساعة ولمرة واحدة فقط. إن لم تنشئوا بأنفسكم حسابًا هنا فلا تؤكدوا العنوان: فقد أدخله شخص آخر.',
  }),
  he: (institute) => ({
    subject: 'אימות כתובת הדוא״ל',
    lead: `${institute === null ? '' : `הכתובת הזו הוזנה לחשבון ב־${institute}. `}נא לאשר שהכתובת שלכם.`,
    action: 'אימות הכתובת',
    note: 'הקישור תקף ל־24 שעות ולשימוש יחיד. אם לא פתחתם כאן חשבון בעצמכם, אל תאמתו את הכתובת: מישהו אחר הזין אותה.',
  }),
  en: (institute) => ({
    subject: 'Confirm your email address',
    lead: `${institute === null ? '' : `This address was given for an account at ${institute}. `}Please confirm that it is yours.`,
    action: 'Confirm the address',
    note: 'The link works once, within 24 hours. If you did not make an account here yourself, do not confirm: somebody else entered your address.',
  }),
}

const INVITATION: Record<Locale, (institute: string, inviter: string | undefined) => Words> = {
  ar: (institute, inviter) => ({
    subject: `دعوة للانضمام إلى ${institute}`,
    lead: `وصلتكم دعوة${inviter === undefined ? '' : ` من ${inviter}`} للانضمام إلى ${institute}.`,
    action: 'قبول الدعوة',
    note: 'تسري الدعوة لمدة 7 أيام ولمرة واحدة فقط. إن لم تكونوا تنتظرونها فيمكن تجاهل هذه الرسالة.',
  }),
  he: (institute, inviter) => ({
    subject: `הזמנה להצטרף אל ${institute}`,
    lead: `קיבלתם הזמנה${inviter === undefined ? '' : ` מאת ${inviter}`} להצטרף אל ${institute}.`,
    action: 'קבלת ההזמנה',
    note: 'ההזמנה תקפה ל־7 ימים ולשימוש יחיד. אם לא ציפיתם לה, אפשר להתעלם מההודעה.',
  }),
  en: (institute, inviter) => ({
    subject: `Invitation to ${institute}`,
    lead:
      inviter === undefined ? `You are invited to join ${institute}.` : `${inviter} invites you to join ${institute}.`,
    action: 'Accept the invitation',
    note: 'The invitation works once, within 7 days. If you did not expect it, you can ignore this mail.',
  }),
}

/** Makes a name that somebody typed safe for the text of a mail. */
const named = (value: string): string => isolated(unlinked(value))

const wordsOf = (mail: MailTemplate, locale: Locale, institute: Institute): Words => {
  if (mail.template === 'invitation') {
    const { inviter } = mail.values
    return INVITATION[locale](named(mail.values.institute), inviter === undefined ? undefined : named(inviter))
  }
  return (mail.template === 'reset-password' ? RESET : VERIFY)[locale](institute === null ? null : named(institute))
}

const TEST: Record<Locale, (institute: Institute) => { subject: string; lead: string; note: string }> = {
  ar: (institute) => ({
    subject: 'رسالة تجريبية',
    lead: `وصلت هذه الرسالة، فالبريد الإلكتروني${institute === null ? '' : ` في ${institute}`} يعمل.`,
    note: 'أُرسلت للتجربة فقط، ولا يلزم فعل شيء.',
  }),
  he: (institute) => ({
    subject: 'הודעת בדיקה',
    lead: `ההודעה הזו הגיעה, כלומר הדוא״ל${institute === null ? '' : ` של ${institute}`} פועל.`,
    note: 'היא נשלחה לשם בדיקה בלבד. אין צורך לעשות דבר.',
  }),
  en: (institute) => ({
    subject: 'Test mail',
    lead: `This mail has arrived, so mail${institute === null ? '' : ` of ${institute}`} works.`,
    note: 'It was sent as a test only. There is nothing to do.',
  }),
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string)

const page = (title: string, locale: Locale, parts: readonly string[]): string => {
  const direction = `lang="${locale}" dir="${locale === 'en' ? 'ltr' : 'rtl'}"`
  return `<!doctype html>
<html ${direction}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)}</title>
  </head>
  <body style="margin:0;padding:24px;color:#1b1b1b;background:#ffffff">
    <div ${direction} style="max-width:560px;margin:0 auto;font:16px/1.6 sans-serif">
      ${parts.join('\n      ')}
    </div>
  </body>
</html>
`
}

const paragraph = (text: string, style = ''): string => `<p${style && ` style="${style}"`}>${escaped(text)}</p>`
const NOTE = 'font-size:14px;color:#555555'

const htmlOf = ({ subject, lead, action, note }: Words, locale: Locale, link: string): string => {
  const address = escaped(link)
  return page(subject, locale, [
    paragraph(lead),
    `<p><a href="${address}" style="display:inline-block;padding:10px 20px;border-radius:6px;color:#ffffff;background:#1f5fbf;text-decoration:none">${escaped(action)}</a></p>`,
    `<p dir="ltr" style="font-size:13px;word-break:break-all"><a href="${address}">${address}</a></p>`,
    paragraph(note, NOTE),
  ])
}

/** The link to the template's page with the token, such as {base}/reset-password?token=… */
export const linkOf = (base: string, { template }: MailTemplate, token: string): string =>
  `${base}/${template}?token=${encodeURIComponent(token)}`

/** A mail without its recipient. */
type Written = Required<Pick<Mail, 'subject' | 'text' | 'html' | 'senderName'>>

/**
 * Writes the mail in the reader's language, as text and as HTML, with the institute as its sender's name.
 * @param institute for mails about an account; an invitation names its own
 */
export const writeMail = (mail: MailTemplate, locale: Locale, link: string, institute: Institute): Written => {
  const words = wordsOf(mail, locale, institute)
  return {
    subject: words.subject,
    text: `${words.lead}\n\n${words.action}:\n${link}\n\n${words.note}\n`,
    html: htmlOf(words, locale, link),
    senderName: mail.template === 'invitation' ? mail.values.institute : (institute ?? undefined),
  }
}

/** Writes a mail that tests whether mails arrive. */
export const writeTestMail = (locale: Locale, institute: Institute): Written => {
  const { subject, lead, note } = TEST[locale](institute === null ? null : named(institute))
  return {
    subject,
    text: `${lead}\n\n${note}\n`,
    html: page(subject, locale, [paragraph(lead), paragraph(note, NOTE)]),
    senderName: institute ?? undefined,
  }
}

const WEB_ADDRESS = /^https?:\/\/\S+$/

/** Each block of a plain text becomes a paragraph; an address that is a block of its own becomes a link. */
const blockOf = (block: string): string => {
  if (!WEB_ADDRESS.test(block)) return `<p>${escaped(block).replaceAll('\n', '<br>')}</p>`
  const address = escaped(block)
  return `<p dir="ltr" style="word-break:break-all"><a href="${address}">${address}</a></p>`
}

/** The last line of a mail: a link in words. */
export interface LastLine {
  line: string
  /** The link's own words, where there is HTML. */
  action: string
  link: string
}

const lastLineOf = ({ line, action, link }: LastLine): string =>
  `<p style="${NOTE}">${escaped(line)} <a href="${escaped(link)}" style="color:#1f5fbf">${escaped(action)}</a></p>`

/** A mail from a plain text that is already in the reader's language. */
interface Notice {
  /** One line. */
  subject: string
  text: string
  lastLine?: LastLine | undefined
}

/** @param institute the sender's name */
export const writeNotice = ({ subject, text, lastLine }: Notice, locale: Locale, institute: string): Written => ({
  subject,
  text: lastLine ? `${text}\n\n${lastLine.line}\n${lastLine.link}\n` : `${text}\n`,
  html: page(subject, locale, [...text.split(/\n{2,}/).map(blockOf), ...(lastLine ? [lastLineOf(lastLine)] : [])]),
  senderName: institute,
})
