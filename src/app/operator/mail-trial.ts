import { systemClock } from '#kernel/time/clock.ts'
import { FALLBACK_LOCALE } from '#shared/locale.ts'
import { writeTestMail } from '#modules/mail/index.ts'
import { MailError, type MailFault } from '#ports/mail/port.ts'
import { serverOf } from '#ports/mail/smtp.ts'
import { openDatabase } from '#app/open-database.ts'
import type { Config } from '#app/config/config.ts'
import { assertDatabase } from '#app/data-dir/data-dir.ts'
import { installedInstitute, mailers, senderOf } from '#app/config/mail-settings.ts'

const PORTS = 'smtps:// is for port 465, smtp:// for 587 and 25'

/** What to check for each kind of failure; the mail server's own words are shown beside it. */
const FAULTS: Readonly<Record<MailFault, string>> = {
  unknown_host: 'There is no server of that name: look at the host (INSTITUTE_SMTP_URL).',
  unreachable: 'Nothing answers there: look at host and port (INSTITUTE_SMTP_URL), and at the firewall.',
  timeout: `The mail server takes too long to answer: a firewall may be in the way, or the port is another (${PORTS}).`,
  encryption: `No encrypted connection comes about: the port may be another (${PORTS}), or nobody vouches for the server’s certificate.`,
  sign_in: 'The mail server does not accept the user or the password (INSTITUTE_SMTP_URL).',
  refused: 'The mail server refuses this mail: look at the sender (INSTITUTE_MAIL_FROM) and at the address.',
  other: 'The mail was not sent.',
}

/** What is said of a test mail that was taken from anybody. */
export const PASSWORD_UNUSED =
  'It did not ask for a sign-in: the user and the password were not used, and may be wrong.'

export interface MailTrial {
  /** host:port; null: there is no mail server, and nothing was sent. */
  server: string | null
  sender: string
  /** The mail server's last reply, or the file that the mail was written to. */
  taken: string
  /** See Taken. */
  passwordUnused: boolean
  failure?: { fault: MailFault; message: string; advice: string }
}

/** The institute's name and language; undefined before the set-up. */
const instituteOf = async (config: Config) => {
  const database = openDatabase(config)
  try {
    return await installedInstitute(database.read)
  } finally {
    await database.close()
  }
}

/** Sends a test mail with the settings of the program, in the institute's language. */
export const sendTestMail = async (config: Config, to: string): Promise<MailTrial> => {
  assertDatabase(config)
  const institute = await instituteOf(config)
  const locale = institute?.locale ?? FALLBACK_LOCALE
  const mailer = mailers(systemClock)(config)
  const server = config.smtpUrl === undefined ? null : serverOf(config.smtpUrl)
  const sender = senderOf(config)
  try {
    const mail = { to, locale, ...writeTestMail(locale, institute?.name ?? null) }
    const { answer: taken, passwordUnused } = await mailer.send(mail)
    return { server, sender, taken, passwordUnused }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return {
      server,
      sender,
      taken: '',
      passwordUnused: false,
      failure: { fault: error.fault, message: error.message, advice: FAULTS[error.fault] },
    }
  }
}
