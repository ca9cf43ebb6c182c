import * as v from 'valibot'
import { openChange, openRead, type Endpoint } from '#kernel/endpoint.ts'
import { NotFound } from '#kernel/errors.ts'
import { email, integer, locale, name, orNull, secret } from '#kernel/schema.ts'
import { writeTestMail } from '#modules/mail/index.ts'
import { MAIL_FAULTS, MailError, type Mail } from '#ports/mail/port.ts'
import { admitting, byToken, TRIALS, type AdmittingDeps } from './admit.ts'
import { MAIL_PROVIDERS } from './mail-providers.ts'
import { MailServer } from './mail-server.ts'

const MailState = v.object({
  canChange: v.boolean(),
  server: orNull(v.string()),
  sender: orNull(v.string()),
})
/** The mail settings, and the providers that the wizard offers. */
const MailOffer = v.object({
  ...MailState.entries,
  providers: v.array(
    v.object({
      id: v.string(),
      host: v.string(),
      port: integer(1, 65_535),
      encryption: v.picklist(['tls', 'starttls']),
    }),
  ),
})
/** `canChange`: neither flags nor the environment configure mail. `server`: host:port; null: there is none. */
export type MailState = v.InferOutput<typeof MailState>

/** The mail settings of the program. */
export interface MailSettings {
  state(): MailState
  /** Writes the settings to the configuration file and applies them at once. */
  save(server: MailServer): Promise<void>
  /**
   * Sends one mail.
   * @param server undefined: the current settings
   * @returns what Mailer.send returns @throws MailError
   */
  trySending(server: MailServer | undefined, mail: Mail): Promise<string>
}

export interface SetupMailDeps extends AdmittingDeps {
  mail: MailSettings
}

/** The wizard's mail settings, for a caller with the setup token, until the institute is set up. */
export const setupMailEndpoints = ({ mail, ...deps }: SetupMailDeps): readonly Endpoint[] => {
  const admit = admitting(deps)
  return [
    openRead({
      ...byToken,
      id: 'setup.mail',
      path: '//setup/mail',
      summary: 'How mails go out, for the wizard',
      description: 'The setup token stands in the header X-Setup-Token.',
      reply: MailOffer,
      limits: TRIALS,
      handle: async ({ request, db }) => {
        await admit(request.header('x-setup-token'), db)
        return { ...mail.state(), providers: [...MAIL_PROVIDERS] }
      },
    }),
    openChange({
      ...byToken,
      id: 'setup.save-mail',
      method: 'POST',
      path: '//setup/mail',
      summary: 'Keep the mail server that the wizard was given',
      description: 'Holds at once, and after every start. Settings that flags or the environment give stay: 404.',
      body: v.object({ setupToken: secret(1), mail: MailServer }),
      reply: MailState,
      prepare: async ({ body, db }) => {
        await admit(body.setupToken, db)
        if (!mail.state().canChange) throw NotFound()
        await mail.save(body.mail)
      },
      handle: async ({ tx }) => {
        const state = mail.state()
        const { server, sender } = state
        tx.audit({ entityType: 'mail_settings', entityId: null, after: { server, sender } })
        return state
      },
    }),
    openChange({
      ...byToken,
      id: 'setup.try-mail',
      method: 'POST',
      path: '//setup/mail/test',
      summary: 'Send a test mail through the mail server that the wizard was given',
      description: 'Without `mail` through the one in force. `answer` is what the mail server said.',
      limits: TRIALS,
      body: v.object({
        setupToken: secret(1),
        mail: v.optional(MailServer),
        to: email,
        locale,
        institute: v.optional(name(200)),
      }),
      reply: v.object({ sent: v.boolean(), fault: orNull(v.picklist(MAIL_FAULTS)), answer: v.string() }),
      prepare: async ({ body, db }) => {
        await admit(body.setupToken, db)
        const { to, locale: language, institute = null } = body
        const test = { to, locale: language, ...writeTestMail(language, institute) }
        try {
          return { sent: true, fault: null, answer: await mail.trySending(body.mail, test) }
        } catch (error) {
          if (!(error instanceof MailError)) throw error
          return { sent: false, fault: error.fault, answer: error.message }
        }
      },
      handle: async ({ tx, prepared }) => {
        tx.audit({ entityType: 'mail_settings', entityId: null, metadata: { sent: prepared.sent } })
        return prepared
      },
    }),
  ]
}
