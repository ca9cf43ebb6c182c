export interface Mail {
  /** One address without a name, such as `nora@example.org`. */
  to: string
  /** Line breaks become spaces. */
  subject: string
  text: string
  /** The same text as HTML, with its own `dir` and `lang`. */
  html?: string | undefined
  /** The language of the text (BCP 47), for mail programs. */
  locale?: string | undefined
}

export interface Mailer {
  /** Resolves when the mail server has accepted the mail. @throws MailError and nothing else */
  send(mail: Mail): Promise<void>
  /** Refuses new mails, and resolves when those in progress have ended. */
  close(): Promise<void>
}

/** Why a mail was not sent. The message never contains credentials, so it may be logged and shown to staff. */
export class MailError extends Error {
  /**
   * true: the same mail would be refused again. false: try again later, because the server or its settings may recover.
   */
  readonly permanent: boolean

  constructor(message: string, permanent: boolean) {
    super(message)
    this.name = 'MailError'
    this.permanent = permanent
  }
}
