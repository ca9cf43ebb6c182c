import { passed, warning, type CheckResult } from '#kernel/check.ts'
import { GiveUp, jobKind, type Module } from '#kernel/module.ts'
import type { OutsideDb } from '#kernel/tables.ts'
import { MailError, type Mailer } from '#ports/mail/port.ts'
import type { Vault } from '#runtime/vault.ts'
import { MAILED_TOKEN } from './credentials.ts'
import { SEALED_FOR, sendJob } from './send.ts'
import { mailSettingsEndpoints, type MailSettings } from './settings.ts'
import { linkOf, writeMail } from './templates.ts'

export interface MailDeps {
  vault: Vault
  mailer: Mailer
  settings: MailSettings
  /** Whether an institute has no say in how the server sends mails: in the cloud. */
  isClosed: boolean
  /** What links begin with, for mails of this institute or about an account. */
  baseUrl: (db: OutsideDb, tenantId: string | undefined) => Promise<string>
  /** Seconds between the attempts to send a mail. */
  backoffSeconds: readonly number[]
  /** The institute that mails about an account are from; null in cloud mode. */
  instituteName: (db: OutsideDb) => Promise<string | null>
}

/** Whether an address is local to a machine or network. Nobody can reply to it, and other mail servers refuse it. */
const isLocal = (sender: string): boolean => {
  const domain = sender.slice(sender.lastIndexOf('@') + 1).replace(/>?\s*$/, '')
  return !domain.includes('.') || /^\[|\.(?:local|localhost|localdomain|lan|internal)$/i.test(domain)
}

/** Looks at the settings of now: the owner may have changed them since the start. */
const checkMail = async (settings: MailSettings): Promise<CheckResult> => {
  const { sender } = settings.state()
  if (sender === null) {
    return warning(
      'there is no mail server (INSTITUTE_SMTP_URL): nobody gets an invitation or a link for a new password, and mails are kept in mail-outbox in the data directory; institute mail-setup names one',
    )
  }
  await settings.check()
  if (isLocal(sender)) {
    return warning(
      `the mail server answers, but mails come from ${sender}, which others refuse: set INSTITUTE_MAIL_FROM to an address that the mail server sends for`,
    )
  }
  return passed('the mail server answers')
}

/** Mails about accounts have places of their own, so that a link to sign in does not wait behind other jobs. */
const PLACES = 8

export const mailModule = ({
  vault,
  settings,
  isClosed,
  mailer,
  baseUrl,
  instituteName,
  backoffSeconds,
}: MailDeps): Module => ({
  name: 'mail',
  tags: { mail: 'By which mail server the mails of this server go out.' },
  credentials: [MAILED_TOKEN],
  endpoints: mailSettingsEndpoints(settings, isClosed),
  jobs: [
    jobKind(sendJob, {
      maxAttempts: backoffSeconds.length + 1,
      retrySeconds: backoffSeconds,
      ownPlaces: PLACES,
      handle: async ({ payload: mail, now, db }) => {
        const { to, locale, expiresAt, sealedToken } = mail
        if (expiresAt !== undefined && expiresAt <= now) {
          throw new GiveUp('The link in the mail has expired before it could be sent.')
        }
        const link =
          mail.template === 'new-owner' || sealedToken === undefined
            ? undefined
            : linkOf(await baseUrl(db, mail.tenantId), mail, vault.open(SEALED_FOR, sealedToken))
        try {
          await mailer.send({ to, locale, ...writeMail(mail, locale, link, await instituteName(db)) })
        } catch (error) {
          throw error instanceof MailError && error.permanent ? new GiveUp(error.message) : error
        }
      },
    }),
  ],
  checks: [{ about: 'mail', look: () => checkMail(settings) }],
})
