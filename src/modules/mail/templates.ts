import * as v from 'valibot'
import { directionOf, type Locale } from '#shared/locale.ts'
import { escapeHtml } from '#kernel/basics/html.ts'
import { unlinked } from '#shared/text.ts'
import type { Mail } from '#ports/mail/port.ts'

/** The mail's kind, and the values that it shows. */
export const MailTemplate = v.variant('template', [
  v.object({ template: v.literal('reset-password') }),
  v.object({ template: v.literal('verify-email') }),
  v.object({
    template: v.literal('invitation'),
    values: v.object({ institute: v.string(), inviter: v.optional(v.string()) }),
  }),
  v.object({ template: v.literal('welcome'), values: v.object({ institute: v.string() }) }),
  v.object({ template: v.literal('new-owner'), values: v.object({ institute: v.string() }) }),
])
export type MailTemplate = v.InferOutput<typeof MailTemplate>
/** Mails with a link that takes a one-time token. */
export type LinkTemplate = Exclude<MailTemplate, { template: 'new-owner' }>

/**
 * Wraps a value in Unicode isolates, so that a name in the other writing direction does not reorder the text around it.
 */
const isolated = (value: string): string => `\u2068${value}\u2069`

interface Words {
  subject: string
  /** Why the mail came. */
  lead: string
  /** The caption of the link: what it does. Absent: the mail has none. */
  action?: string
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

const WELCOME: Record<Locale, (institute: string) => Words> = {
  ar: (institute) => ({
    subject: `مرحبًا بكم في ${institute}`,
    lead: `أنشأنا لكم ${institute}، وحسابكم هو حساب المالك. يُرجى اختيار كلمة مرور لتسجيل الدخول.`,
    action: 'اختيار كلمة مرور',
    note: 'يسري الرابط لمدة 7 أيام ولمرة واحدة فقط. بعد ذلك يمكن طلب رابط جديد لاختيار كلمة مرور من صفحة تسجيل الدخول. إن لم تكونوا تنتظرون هذه الرسالة فيمكن تجاهلها.',
  }),
  he: (institute) => ({
    subject: `ברוכים הבאים אל ${institute}`,
    lead: `פתחנו עבורכם את ${institute}, והחשבון שלכם הוא חשבון הבעלים. נא לבחור סיסמה כדי להתחבר.`,
    action: 'בחירת סיסמה',
    note: 'הקישור תקף ל־7 ימים ולשימוש יחיד. לאחר מכן אפשר לבקש קישור חדש לבחירת סיסמה בדף ההתחברות. אם לא ציפיתם להודעה הזו, אפשר להתעלם ממנה.',
  }),
  en: (institute) => ({
    subject: `Welcome to ${institute}`,
    lead: `We have set up ${institute} for you, and your account is that of its owner. Choose a password to sign in.`,
    action: 'Choose a password',
    note: 'The link works once, within 7 days. After that you can ask for another one where you sign in. If you did not expect this mail, you can ignore it.',
  }),
}

/** For somebody who has an account. It has no link: with a link that sets the password, others could take the account. */
const NEW_OWNER: Record<Locale, (institute: string) => Words> = {
  ar: (institute) => ({
    subject: `أنتم الآن مالكو ${institute}`,
    lead: `أنشأنا لكم ${institute}، وحسابكم هو حساب المالك. يمكن تسجيل الدخول بهذا العنوان وبكلمة مروركم الحالية.`,
    note: 'لا يلزم فعل شيء آخر. إن لم تكونوا تنتظرون هذه الرسالة فيمكن تجاهلها.',
  }),
  he: (institute) => ({
    subject: `אתם כעת הבעלים של ${institute}`,
    lead: `פתחנו עבורכם את ${institute}, והחשבון שלכם הוא חשבון הבעלים. אפשר להתחבר עם הכתובת הזו ועם הסיסמה שכבר יש לכם.`,
    note: 'אין צורך לעשות דבר נוסף. אם לא ציפיתם להודעה הזו, אפשר להתעלם ממנה.',
  }),
  en: (institute) => ({
    subject: `You are now the owner of ${institute}`,
    lead: `We have set up ${institute} for you, and your account is that of its owner. Sign in with this address and the password that you already have.`,
    note: 'There is nothing else to do. If you did not expect this mail, you can ignore it.',
  }),
}

/** Mails that somebody asked for, and can ask for again where they sign in. */
type AskedFor = Extract<MailTemplate, { template: 'reset-password' | 'verify-email' }>

export const isAskedFor = (mail: MailTemplate): mail is AskedFor =>
  mail.template === 'reset-password' || mail.template === 'verify-email'

/** In place of a link that expired before the mail server took the mail: a dead one helps nobody. */
const LATE: Record<AskedFor['template'], Record<Locale, (institute: Institute) => Words>> = {
  'reset-password': {
    ar: (institute) => ({
      subject: 'تأخر رابط اختيار كلمة المرور',
      lead: `وصلنا طلب لاختيار كلمة مرور جديدة لحسابكم${institute === null ? '' : ` في ${institute}`}، لكن الرسالة لم تخرج في وقتها وانتهت صلاحية الرابط.`,
      note: 'إن كنتم ما زلتم بحاجة إليه فاطلبوا رابطًا جديدًا من صفحة تسجيل الدخول. إن لم تطلبوا ذلك فلا يلزم فعل شيء، وتبقى كلمة مروركم كما هي.',
    }),
    he: (institute) => ({
      subject: 'הקישור לבחירת סיסמה התעכב',
      lead: `קיבלנו בקשה לבחור סיסמה חדשה לחשבון שלכם${institute === null ? '' : ` ב־${institute}`}, אבל ההודעה לא יצאה בזמן ותוקף הקישור פג.`,
      note: 'אם אתם עדיין צריכים אותו, בקשו קישור חדש בדף ההתחברות. אם לא ביקשתם זאת, אין צורך לעשות דבר והסיסמה שלכם נשארת כפי שהיא.',
    }),
    en: (institute) => ({
      subject: 'Your link for a new password came too late',
      lead: `Somebody asked for a new password for your account${institute === null ? '' : ` at ${institute}`}, but the mail could not go out in time and its link has expired.`,
      note: 'If you still need it, ask for a new link where you sign in. If it was not you, there is nothing to do: your password stays as it is.',
    }),
  },
  'verify-email': {
    ar: (institute) => ({
      subject: 'تأخر رابط تأكيد العنوان',
      lead: `${institute === null ? '' : `أُدخل هذا العنوان لحساب في ${institute}. `}لم تخرج الرسالة التي تحتوي على رابط التأكيد في وقتها وانتهت صلاحية الرابط.`,
      note: 'إن أنشأتم الحساب بأنفسكم فاطلبوا رابطًا جديدًا بعد تسجيل الدخول. وإلا فلا يلزم فعل شيء.',
    }),
    he: (institute) => ({
      subject: 'הקישור לאימות הכתובת התעכב',
      lead: `${institute === null ? '' : `הכתובת הזו הוזנה לחשבון ב־${institute}. `}ההודעה עם קישור האימות לא יצאה בזמן, ותוקף הקישור פג.`,
      note: 'אם פתחתם את החשבון בעצמכם, בקשו קישור חדש אחרי ההתחברות. אם לא, אין צורך לעשות דבר.',
    }),
    en: (institute) => ({
      subject: 'Your link to confirm the address came too late',
      lead: `${institute === null ? '' : `This address was given for an account at ${institute}. `}The mail with the link to confirm it could not go out in time, and the link has expired.`,
      note: 'If you made the account yourself, ask for a new link after you sign in. If not, there is nothing to do.',
    }),
  },
}

/** Makes a name that somebody typed safe for the text of a mail. */
const named = (value: string): string => isolated(unlinked(value))

const wordsOf = (mail: MailTemplate, locale: Locale, institute: Institute): Words => {
  if (mail.template === 'invitation') {
    const { inviter } = mail.values
    return INVITATION[locale](named(mail.values.institute), inviter === undefined ? undefined : named(inviter))
  }
  if (mail.template === 'welcome') return WELCOME[locale](named(mail.values.institute))
  if (mail.template === 'new-owner') return NEW_OWNER[locale](named(mail.values.institute))
  return (mail.template === 'reset-password' ? RESET : VERIFY)[locale](institute === null ? null : named(institute))
}

const TEST: Record<Locale, (institute: Institute) => Words> = {
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

/** The side on which text begins. Some mail programs need it said explicitly. */
const startOf = (locale: Locale): 'left' | 'right' => (directionOf(locale) === 'ltr' ? 'left' : 'right')

/**
 * Everything that matters stands in attributes and inline styles of a table, because mail programs take away <html>,
 * <head> and <body>, and Outlook knows width, padding and fonts of tables only. Programs that read the style sheet have
 * dark colours.
 */
const page = (title: string, locale: Locale, parts: readonly string[]): string => {
  const direction = `lang="${locale}" dir="${directionOf(locale)}"`
  const start = startOf(locale)
  return `<!doctype html>
<html ${direction}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)}</title>
    <style>
      :root { color-scheme: light dark }
      @media (prefers-color-scheme: dark) {
        body, .mail { background: #1b1b1b !important }
        .mail p { color: #ececec !important }
        .mail p a { color: #9cc2ff !important }
      }
    </style>
  </head>
  <body style="margin:0;padding:0;background:#ffffff">
    <table class="mail" role="presentation" ${direction} width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed;max-width:608px;margin:0 auto;background:#ffffff">
      <tr>
        <td align="${start}" style="padding:24px;color:#1b1b1b;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.6;text-align:${start};word-wrap:break-word;overflow-wrap:break-word">
          ${parts.join('\n          ')}
        </td>
      </tr>
    </table>
  </body>
</html>
`
}

const SPACE = 'margin:0 0 16px'
const NOTE = `${SPACE};font-size:14px;color:#555555`
const paragraph = (text: string, style = SPACE): string => `<p style="${style}">${escapeHtml(text)}</p>`

/** An address is written from left to right, and begins where the text around it does. */
const linkBlock = (link: string, locale: Locale): string => {
  const address = escapeHtml(link)
  return `<p dir="ltr" style="${SPACE};font-size:14px;text-align:${startOf(locale)};word-break:break-all"><a href="${address}" style="color:#1a56ad">${address}</a></p>`
}

/** Outlook knows no padding of links: its own property gives the cell around it the same. */
const button = (link: string, caption: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${SPACE}"><tr><td bgcolor="#1f5fbf" style="border-radius:6px;background:#1f5fbf;mso-padding-alt:10px 20px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:10px 20px;color:#ffffff;text-decoration:none">${escapeHtml(caption)}</a></td></tr></table>`

/** The link to the template's page with the token, such as {base}/reset-password?token=… */
export const linkOf = (base: string, { template }: Pick<LinkTemplate, 'template'>, token: string): string =>
  `${base}/${template === 'welcome' ? 'reset-password' : template}?token=${encodeURIComponent(token)}`

/** A mail without its recipient. */
export type Written = Required<Pick<Mail, 'subject' | 'text' | 'html' | 'senderName'>>

const written = ({ subject, lead, action, note }: Words, locale: Locale, link: string | undefined) =>
  action === undefined || link === undefined
    ? {
        subject,
        text: `${lead}\n\n${note}\n`,
        html: page(subject, locale, [paragraph(lead), paragraph(note, NOTE)]),
      }
    : {
        subject,
        text: `${lead}\n\n${action}:\n${link}\n\n${note}\n`,
        html: page(subject, locale, [
          paragraph(lead),
          button(link, action),
          linkBlock(link, locale),
          paragraph(note, NOTE),
        ]),
      }

/**
 * Writes the mail in the reader's language, as text and as HTML, with the institute as its sender's name.
 * @param link undefined for a mail without one
 * @param institute for mails about an account; others name their own
 */
export const writeMail = (
  mail: MailTemplate,
  locale: Locale,
  link: string | undefined,
  institute: Institute,
): Written => ({
  ...written(wordsOf(mail, locale, institute), locale, link),
  senderName: 'values' in mail ? mail.values.institute : (institute ?? undefined),
})

/** Writes a mail that says that a link came too late, and how to get another one. */
export const writeLateMail = ({ template }: AskedFor, locale: Locale, institute: Institute): Written => ({
  ...written(LATE[template][locale](institute === null ? null : named(institute)), locale, undefined),
  senderName: institute ?? undefined,
})

/** Writes a mail that tests whether mails arrive. */
export const writeTestMail = (locale: Locale, institute: Institute): Written => ({
  ...written(TEST[locale](institute === null ? null : named(institute)), locale, undefined),
  senderName: institute ?? undefined,
})

const WEB_ADDRESS = /^https?:\/\/\S+$/
const INNERMOST = /[\u2066-\u2068][^\u2066-\u2069]*\u2069/gu
/** A number of an invoice or a telephone, or an amount: what is hard to read over two lines, and fits into one. */
const SHORT_VALUE = /\u2068[^\u2066-\u2069\s]{1,16}\u2069/gu
const LETTER = /\p{L}/u
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u

/**
 * The direction of a block that somebody wrote in another language than the mail's, as staff do. Names are isolated, and
 * do not count. In a Hebrew or an Arabic text the first word may be a Latin one. @returns undefined: as the mail
 */
const otherDirection = (block: string, locale: Locale): 'ltr' | 'rtl' | undefined => {
  // A phone number within a name is isolated once more.
  const text = block.replaceAll(INNERMOST, '').replaceAll(INNERMOST, '')
  if (directionOf(locale) === 'ltr') return RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '') ? 'rtl' : undefined
  return LETTER.test(text) && !RIGHT_TO_LEFT.test(text) ? 'ltr' : undefined
}

/** Each block of a plain text becomes a paragraph; an address that is a block of its own becomes a link. */
const blockOf = (block: string, locale: Locale): string => {
  if (WEB_ADDRESS.test(block)) return linkBlock(block, locale)
  const direction = otherDirection(block, locale)
  const align = direction === 'rtl' ? 'right' : 'left'
  const attributes = direction ? `dir="${direction}" style="${SPACE};text-align:${align}"` : `style="${SPACE}"`
  const lines = escapeHtml(block).replaceAll(SHORT_VALUE, '<span style="white-space:nowrap">$&</span>')
  return `<p ${attributes}>${lines.replaceAll('\n', '<br>')}</p>`
}

/** The last line of a mail: a link in words. */
export interface LastLine {
  line: string
  /** The link's own words, where there is HTML. */
  action: string
  link: string
}

const lastLineOf = ({ line, action, link }: LastLine): string =>
  `<p style="${NOTE}">${escapeHtml(line)} <a href="${escapeHtml(link)}" style="color:#1a56ad">${escapeHtml(action)}</a></p>`

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
  html: page(subject, locale, [
    ...text.split(/\n{2,}/).map((block) => blockOf(block, locale)),
    ...(lastLine ? [lastLineOf(lastLine)] : []),
  ]),
  senderName: institute,
})
