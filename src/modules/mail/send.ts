import type { Locale } from '#kernel/actor.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import type { Vault } from '#runtime/vault.ts'
import type { MailTemplate } from './templates.ts'

type Envelope = MailTemplate & {
  to: string
  locale: Locale
  /** The end of the token: a mail that could not be sent until then is not sent any more. ISO instant. */
  expiresAt: string
}

/** Every template links to a page that takes a one-time token; it lies sealed in the queue. */
export type OutgoingMail = Envelope & { token: string }
export type QueuedMail = Envelope & { sealedToken: string }

/** Lets a mail go out once the change is committed; tried again as webhooks are when the mail server fails. */
export type SendMail = (tx: Pick<Tx, 'enqueue'>, mail: OutgoingMail) => void

export const SEND_JOB = 'mail.send'
export const SEALED_FOR = 'mail'

export const createSendMail =
  (vault: Vault): SendMail =>
  (tx, { token, ...mail }) =>
    tx.enqueue(SEND_JOB, { ...mail, sealedToken: vault.seal(SEALED_FOR, token) } satisfies QueuedMail)
