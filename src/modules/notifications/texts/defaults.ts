import { createHash } from 'node:crypto'
import { LOCALES, type Locale } from '#shared/locale.ts'
import { once } from '#kernel/basics/once.ts'
import { CHANNELS, type ChannelName } from '../tables.ts'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { he } from './he.ts'
import { DEFAULT_KEYS, MESSAGE_KEY, type DefaultKey, type LanguageTexts } from './language-texts.ts'

export const TEXTS: Readonly<Record<Locale, LanguageTexts>> = { ar, en, he }

/** The variables that every text may use. */
export const COMMON_VARIABLES = ['institute', 'recipientName', 'link'] as const

const INVOICE = [
  'studentName',
  'invoiceNumber',
  'lines',
  'total',
  'paid',
  'balance',
  'dueDate',
  'payOnline',
  'footer',
  'seeIt',
] as const

/** The variables of each default text, beside those that every text has. */
export const EVENT_VARIABLES = {
  'student.absent': ['studentName', 'status', 'groupName', 'courseName', 'date', 'time', 'seeIt'],
  'invoice.issued': INVOICE,
  'invoice.overdue': INVOICE,
  'invoice.reminder_requested': INVOICE,
  'payment.recorded': ['studentName', 'invoiceNumber', 'amount', 'method', 'date', 'balance', 'seeIt'],
  'receipt.sent': ['receiptNumber', 'amount', 'date'],
  'cheque.bounced': ['chequeNumber', 'amount', 'dueDate', 'reason'],
  'session.cancelled': ['groupName', 'courseName', 'date', 'time', 'reason', 'seeIt'],
  'session.added': ['groupName', 'courseName', 'date', 'time', 'end', 'seeIt'],
  'session.moved': ['groupName', 'courseName', 'date', 'time', 'newDate', 'newTime', 'newEnd', 'seeIt'],
  'session.given': ['groupName', 'courseName', 'date', 'time', 'end', 'seeIt'],
  'group.lessons_changed': ['groupName', 'courseName', 'changes', 'seeIt'],
  'group.continues': ['places'],
  'place.offered': ['studentName', 'groupName', 'courseName', 'until'],
  'closure.announced': ['closureName', 'from', 'to'],
  'closures.announced': ['days'],
  'closure.lifted': ['closureName', 'from', 'to'],
  'cover.given': ['teacherName', 'substituteName', 'from', 'to', 'lessons'],
  'cover.lifted': ['teacherName', 'substituteName', 'from', 'to', 'lessons'],
  'cover.announced': ['teacherName', 'substituteName', 'from', 'to'],
  'attendance.corrected': ['studentName', 'groupName', 'courseName', 'date', 'time', 'correction', 'seeIt'],
  'exam.published': ['studentName', 'examTitle', 'groupName', 'courseName', 'seeIt'],
  'progress_report.sent': ['studentName', 'periodStart', 'periodEnd', 'seeIt'],
  'progress_reports.submitted': ['teacherName', 'count', 'groups', 'seeIt'],
  'progress_report.returned': ['studentName', 'periodStart', 'periodEnd', 'remark', 'seeIt'],
  'details.proposed': ['byName', 'personName', 'fields', 'seeIt'],
  'details.accepted': ['personName', 'fields', 'left', 'remark', 'seeIt'],
  'details.declined': ['personName', 'fields', 'remark', 'seeIt'],
  'lead.created': [],
  'leads.summary': ['count'],
  'subscription.expiring': ['plan', 'date', 'days'],
  'tenant.locked': ['reason'],
  'webhook_endpoint.disabled': ['host'],
  'account.unlinked': ['personName'],
  'mails.stuck': ['count', 'date', 'reason'],
  'update.available': ['version'],
  'update.installed': ['version'],
  'update.failed': ['version'],
  'https.failed': ['name'],
  'online_payment.attention': ['invoiceNumber', 'amount', 'problem'],
} as const satisfies Record<Exclude<DefaultKey, typeof MESSAGE_KEY>, readonly string[]>

/** What comes from the request that sends a message by hand: {{data.title}} is its `data.title`. */
export const DATA_PREFIX = 'data.'

export const isDefaultKey = (key: string): key is DefaultKey => (DEFAULT_KEYS as readonly string[]).includes(key)

/** The variables that a text of this key may use; `data.*` stands for every name that begins with `data.` */
export const allowedVariables = (key: string): string[] =>
  isDefaultKey(key) && key !== MESSAGE_KEY
    ? [...COMMON_VARIABLES, ...EVENT_VARIABLES[key]]
    : [...COMMON_VARIABLES, 'studentName', `${DATA_PREFIX}*`]

/** A text of the platform's. */
export interface DefaultTemplate {
  id: string
  key: string
  channel: ChannelName
  locale: Locale
  subject: string | null
  body: string
}

/** The same id in every release and on every server, since nothing is stored for it (a UUID of version 8). */
const idOf = (name: string): string => {
  const hex = createHash('sha256').update(`notification-template ${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const MESSAGE = { subject: '{{data.title}}', mail: '{{data.message}}', brief: '{{data.message}}' }

const textOf = (key: DefaultKey, channel: ChannelName, locale: Locale): Pick<DefaultTemplate, 'subject' | 'body'> => {
  const { greeting, signature, events } = TEXTS[locale]
  const { subject, mail, brief } = key === MESSAGE_KEY ? MESSAGE : events[key]
  switch (channel) {
    case 'email':
      return { subject, body: `${greeting}\n\n${mail}\n\n${signature}` }
    case 'sms':
    case 'whatsapp':
      return { subject: null, body: `{{institute}}: ${brief}` }
    default:
      return { subject, body: brief }
  }
}

const nameOf = (key: string, channel: ChannelName, locale: Locale): string => `${key} ${channel} ${locale}`

const defaults = once(() => {
  const made = new Map<string, DefaultTemplate>()
  for (const key of DEFAULT_KEYS) {
    for (const channel of CHANNELS) {
      for (const locale of LOCALES) {
        const name = nameOf(key, channel, locale)
        made.set(name, { id: idOf(name), key, channel, locale, ...textOf(key, channel, locale) })
      }
    }
  }
  return made
})

/** Every text of the platform's. */
export const defaultTemplates = (): DefaultTemplate[] => [...defaults().values()]

/** @returns undefined: the platform has none for this key */
export const defaultTemplate = (key: string, channel: ChannelName, locale: Locale): DefaultTemplate | undefined =>
  defaults().get(nameOf(key, channel, locale))
