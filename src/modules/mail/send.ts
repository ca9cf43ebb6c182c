import * as v from 'valibot'
import { declareJob } from '#kernel/job.ts'
import { locale } from '#kernel/schema.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import type { Vault } from '#runtime/vault.ts'
import { MailTemplate } from './templates.ts'

const Envelope = v.object({
  to: v.string(),
  locale,
  /** When the token expires; a mail that was not sent by then is given up. ISO instant. */
  expiresAt: v.string(),
  /** The institute that sends it, with whose domain the link may begin; absent: the mail is about an account. */
  tenantId: v.optional(v.string()),
})
type Envelope = v.InferOutput<typeof Envelope>

/** A mail with a link that takes a one-time token; the token is sealed while it is in the queue. */
export type OutgoingMail = Envelope & MailTemplate & { token: string }
const QueuedMail = v.intersect([Envelope, MailTemplate, v.object({ sealedToken: v.string() })])

/** Enqueues a mail, which goes out after the commit; when the mail server fails, it is retried like a webhook. */
export type SendMail = (tx: Pick<Tx, 'enqueue'>, mail: OutgoingMail) => void

export const sendJob = declareJob('mail.send', QueuedMail)
export const SEALED_FOR = 'mail'

export const createSendMail =
  (vault: Vault): SendMail =>
  (tx, { token, ...mail }) =>
    tx.enqueue(sendJob, { ...mail, sealedToken: vault.seal(SEALED_FOR, token) })
