import type { Mail, Mailer } from './port.ts'
import { createSmtpMailer, type SmtpMailerOptions } from './smtp.ts'

/** A mail server and the sender of what goes over it. */
export type MailServer = Pick<SmtpMailerOptions, 'url' | 'from'>

/** Mail over servers that others bring: each mail names its own. */
export class MailServers {
  readonly #options: Omit<SmtpMailerOptions, keyof MailServer>
  readonly #inUse = new Set<Mailer>()

  constructor(options: Omit<SmtpMailerOptions, keyof MailServer>) {
    this.#options = options
  }

  /** @returns the server's last reply @throws MailError; Error when the URL or the sender is invalid */
  async send(server: MailServer, mail: Mail): Promise<string> {
    const mailer = createSmtpMailer({ ...this.#options, ...server })
    this.#inUse.add(mailer)
    try {
      return await mailer.send(mail)
    } finally {
      this.#inUse.delete(mailer)
    }
  }

  /** Gives up the mails that are under way, and closes their connections. */
  async close(): Promise<void> {
    await Promise.all([...this.#inUse].map((mailer) => mailer.close(0)))
  }
}
