import * as v from 'valibot'
import { change, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { failure, invalid, NotFound } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { email, integer, list, orNull } from '#kernel/values/schema.ts'
import { MAIL_FAULTS, MailError, type Mail, type Taken } from '#ports/mail/port.ts'
import { MAIL_PROVIDERS } from './mail-providers.ts'
import { MailServer } from './mail-server.ts'
import { writeTestMail } from './templates.ts'

const encryption = v.picklist(['tls', 'starttls'])

const words = {
  canChange: 'Whether they can be changed here: flags and the environment of the program come first.',
  server: 'The mail server; null: there is none, and mails are kept in the data directory.',
  sender: 'The address that mails come from; null: there is no mail server.',
  providers: 'The servers of the usual providers of mailboxes.',
  host: 'The name or address of the mail server.',
  port: 'Where it listens.',
  encryption: 'tls: from the start. starttls: once the connection stands, before any password is sent.',
  user: 'Who signs in at the mail server; empty: nobody.',
  password:
    'Of that user. It is never shown. Left out, the one that is kept stays, as long as host, port, encryption and user are the same.',
  to: 'Who gets the test mail.',
  sent: 'Whether the mail server took the mail.',
  fault: 'Why it did not; null: it did.',
  answer: 'What the mail server said, in its own words.',
  passwordUnused:
    'Whether a user is set and the mail server took the mail without a sign-in: the password was not used, and nobody knows whether it is right.',
}

const place = { host: v.string(), port: integer(1, 65_535), encryption }

const MailSettingsReply = named(
  'MailSettings',
  v.object({
    canChange: v.boolean(),
    server: orNull(named('MailServer', v.object({ ...place, user: v.string() }), words)),
    sender: orNull(v.string()),
    providers: list(
      named('MailProvider', v.object({ id: v.picklist(MAIL_PROVIDERS.map(({ id }) => id)), ...place }), words),
    ),
  }),
  words,
)

const { password: keptOrNew, ...others } = MailServer.entries
const MailServerChange = named('NewMailServer', v.object({ ...others, password: v.optional(keptOrNew.wrapped) }), words)
type MailServerChange = v.InferOutput<typeof MailServerChange>

const Trial = named('MailTrial', v.object({ server: v.optional(MailServerChange), to: email }), {
  ...words,
  server: 'The mail server to try; left out: the one in force.',
})

const TrialResult = named(
  'MailTrialResult',
  v.object({
    sent: v.boolean(),
    fault: orNull(v.picklist(MAIL_FAULTS)),
    answer: v.string(),
    passwordUnused: v.boolean(),
  }),
  words,
)

/** The mail settings as they may be shown. */
export interface MailState {
  /** Whether neither flags nor the environment configure mail. */
  canChange: boolean
  server: Pick<MailServer, 'host' | 'port' | 'encryption' | 'user'> | null
  sender: string | null
}

/** The mail settings of the program. */
export interface MailSettings {
  state(): MailState
  /** The password in force; '': none. */
  password(): string
  /** Connects to the mail server in force; without one, does nothing. @throws MailError */
  check(): Promise<void>
  /** Writes the settings to the configuration file and applies them at once. */
  save(server: MailServer): Promise<void>
  /**
   * Sends one mail, within seconds.
   * @param server undefined: the current settings
   * @throws MailError
   */
  trySending(server: MailServer | undefined, mail: Mail): Promise<Taken>
}

/** Sends a test mail, and says what became of it. */
export const tryMail = async (
  settings: MailSettings,
  server: MailServer | undefined,
  mail: Mail,
): Promise<v.InferOutput<typeof TrialResult>> => {
  try {
    return { sent: true, fault: null, ...(await settings.trySending(server, mail)) }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return { sent: false, fault: error.fault, answer: error.message, passwordUnused: false }
  }
}

export const MailFixed = failure(
  'CONFLICT',
  'mail_fixed',
  'Flags or the environment of the program name the mail server: it is changed there.',
)

const NoMailServer = failure('CONFLICT', 'no_mail_server', 'There is no mail server to send through yet.')

/**
 * The server with its password. The one that is kept goes to no other server than it was given for.
 * @throws VALIDATION_ERROR
 */
const withPassword = (settings: MailSettings, given: MailServerChange, path: string[]): MailServer => {
  const { password, ...server } = given
  if (password !== undefined || server.user === '') return { ...server, password: password ?? '' }
  const known = settings.state().server
  const isSame =
    known !== null &&
    (['host', 'port', 'encryption', 'user'] as const).every((name) => String(known[name]) === String(server[name]))
  if (!isSame) throw invalid([...path, 'password'], 'Is required with another server or user.')
  return { ...server, password: settings.password() }
}

/** Each try keeps a connection to a server that may not answer, and sends a mail to whatever address is given. */
export const TRIALS = [
  { per: 'caller', requests: 20, seconds: 60 },
  { per: 'caller', requests: 40, seconds: 3600 },
] as const

/** How mails go out, for the owner of a self-hosted server. */
export const mailSettingsEndpoints = (settings: MailSettings, isClosed: boolean): readonly Endpoint[] => {
  const reply = () => ({ ...settings.state(), providers: MAIL_PROVIDERS.map((provider) => ({ ...provider })) })
  const closed = isClosed ? NotFound : undefined
  return [
    read({
      id: 'mail.read-settings',
      path: '/mail/settings',
      summary: 'Read by which mail server mails go out',
      description: 'The password is never returned. In cloud mode 404.',
      access: 'owner',
      reply: MailSettingsReply,
      fails: [NotFound],
      closed,
      handle: async () => reply(),
    }),
    change({
      id: 'mail.change-settings',
      method: 'PUT',
      path: '/mail/settings',
      summary: 'Set by which mail server mails go out',
      description:
        'Holds at once, and after every start: it is kept in the configuration file of the server, which its user alone may read. Nothing is sent: POST /mail/test tries it first. In cloud mode 404.',
      access: 'owner',
      lasting: true,
      body: MailServerChange,
      reply: MailSettingsReply,
      fails: [NotFound, MailFixed],
      closed,
      prepare: async ({ body }) => {
        const { canChange, server, sender } = settings.state()
        if (!canChange) throw MailFixed()
        await settings.save(withPassword(settings, body, []))
        return { before: { server: server && `${server.host}:${server.port}`, sender } }
      },
      handle: async ({ tx, body, prepared: { before } }) => {
        const after = { server: `${body.host}:${body.port}`, sender: body.sender }
        tx.audit({ entityType: 'mail_settings', entityId: null, before, after })
        return reply()
      },
    }),
    change({
      id: 'mail.test',
      method: 'POST',
      path: '/mail/test',
      summary: 'Send a test mail',
      description:
        'With `server` through that one, which is not kept, else through the one in force. Answers within 15 seconds what the mail server said, or why it could not be asked. The mail is in the language of Accept-Language, else in that of the institute. 40 an hour at the most (429). In cloud mode 404.',
      access: 'owner',
      body: Trial,
      reply: TrialResult,
      limits: TRIALS,
      fails: [NotFound, NoMailServer],
      closed,
      prepare: async ({ body, tenant, request }) => {
        const server = body.server && withPassword(settings, body.server, ['server'])
        if (!server && settings.state().server === null) throw NoMailServer()
        const locale = request.locale(tenant.defaultLocale)
        return tryMail(settings, server, { to: body.to, locale, ...writeTestMail(locale, tenant.name) })
      },
      handle: async ({ tx, prepared }) => {
        const { sent, fault } = prepared
        tx.audit({ entityType: 'mail_settings', entityId: null, metadata: { sent, fault } })
        return prepared
      },
    }),
  ]
}
