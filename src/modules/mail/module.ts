import { passed, warning, wrong, type CheckResult } from '#kernel/contract/check.ts'
import { GiveUp, jobKind, type Module } from '#kernel/contract/module.ts'
import type { OutsideDb, ScopedDb } from '#kernel/contract/tables.ts'
import { MailError, type Mailer } from '#ports/mail/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import type { MailBudget } from './budget.ts'
import { MAILED_TOKEN } from './credentials.ts'
import { SEALED_FOR, sendJob } from './send.ts'
import { mailSettingsEndpoints, type MailSettings } from './settings.ts'
import {
  isAskedFor,
  linkOf,
  writeLateMail,
  writeMail,
  type Letterhead,
  type LinkTemplate,
  type Sender,
  type WrittenWithPictures,
} from './templates.ts'
import { MAIL_RETRY_SECONDS } from './waits.ts'

export interface MailDeps {
  vault: Vault
  mailer: Mailer
  settings: MailSettings
  /** Whether an institute has no say in how the server sends mails: in the cloud. */
  isClosed: boolean
  /** What links begin with, for mails of this institute or about an account. */
  baseUrl: (db: OutsideDb, tenantId: string | undefined) => Promise<string>
  /** The messages that wait, or were given up, because of a mail server; see `countStuckMails` of notifications. */
  stuckMails: () => Promise<{ waiting: number; failed: number; since: string | null }>
  /** Whether the token of a mail still opens what it was made for: a newer link may have taken its place. */
  isLive: (
    rows: { db: OutsideDb; institute: ScopedDb | undefined; now: string },
    template: LinkTemplate['template'],
    token: string,
  ) => Promise<boolean>
  /** Keeps an inbox from many mails about links that came too late. */
  mailBudget: MailBudget
  /** The institute that mails about an account are from; null in cloud mode. */
  institute: (db: OutsideDb) => Promise<{ id: string; name: string } | null>
  /** How mails of an institute look; see `letterheadFor` of notifications. */
  letterhead: (whole: ScopedDb, signal: AbortSignal) => Promise<Letterhead>
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
      'there is no mail server (INSTITUTE_SMTP_URL): nobody is sent an invitation, whose link whoever invites has to hand over, or a link for a new password, and mails are kept in mail-outbox in the data directory; institute mail-setup names one',
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

/** What the mail server says now, and what it did not take before. */
const checkMails = async (settings: MailSettings, stuckMails: MailDeps['stuckMails']): Promise<CheckResult> => {
  const { waiting, failed, since } = await stuckMails()
  const result = await checkMail(settings).catch((error: unknown) => {
    // Whoever runs the checks says what to do about it.
    if (!(error instanceof MailError) || waiting + failed === 0) throw error
    return wrong(error.message)
  })
  if (waiting + failed === 0) return result
  const stuck = `mails that did not go out since ${since}: ${waiting} wait for the next attempt, ${failed} were given up; once it works, POST /notifications/stuck/retry, or Mail in the settings of the institute, sends them again`
  return { state: result.state === 'ok' ? 'warning' : result.state, text: `${result.text}; ${stuck}` }
}

/** Mails about accounts have places of their own, so that a link to sign in does not wait behind other jobs. */
const PLACES = 8

export const mailModule = ({
  vault,
  settings,
  isClosed,
  mailer,
  baseUrl,
  institute: instituteOf,
  letterhead,
  stuckMails,
  isLive,
  mailBudget,
}: MailDeps): Module => ({
  name: 'mail',
  tags: { mail: 'By which mail server the mails of this server go out.' },
  credentials: [MAILED_TOKEN],
  endpoints: mailSettingsEndpoints(settings, isClosed),
  jobs: [
    jobKind(sendJob, {
      maxAttempts: MAIL_RETRY_SECONDS.length + 1,
      retrySeconds: MAIL_RETRY_SECONDS,
      ownPlaces: PLACES,
      handle: async ({ payload: mail, attempt, now, db, inTenant, signal }) => {
        const { to, locale, expiresAt, sealedToken } = mail
        const senderOf = async (): Promise<Sender> => {
          const sender = await instituteOf(db)
          const id = mail.tenantId ?? sender?.id
          return {
            institute: sender?.name ?? null,
            letterhead: id === undefined ? null : await letterhead(inTenant({ id }), signal),
          }
        }
        const send = async ({ pictures, ...written }: WrittenWithPictures): Promise<void> => {
          try {
            await mailer.send({ to, locale, ...written, ...(pictures.length > 0 && { attachments: pictures }) })
          } catch (error) {
            throw error instanceof MailError && error.permanent ? new GiveUp(error.message) : error
          }
        }
        if (expiresAt !== undefined && expiresAt <= now) {
          if (!isAskedFor(mail)) throw new GiveUp('The link in the mail has expired before it could be sent.')
          if (await mailBudget.mayMailLate(to)) await send(writeLateMail(mail, locale, await senderOf()))
          return
        }
        if (mail.template === 'new-owner' || mail.template === 'account-changed' || sealedToken === undefined) {
          return send(writeMail(mail, locale, undefined, await senderOf()))
        }
        const token = vault.open(SEALED_FOR, sealedToken)
        // The first attempt follows the commit at once. While it waits for another, a newer link may take its place.
        const institute = mail.tenantId === undefined ? undefined : inTenant({ id: mail.tenantId })
        if (attempt > 1 && !(await isLive({ db, institute, now }, mail.template, token))) return
        const link = linkOf(await baseUrl(db, mail.tenantId), mail, token)
        await send(writeMail(mail, locale, link, await senderOf()))
      },
    }),
  ],
  checks: [{ about: 'mail', look: () => checkMails(settings, stuckMails) }],
})
