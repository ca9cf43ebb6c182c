import { isIP } from 'node:net'
import * as v from 'valibot'
import { invalid } from '#kernel/values/errors.ts'
import { integer, secret, text } from '#kernel/values/schema.ts'
import { checkUrl } from '#ports/outbound/port.ts'
import { from, isEmail } from './fields.ts'
import { mailProvider, optional, secretField, setting } from './provider.ts'

const host = v.pipe(
  text(253),
  v.regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$|^[0-9A-Fa-f:.]+$/, 'Must be a host.'),
)
const security = v.picklist(['starttls', 'tls'])
// A check: as a pattern of the document, generated clients read it without the flag that it needs.
const password = v.pipe(
  secret(1),
  v.check((value) => !/\p{Cc}/u.test(value), 'Must not contain control characters.'),
)

/** A mail server. */
export const smtp = mailProvider({
  channels: ['email'],
  description:
    '`smtp` (email): host, port, security, from, and user with password. Of what is sent by hand, at most three mails are sent at a time.',
  fields: {
    host: setting(host, 'The mail server: a name or an address.', {
      words: 'The mail server; null: this provider has none.',
    }),
    port: setting(integer(1, 65_535), 'The mail server’s port, such as 587, or 465 with tls.', {
      schema: integer(1, 65_535),
      words: 'The mail server’s port; null: this provider has none.',
    }),
    security: setting(
      security,
      'tls: encrypted from the beginning; starttls: encrypted where the server offers it, always with a password.',
      { schema: security, words: 'How the mail server encrypts; null: this provider is none.' },
    ),
    user: optional(
      setting(text(300), 'The account at the mail server; null: it asks for none.', {
        words: 'The account at the mail server; null: it asks for none.',
      }),
    ),
    password: optional(
      secretField(password, 'The password of the account, without control characters. It is never shown.'),
    ),
    from,
  },
  secret: 'password',
  check: (given, policy) => {
    const refusal = checkUrl(`https://${isIP(given.host) === 6 ? `[${given.host}]` : given.host}/`, policy)
    if (refusal !== undefined) throw invalid(['host'], `Cannot be used: ${refusal}.`)
    if (isIP(given.host) === 0 && given.host.includes(':')) {
      throw invalid(['host'], 'Must be a host without its port.')
    }
    if (!isEmail(given.from)) throw invalid(['from'], 'Must be an email address.')
    if (given.user === undefined && given.password !== undefined) {
      throw invalid(['user'], 'Is needed with a password.')
    }
    if (given.user !== undefined && given.password === undefined) {
      throw invalid(['password'], 'Is needed with a user.')
    }
  },
  mailServer: (given) => {
    const { user, password: word = '' } = given
    const account = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(word)}@`
    const name = given.host.includes(':') ? `[${given.host}]` : given.host
    const scheme = given.security === 'tls' ? 'smtps' : 'smtp'
    return { url: `${scheme}://${account}${name}:${given.port}`, from: given.from }
  },
})
