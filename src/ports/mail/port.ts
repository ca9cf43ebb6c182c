export interface Mail {
  /** One bare address, as in `nora@example.org`. */
  to: string
  /** A line break in it becomes a space. */
  subject: string
  text: string
  /** The same said in HTML, complete with its own `dir` and `lang`. */
  html?: string | undefined
  /** The language of the text (BCP 47), for the recipient's software. */
  locale?: string | undefined
}

export interface Mailer {
  /** Resolves when the mail has been handed over and need not be sent again. Throws MailError, nothing else. */
  send(mail: Mail): Promise<void>
  /** Refuses new mail and resolves when the mail under way has come to its end. */
  close(): Promise<void>
}

/** Why a mail did not go out. The message is fit for logs and for staff: it never holds credentials. */
export class MailError extends Error {
  /** The same mail would be refused again. Otherwise it is worth another try: the server, or its set-up, may recover. */
  readonly permanent: boolean

  constructor(message: string, permanent: boolean) {
    super(message)
    this.name = 'MailError'
    this.permanent = permanent
  }
}
