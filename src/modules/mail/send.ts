import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { locale } from '#kernel/values/schema.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { MailTemplate, type LinkTemplate } from './templates.ts'

const Envelope = v.object({
  to: v.string(),
  locale,
  /** The institute that sends it, with whose domain the link may begin; absent: the mail is about an account. */
  tenantId: v.optional(v.string()),
})
type Envelope = v.InferOutput<typeof Envelope>

interface Token {
  /** Sealed while the mail is in the queue. */
  token: string
  /** When it expires; a mail that was not sent by then is given up. ISO instant. */
  expiresAt: string
}

/** A mail about an account or a membership: most have a link that takes a one-time token. */
export type OutgoingMail = Envelope & ((LinkTemplate & Token) | Exclude<MailTemplate, LinkTemplate>)
/** Without the last two: a mail without a link. */
const QueuedMail = v.intersect([
  Envelope,
  MailTemplate,
  v.object({ sealedToken: v.optional(v.string()), expiresAt: v.optional(v.string()) }),
])

/** Enqueues a mail, which goes out after the commit; when the mail server fails, it is tried for two days. */
export type SendMail = (tx: Pick<Tx, 'enqueue'>, mail: OutgoingMail) => void

export const sendJob = declareJob('mail.send', QueuedMail)
export const SEALED_FOR = 'mail'

export const createSendMail =
  (vault: Vault): SendMail =>
  (tx, mail) => {
    if (!('token' in mail)) return tx.enqueue(sendJob, mail)
    const { token, ...queued } = mail
    return tx.enqueue(sendJob, { ...queued, sealedToken: vault.seal(SEALED_FOR, token) })
  }
