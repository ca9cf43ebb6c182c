export interface Mail {
  /** Makes the Message-ID, so that mail servers can tell a mail that is sent again; letters, digits and hyphens. */
  id?: string | undefined
  /** One address without a name, such as `nora@example.org`. */
  to: string
  /** Line breaks become spaces. */
  subject: string
  text: string
  /** The same text as HTML, with its own `dir` and `lang`. */
  html?: string | undefined
  /** The language of the text (BCP 47), for mail programs. */
  locale?: string | undefined
  /**
   * Where the recipient stops mails like this one: an http or https address in ASCII, for whoever follows it and for a
   * POST of the mail program (RFC 8058). Mails that answer a request of the recipient have none.
   */
  unsubscribeUrl?: string | undefined
  /** The sender's display name, unless the configured sender has one. An address within it is broken up. */
  senderName?: string | undefined
  attachments?: readonly Attachment[] | undefined
}

/** A file that goes with a mail. */
export interface Attachment {
  name: string
  /** Its media type. */
  type: string
  bytes: Buffer
  /** The name by which the HTML shows it, as `cid:…`; absent: it stands below the mail. */
  cid?: string
}

/** What the mail server said when it accepted a mail. */
export interface Taken {
  /** Its last reply, or the file that the mail was written to. */
  answer: string
  /** A user is set, and the server let the mail in without a sign-in: nobody knows whether the password is right. */
  passwordUnused: boolean
}

export interface Mailer {
  /** true: there is no mail server, and a mail that it takes reaches nobody. */
  readonly keepsMails?: boolean
  /** Resolves when the mail server has accepted the mail. @throws MailError and nothing else */
  send(mail: Mail): Promise<Taken>
  /**
   * Refuses new mails, and resolves when those in progress have ended. @param graceMillis after this time they are given
   * up, and their connections closed; default: never
   */
  close(graceMillis?: number): Promise<void>
}

/** Mail over servers that others bring: each mail names its own. */
export interface MailServers {
  /**
   * @param server as a URL, with the sender of what goes over it
   * @throws MailError; Error when the URL or the sender is invalid
   */
  send(server: { url: string; from: string }, mail: Mail): Promise<Taken>
  /** Gives up the mails that are under way, and closes their connections. */
  close(): Promise<void>
}

/**
 * Why a mail was not sent: the server's name is unknown, nothing answers there, it takes too long, TLS fails, the server
 * refuses the account, or this mail, or another reason.
 */
export const MAIL_FAULTS = [
  'unknown_host',
  'unreachable',
  'timeout',
  'encryption',
  'sign_in',
  'refused',
  'other',
] as const
export type MailFault = (typeof MAIL_FAULTS)[number]

/** Why a mail was not sent. The message never contains credentials, so it may be logged and shown to staff. */
export class MailError extends Error {
  /**
   * true: the same mail would be refused again. false: try again later, because the server or its settings may recover.
   */
  readonly permanent: boolean
  readonly fault: MailFault

  constructor(message: string, permanent: boolean, fault: MailFault = 'other') {
    super(message)
    this.name = 'MailError'
    this.permanent = permanent
    this.fault = fault
  }
}
