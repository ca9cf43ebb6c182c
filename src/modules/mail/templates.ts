import * as v from 'valibot'
import { directionOf, type Locale } from '#shared/locale.ts'
import { escapeHtml } from '#kernel/basics/html.ts'
import { named } from './words/named.ts'
import type { Attachment, Mail } from '#ports/mail/port.ts'
import { WORDS, type Institute, type MailText } from './words/index.ts'

/** What changes by which somebody signs in. */
const ACCOUNT_CHANGES = [
  'second_factor_on',
  'second_factor_off',
  'second_factor_reset',
  'other_app',
  'recovery_code_used',
  'recovery_codes_made',
  'passkey_added',
  'passkey_removed',
  'signed_out',
] as const
export type AccountChange = (typeof ACCOUNT_CHANGES)[number]

/** The mail's kind, and the values that it shows. */
export const MailTemplate = v.variant('template', [
  v.object({ template: v.literal('reset-password') }),
  v.object({ template: v.literal('verify-email') }),
  v.object({
    template: v.literal('invitation'),
    values: v.object({
      institute: v.string(),
      inviter: v.optional(v.string()),
      /** Left out by the version before. */
      isFamily: v.optional(v.boolean()),
    }),
  }),
  v.object({ template: v.literal('welcome'), values: v.object({ institute: v.string() }) }),
  v.object({ template: v.literal('new-owner'), values: v.object({ institute: v.string() }) }),
  v.object({ template: v.literal('account-changed'), change: v.picklist(ACCOUNT_CHANGES) }),
])
export type MailTemplate = v.InferOutput<typeof MailTemplate>
/** Mails with a link that takes a one-time token. */
export type LinkTemplate = Exclude<MailTemplate, { template: 'new-owner' | 'account-changed' }>

/** Mails that somebody asked for, and can ask for again where they sign in. */
type AskedFor = Extract<MailTemplate, { template: 'reset-password' | 'verify-email' }>

export const isAskedFor = (mail: MailTemplate): mail is AskedFor =>
  mail.template === 'reset-password' || mail.template === 'verify-email'

const textOf = (mail: MailTemplate, locale: Locale, institute: Institute): MailText => {
  const words = WORDS[locale]
  switch (mail.template) {
    case 'invitation':
      return words.invitation(mail.values)
    case 'welcome':
    case 'new-owner':
      return words[mail.template](mail.values.institute)
    case 'account-changed':
      return words['account-changed'](institute, mail.change)
    default:
      return words[mail.template](institute)
  }
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

/** How a mail looks like one of the institute. */
export interface Letterhead {
  /** #RRGGBB; null: none of its own. */
  color: string | null
  logo: { bytes: Buffer; type: string } | null
  /** In one line. */
  address: string | null
  phone: string | null
}

const LOGO = 'logo'
const OWN_COLOR = '#14675e'

/** A line in the institute's colour, and its logo, whose place its name takes where pictures are not shown. */
const topOf = ({ color, logo }: Letterhead, institute: string): string => {
  const line = `<div style="border-top:4px solid ${color ?? OWN_COLOR};margin:0 0 20px;font-size:0;line-height:0">&nbsp;</div>`
  const size = 'display:block;height:48px;width:auto;max-width:100%;margin:0 0 20px'
  const picture = `<img src="cid:${LOGO}" alt="${escapeHtml(institute)}" height="48" style="${size}">`
  return logo === null ? line : line + picture
}

/** A mail without its recipient. */
export type Written = Required<Pick<Mail, 'subject' | 'text' | 'html' | 'senderName'>>

/** With the pictures that the HTML shows. */
export type WrittenWithPictures = Written & { pictures: Attachment[] }

const picturesOf = (letterhead: Letterhead | null): Attachment[] => {
  const { logo = null } = letterhead ?? {}
  return logo === null ? [] : [{ name: LOGO, cid: LOGO, ...logo }]
}

/** Whose mail it is, and how it looks then. */
export interface Sender {
  /** The name of the institute; null: the mail is of none. */
  institute: Institute
  letterhead: Letterhead | null
}

const written = (
  { subject, lead, action, note }: MailText,
  locale: Locale,
  { link, institute, letterhead }: Sender & { link?: string | undefined },
) => {
  const top = letterhead === null ? [] : [topOf(letterhead, institute ?? '')]
  const pictures = picturesOf(letterhead)
  return action === undefined || link === undefined
    ? {
        subject,
        text: `${lead}\n\n${note}\n`,
        html: page(subject, locale, [...top, paragraph(lead), paragraph(note, NOTE)]),
        pictures,
      }
    : {
        subject,
        text: `${lead}\n\n${action}:\n${link}\n\n${note}\n`,
        html: page(subject, locale, [
          ...top,
          paragraph(lead),
          button(link, action),
          linkBlock(link, locale),
          paragraph(note, NOTE),
        ]),
        pictures,
      }
}

/**
 * Writes the mail in the reader's language, as text and as HTML, with the institute as its sender's name.
 * @param link undefined for a mail without one
 * @param sender for mails about an account; others name their own institute
 */
export const writeMail = (
  mail: MailTemplate,
  locale: Locale,
  link: string | undefined,
  sender: Sender,
): WrittenWithPictures => {
  const institute = 'values' in mail ? mail.values.institute : sender.institute
  return {
    ...written(textOf(mail, locale, sender.institute), locale, { ...sender, institute, link }),
    senderName: institute ?? undefined,
  }
}

/** Writes a mail that says that a link came too late, and how to get another one. */
export const writeLateMail = ({ template }: AskedFor, locale: Locale, sender: Sender): WrittenWithPictures => ({
  ...written(WORDS[locale].late[template](sender.institute), locale, sender),
  senderName: sender.institute ?? undefined,
})

/** Writes a mail that tests whether mails arrive. */
export const writeTestMail = (locale: Locale, institute: Institute): Written => {
  const { pictures: _none, ...mail } = written(WORDS[locale].test(institute), locale, { institute, letterhead: null })
  return { ...mail, senderName: institute ?? undefined }
}

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
  letterhead?: Letterhead | null
}

/**
 * @param institute the sender's name
 * @returns also the pictures that the HTML shows
 */
export const writeNotice = (
  { subject, text, lastLine, letterhead = null }: Notice,
  locale: Locale,
  institute: string,
): WrittenWithPictures => {
  const { address = null, phone = null } = letterhead ?? {}
  const contact = [address, phone].flatMap((line) => (line === null ? [] : named(line)))
  const whole = contact.length === 0 ? text : `${text}\n${contact.join('\n')}`
  return {
    subject,
    text: lastLine ? `${whole}\n\n${lastLine.line}\n${lastLine.link}\n` : `${whole}\n`,
    html: page(subject, locale, [
      ...(letterhead === null ? [] : [topOf(letterhead, institute)]),
      ...text.split(/\n{2,}/).map((block) => blockOf(block, locale)),
      ...(contact.length === 0 ? [] : [`<p style="${NOTE}">${contact.map(escapeHtml).join('<br>')}</p>`]),
      ...(lastLine ? [lastLineOf(lastLine)] : []),
    ]),
    senderName: institute,
    pictures: picturesOf(letterhead),
  }
}
