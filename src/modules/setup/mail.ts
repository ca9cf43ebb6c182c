import * as v from 'valibot'
import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { email, integer, locale, name, orNull, secret } from '#kernel/values/schema.ts'
import {
  MAIL_PROVIDERS,
  MailServer,
  tryMail,
  writeTestMail,
  type MailSettings,
  type MailState,
} from '#modules/mail/index.ts'
import { MAIL_FAULTS } from '#ports/mail/port.ts'
import { admitting, byToken, TRIALS, type AdmittingDeps } from './admit.ts'

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

/** What the wizard shows of them. */
const shown = ({ canChange, server, sender }: MailState): v.InferOutput<typeof MailState> => ({
  canChange,
  server: server && `${server.host}:${server.port}`,
  sender,
})

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
        return { ...shown(mail.state()), providers: [...MAIL_PROVIDERS] }
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
        const state = shown(mail.state())
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
      reply: v.object({
        sent: v.boolean(),
        fault: orNull(v.picklist(MAIL_FAULTS)),
        answer: v.string(),
        passwordUnused: v.boolean(),
      }),
      prepare: async ({ body, db }) => {
        await admit(body.setupToken, db)
        const { to, locale: language, institute = null } = body
        return tryMail(mail, body.mail, { to, locale: language, ...writeTestMail(language, institute) })
      },
      handle: async ({ tx, prepared }) => {
        tx.audit({ entityType: 'mail_settings', entityId: null, metadata: { sent: prepared.sent } })
        return prepared
      },
    }),
  ]
}
