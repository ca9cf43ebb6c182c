import type { SendMailOptions } from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import { encodeWord } from 'nodemailer/lib/mime-funcs'
import type { Clock } from '#kernel/clock.ts'
import { MailError, type Mail, type Mailer } from './port.ts'

export interface MailerOptions {
  /** Who the mails come from: an address, or `Name <address>`. */
  from: string
  clock: Clock
}

interface Sender {
  name: string
  address: string
}

// One mailbox and nothing that could end it, add a second one or start another header. Whether such a mailbox exists
// is for the mail server to say.
const BARE_ADDRESS = /^[^\s\p{Cc}<>()[\],;:"\\@]+@[^\s\p{Cc}<>()[\],;:"\\@]+$/u
const LANGUAGE_TAG = /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/
// Room for the name of the header in a line of 76.
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
 * The subject for the header. Text that looks like an encoded word (RFC 2047) is encoded once more, because nodemailer
 * passes it on as it is and the reader's software would decode it to something that nobody wrote.
 */
const encodeSubject = (subject: string): string => {
  const line = subject.replace(CONTROLS, ' ').trim()
  return line.includes('=?') ? encodeWord(line, 'B', ENCODED_WORD_LENGTH) : line
}

/** Throws a permanent MailError for what must not get into a header. */
const compose = (mail: Mail, from: Sender, clock: Clock): SendMailOptions => {
  if (!BARE_ADDRESS.test(mail.to)) throw new MailError('the recipient is not one bare mail address', true)
  if (mail.locale !== undefined && !LANGUAGE_TAG.test(mail.locale)) {
    throw new MailError('the language of the mail is not a language tag', true)
  }
  return {
    from,
    to: { address: mail.to },
    subject: encodeSubject(mail.subject),
    text: mail.text,
    html: mail.html,
    date: new Date(clock.millis()),
    headers: {
      // RFC 3834: no out-of-office replies to what a machine sent.
      'Auto-Submitted': 'auto-generated',
      ...(mail.locale === undefined ? {} : { 'Content-Language': mail.locale }),
    },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * What every adapter has in common, around its own way to deliver a composed message, which may throw MailError alone.
 * Throws an Error when `from` is no sender.
 */
export const createMailer = (
  { from, clock }: MailerOptions,
  deliver: (message: SendMailOptions) => Promise<void>,
): Mailer => {
  const sender = parseSender(from)
  const underWay = new Set<Promise<void>>()
  let closed = false
  return {
    send: async (mail) => {
      if (closed) throw new MailError('the mailer has been closed', false)
      const delivery = deliver(compose(mail, sender, clock))
      underWay.add(delivery)
      try {
        await delivery
      } finally {
        underWay.delete(delivery)
      }
    },
    close: async () => {
      closed = true
      await Promise.allSettled(underWay)
    },
  }
}
