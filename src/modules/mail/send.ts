import * as v from 'valibot'
import { declareJob } from '#kernel/job.ts'
import { locale } from '#kernel/schema.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import type { Vault } from '#runtime/vault.ts'
import { MailTemplate } from './templates.ts'

const Envelope = v.object({
  to: v.string(),
  locale,
  /** The end of the token: a mail that could not be sent until then is not sent any more. ISO instant. */
  expiresAt: v.string(),
})
type Envelope = v.InferOutput<typeof Envelope>

/** Every template links to a page that takes a one-time token; it lies sealed in the queue. */
export type OutgoingMail = Envelope & MailTemplate & { token: string }
const QueuedMail = v.intersect([Envelope, MailTemplate, v.object({ sealedToken: v.string() })])

/** Lets a mail go out once the change is committed; tried again as webhooks are when the mail server fails. */
export type SendMail = (tx: Pick<Tx, 'enqueue'>, mail: OutgoingMail) => void

export const sendJob = declareJob('mail.send', QueuedMail)
export const SEALED_FOR = 'mail'

export const createSendMail =
  (vault: Vault): SendMail =>
  (tx, { token, ...mail }) =>
    tx.enqueue(sendJob, { ...mail, sealedToken: vault.seal(SEALED_FOR, token) })
