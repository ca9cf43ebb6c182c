import { writeNotice } from '#modules/mail/index.ts'
import { MailError, type Mailer } from '#ports/mail/port.ts'
import type { Vault } from '#runtime/vault.ts'
import type { Channel, Message } from '../channel.ts'
import { openSecret } from '../secrets.ts'
import type { ProviderSettings } from '../tables.ts'
import { TEXTS } from '../texts/defaults.ts'

export interface EmailDeps {
  /** The server's own. */
  mailer: Mailer
  vault: Vault
  /** Makes a mailer for an institute's own mail server; it reaches no address that strangers must not reach. */
  openMailServer: (server: { url: string; from: string }) => Mailer
}

const urlOf = ({ host = '', port, security, user }: ProviderSettings, password: string): string => {
  const account = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  const name = host.includes(':') ? `[${host}]` : host
  return `${security === 'tls' ? 'smtps' : 'smtp'}://${account}${name}:${port}`
}

/** The institute's own mail server, if it has one and its features allow it. */
const mailerOf = ({ provider, tenant }: Message, { mailer, vault, openMailServer }: EmailDeps): Mailer => {
  if (!provider || !tenant.features.byo_email_provider) return mailer
  const { settings, secret } = provider
  return openMailServer({ url: urlOf(settings, openSecret(vault, secret)), from: settings.from ?? '' })
}

/** Email over the institute's own mail server, else over the server's. */
export const emailOver = (deps: EmailDeps): Channel => ({
  isSetUp: async () => true,
  send: async (message) => {
    const { id, tenant, locale, address, unsubscribeUrl, title, body } = message
    const { line, action } = TEXTS[locale].optOut
    const lastLine = unsubscribeUrl === null ? undefined : { line, action, link: unsubscribeUrl }
    if (address === null) return { kind: 'skipped', reason: 'There is no email address on record.' }
    try {
      await mailerOf(message, deps).send({
        id,
        to: address,
        locale,
        unsubscribeUrl: unsubscribeUrl ?? undefined,
        ...writeNotice({ subject: title, text: body, lastLine }, locale, tenant.name),
      })
      return { kind: 'sent' }
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      return { kind: error.permanent ? 'failed' : 'later', reason: error.message }
    }
  },
})
