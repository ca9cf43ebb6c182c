import type { SendMailOptions } from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import { encodeWord } from 'nodemailer/lib/mime-funcs'
import type { Clock } from '#kernel/time/clock.ts'
import { unlinked } from '#shared/text.ts'
import { MailError, type Mail, type Mailer, type Taken } from './port.ts'

export interface MailerOptions {
  /** The sender of the mails: an address, or `Name <address>`. */
  from: string
  clock: Clock
}

interface Sender {
  name: string
  address: string
}

// Exactly one mailbox, without characters that could end it, add a second one or start another header. Whether the
// mailbox exists is for the mail server to decide.
const BARE_ADDRESS = /^[^\s\p{Cc}<>()[\],;:"\\@]+@[^\s\p{Cc}<>()[\],;:"\\@]+$/u
const LANGUAGE_TAG = /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/
// Leaves room for the name of the header in a line of 76 characters.
const ENCODED_WORD_LENGTH = 52
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu

const parseSender = (from: string): Sender => {
  const [sender, ...others] = addressparser(from)
  if (sender?.address === undefined || !BARE_ADDRESS.test(sender.address) || others.length > 0) {
    throw new Error(`mails cannot come from "${from}": it is neither an address nor "Name <address>"`)
  }
  return { name: sender.name, address: sender.address }
}

/**
 * Encodes the subject for the header. A text that looks like an encoded word (RFC 2047) is encoded again: nodemailer
 * would send it unchanged, and mail programs would decode it to something that nobody wrote.
 */
const encodeSubject = (subject: string): string => {
  const line = subject.replace(CONTROLS, ' ').trim()
  return line.includes('=?') ? encodeWord(line, 'B', ENCODED_WORD_LENGTH) : line
}

/** Direction marks: with them, a name would be shown in another order of letters than was checked. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/gu

/**
 * A display name that is safe in a header. Mail programs show it where they show the address of a sender without a name:
 * an address in it is broken up, as in texts. So is `=?`, because mail programs decode encoded words (RFC 2047) even
 * within quotes, to something that nobody wrote.
 */
const headerName = (name: string): string =>
  unlinked(name.replace(CONTROLS, ' ').replaceAll(DIRECTIONS, '').trim()).replaceAll('=?', '=\u2060?')

/** Printable ASCII, without < and > between which the address stands in its header, and short enough for one line. */
const HEADER_URL = /^https?:\/\/[\x21-\x3b\x3d\x3f-\x7e]{1,900}$/i

/**
 * The headers by which mail programs offer to stop such mails: with a link (RFC 2369) and, where it is https, with one
 * click (RFC 8058).
 * @throws a permanent MailError for what is no address, or could end the header
 */
const unsubscribeHeaders = (url: string | undefined): Record<string, string> => {
  if (url === undefined) return {}
  if (!HEADER_URL.test(url) || !URL.canParse(url)) {
    throw new MailError('the address that stops such mails is not one', true)
  }
  return {
    'List-Unsubscribe': `<${url}>`,
    ...(url.toLowerCase().startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  }
}

/** @throws a permanent MailError for values that must not be in a header */
const compose = (mail: Mail, from: Sender, clock: Clock): SendMailOptions => {
  if (!BARE_ADDRESS.test(mail.to)) throw new MailError('the recipient is not one bare mail address', true)
  if (mail.locale !== undefined && !LANGUAGE_TAG.test(mail.locale)) {
    throw new MailError('the language of the mail is not a language tag', true)
  }
  return {
    from: { address: from.address, name: from.name || headerName(mail.senderName ?? '') },
    to: { address: mail.to },
    subject: encodeSubject(mail.subject),
    text: mail.text,
    html: mail.html,
    attachments: mail.attachments?.map(({ name, type, bytes, cid }) => ({
      filename: name,
      contentType: type,
      content: bytes,
      ...(cid !== undefined && { cid, contentDisposition: 'inline' as const }),
    })),
    date: new Date(clock.millis()),
    ...(mail.id !== undefined && { messageId: `<${mail.id}@${from.address.split('@')[1]}>` }),
    headers: {
      // RFC 3834: no out-of-office replies to what a machine sent.
      'Auto-Submitted': 'auto-generated',
      ...(mail.locale === undefined ? {} : { 'Content-Language': mail.locale }),
      ...unsubscribeHeaders(mail.unsubscribeUrl),
    },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * The common part of all mail adapters. Each passes its own `deliver`, which may only throw MailError; `ended` is aborted
 * when a closed mailer waits for it no longer.
 * @throws Error when `from` is not a valid sender
 */
export const createMailer = (
  { from, clock }: MailerOptions,
  deliver: (message: SendMailOptions, ended: AbortSignal) => Promise<Taken>,
): Mailer => {
  const sender = parseSender(from)
  const underWay = new Set<Promise<Taken>>()
  const ended = new AbortController()
  let closed = false
  return {
    send: async (mail) => {
      if (closed) throw new MailError('the mailer has been closed', false)
      const delivery = deliver(compose(mail, sender, clock), ended.signal)
      underWay.add(delivery)
      try {
        return await delivery
      } finally {
        underWay.delete(delivery)
      }
    },
    close: async (graceMillis) => {
      closed = true
      const timer = graceMillis === undefined ? undefined : setTimeout(() => ended.abort(), graceMillis)
      await Promise.allSettled(underWay)
      clearTimeout(timer)
    },
  }
}
