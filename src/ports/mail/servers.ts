import type { Mail, Mailer, MailServers, Taken } from './port.ts'
import { createSmtpMailer, type SmtpMailerOptions } from './smtp.ts'

type Server = Parameters<MailServers['send']>[0]

/** Mail servers over SMTP; each mail goes over a new connection. */
export class SmtpServers implements MailServers {
  readonly #options: Omit<SmtpMailerOptions, keyof Server>
  readonly #inUse = new Set<Mailer>()

  constructor(options: Omit<SmtpMailerOptions, keyof Server>) {
    this.#options = options
  }

  async send(server: Server, mail: Mail): Promise<Taken> {
    const mailer = createSmtpMailer({ ...this.#options, ...server })
    this.#inUse.add(mailer)
    try {
      return await mailer.send(mail)
    } finally {
      this.#inUse.delete(mailer)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#inUse].map((mailer) => mailer.close(0)))
  }
}
