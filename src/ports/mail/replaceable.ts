import type { Mail, Mailer, Taken } from './port.ts'

/** A mailer whose implementation can be replaced while the program runs. */
export class ReplaceableMailer implements Mailer {
  #current: Mailer

  constructor(first: Mailer) {
    this.#current = first
  }

  get keepsMails(): boolean {
    return this.#current.keepsMails === true
  }

  send(mail: Mail): Promise<Taken> {
    return this.#current.send(mail)
  }

  close(graceMillis?: number): Promise<void> {
    return this.#current.close(graceMillis)
  }

  /** New mails go through `next`. Resolves when the mails in progress have ended. */
  async replace(next: Mailer): Promise<void> {
    const former = this.#current
    this.#current = next
    await former.close()
  }
}
