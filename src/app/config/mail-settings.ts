import path from 'node:path'
import type { Logger } from 'pino'
import type { Locale } from '#shared/locale.ts'
import type { Clock } from '#kernel/time/clock.ts'
import type { OutsideDb, Queries } from '#kernel/contract/tables.ts'
import type { MailServer, MailSettings, MailState } from '#modules/mail/index.ts'
import { createFileMailer } from '#ports/mail/file.ts'
import type { Mailer } from '#ports/mail/port.ts'
import type { ReplaceableMailer } from '#ports/mail/replaceable.ts'
import { checkMailServer, createSmtpMailer, passwordOf, placeOf, serverOf } from '#ports/mail/smtp.ts'
import { DEFAULT_SENDER, type Config } from './config.ts'
import { writeSettings } from './write-settings.ts'
import { WrongSetting } from './read-config.ts'

// For the command that asks for the mail server.
export { MAIL_PROVIDERS, MailServer, type MailProvider } from '#modules/mail/index.ts'

/** The folder in the data directory for mails when there is no mail server. */
const OUTBOX = 'mail-outbox'
/** For a test mail, whose sender is waiting. */
const TRIAL_MILLIS = 10_000
/** For a look whether the mail server answers. */
const CHECK_MILLIS = 10_000

export const senderOf = ({ mailFrom }: Pick<Config, 'mailFrom'>): string => mailFrom ?? DEFAULT_SENDER

/** Makes a mailer for these settings. @param timeoutMs for one mail; undefined: the mailer's default @throws WrongSetting */
export type OpenMailer = (settings: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>, timeoutMs?: number) => Mailer

export const mailers =
  (clock: Clock): OpenMailer =>
  (settings, timeoutMs) => {
    const from = senderOf(settings)
    try {
      return settings.smtpUrl === undefined
        ? createFileMailer({ folder: path.join(settings.dataDir, OUTBOX), from, clock })
        : createSmtpMailer({ url: settings.smtpUrl, from, clock, ...(timeoutMs !== undefined && { timeoutMs }) })
    } catch (error) {
      throw new WrongSetting(`INSTITUTE_SMTP_URL, INSTITUTE_MAIL_FROM: ${(error as Error).message}.`)
    }
  }

/** The institute of a self-hosted install; undefined before the set-up. */
export const installedInstitute = (db: Queries): Promise<{ id: string; name: string; locale: Locale } | undefined> =>
  db
    .selectFrom('installation')
    .innerJoin('tenant', 'tenant.id', 'installation.tenant_id')
    .select(['tenant.id', 'tenant.name', 'tenant.default_locale as locale'])
    .where('installation.singleton', '=', 1)
    .executeTakeFirst()

/**
 * The institute that mails about an account are from: the one of a self-hosted install. In cloud mode such mails name
 * none, because an account may belong to many.
 */
export const instituteOf =
  ({ mode }: Pick<Config, 'mode'>) =>
  async (db: OutsideDb): Promise<{ id: string; name: string } | null> =>
    mode === 'cloud' ? null : ((await installedInstitute(db)) ?? null)

/** The settings of a mail server, as institute.conf names it. */
export const smtpUrlOf = ({ host, port, encryption, user, password }: MailServer): string => {
  const account = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  return `${encryption === 'tls' ? 'smtps' : 'smtp'}://${account}${host}:${port}`
}

/** Writes a mail server into institute.conf, where it holds from the next start on. */
export const saveMailServer = ({ dataDir }: Pick<Config, 'dataDir'>, server: MailServer): void =>
  writeSettings(dataDir, { INSTITUTE_SMTP_URL: smtpUrlOf(server), INSTITUTE_MAIL_FROM: server.sender })

/** The mail settings, which the wizard and the owner can change while the program runs. */
export const openMailSettings = (
  config: Config,
  { mailer, openMailer, log }: { mailer: ReplaceableMailer; openMailer: OpenMailer; log: Logger },
): MailSettings => {
  let { smtpUrl, mailFrom } = config
  return {
    state: (): MailState => ({
      canChange: !config.mailIsFixed,
      server: smtpUrl === undefined ? null : placeOf(smtpUrl),
      sender: smtpUrl === undefined ? null : senderOf({ mailFrom }),
    }),
    password: () => (smtpUrl === undefined ? '' : passwordOf(smtpUrl)),
    check: async () => {
      if (smtpUrl !== undefined) await checkMailServer(smtpUrl, CHECK_MILLIS)
    },
    save: async (server) => {
      const next = { smtpUrl: smtpUrlOf(server), mailFrom: server.sender }
      const nextMailer = openMailer({ ...config, ...next })
      saveMailServer(config, server)
      ;({ smtpUrl, mailFrom } = next)
      await mailer.replace(nextMailer)
      log.info({ server: serverOf(next.smtpUrl), sender: next.mailFrom }, 'the mail server was set')
    },
    trySending: async (server, mail) => {
      const tried = server ? { smtpUrl: smtpUrlOf(server), mailFrom: server.sender } : { smtpUrl, mailFrom }
      const trial = openMailer({ ...config, ...tried }, TRIAL_MILLIS)
      try {
        return await trial.send(mail)
      } finally {
        await trial.close()
      }
    },
  }
}
