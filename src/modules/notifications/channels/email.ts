import { compiledInTenant } from '#db/queries/compiled.ts'
import { writeNotice } from '#modules/mail/index.ts'
import { MailError, type Mail, type Mailer, type MailServers } from '#ports/mail/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import type { Channel, Message } from './channel.ts'
import { REASONS } from '../outbox/reasons.ts'
import { MAIL_PROVIDERS } from '../providers/index.ts'
import { givenOf } from '../providers/provider.ts'
import { TEXTS } from '../texts/defaults.ts'

export interface EmailDeps {
  /** The server's own. */
  mailer: Mailer
  vault: Vault
  /** The institutes' own; it reaches no address that strangers must not reach. */
  mailServers: MailServers
}

const ownServer = compiledInTenant((whole) =>
  whole.selectFrom('notification_provider').select('provider').where('channel', '=', 'email'),
)

/** The institute's own mail server, if it has one and its features allow it. */
const ownOf = ({ provider, tenant }: Message) => {
  const own = provider && MAIL_PROVIDERS[provider.provider]
  return own && tenant.features.byo_email_provider ? { own, sealed: provider } : undefined
}

/** Over the institute's own mail server, if it has one and its features allow it. */
const sendOver = (message: Message, mail: Mail, { mailer, vault, mailServers }: EmailDeps) => {
  const given = ownOf(message)
  if (!given) return mailer.send(mail)
  const { own, sealed } = given
  return mailServers.send(own.mailServer(givenOf(vault, own, sealed)), mail)
}

/** Email over the institute's own mail server, else over the server's. */
export const emailOver = (deps: EmailDeps): Channel => ({
  // Mails are written without a mailbox too, and wait for one.
  isSetUp: async () => true,
  goesOut: async (whole, { features }) =>
    deps.mailer.keepsMails !== true || (features.byo_email_provider && (await ownServer(whole, {})).length > 0),
  send: async (message, signal) => {
    const { id, tenant, locale, address, unsubscribeUrl, title, body, attachments, letterhead } = message
    if (deps.mailer.keepsMails && !ownOf(message)) return { kind: 'kept', reason: REASONS.notSetUp }
    const { line, action } = TEXTS[locale].optOut
    const lastLine = unsubscribeUrl === null ? undefined : { line, action, link: unsubscribeUrl }
    if (address === null) return { kind: 'skipped', reason: REASONS.email }
    const { pictures, ...notice } = writeNotice(
      { subject: title, text: body, lastLine, letterhead },
      locale,
      tenant.name,
    )
    const beside = { attachments: [...pictures, ...attachments], unsubscribeUrl: unsubscribeUrl ?? undefined }
    const mail = { id, to: address, locale, ...notice, ...beside }
    try {
      await sendOver(message, mail, deps)
      return { kind: 'sent' }
    } catch (error) {
      // The program ends and breaks the attempt off. It does not count: the job runs again.
      if (!(error instanceof MailError) || (signal.aborted && !error.permanent)) throw error
      return { kind: error.permanent ? 'failed' : 'later', reason: error.message }
    }
  },
})
