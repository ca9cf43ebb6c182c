import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Choice, Segments } from '../../parts/choose.tsx'
import { Field, PasswordField } from '../../parts/field.tsx'
import { Form, numberOf, useForm, type Fields } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { TrialResult, useTrial } from './mail-trial.tsx'

type Settings = Schemas['MailSettings']
type NewServer = Schemas['NewMailServer']
type Encryption = NewServer['encryption']
type Provider = Settings['providers'][number]['id'] | 'own'

const PORTS: Readonly<Record<Encryption, string>> = { starttls: '587', tls: '465' }

interface Typed {
  provider: Provider | null
  host: string
  port: string
  encryption: Encryption
  user: string
  password: string
  sender: string
}

const typedOf = ({ server, sender, providers }: Settings): Typed => ({
  provider: server && (providers.find(({ host }) => host === server.host)?.id ?? 'own'),
  host: server?.host ?? '',
  port: server ? String(server.port) : PORTS.starttls,
  encryption: server?.encryption ?? 'starttls',
  user: server?.user ?? '',
  password: '',
  sender: sender ?? '',
})

/** What is typed, as the server takes it: without a new password the kept one stays. */
const serverOf = (typed: Typed, { providers }: Settings): NewServer => {
  const usual = providers.find(({ id }) => id === typed.provider)
  const user = typed.user.trim()
  return {
    ...(usual
      ? { host: usual.host, port: usual.port, encryption: usual.encryption }
      : {
          host: typed.host.trim(),
          port: numberOf(typed.port) ?? 0,
          encryption: typed.encryption,
        }),
    user,
    // The usual providers send in the name of whoever signs in.
    sender: usual ? user : typed.sender.trim(),
    ...(typed.password !== '' && { password: typed.password }),
  }
}

/** The button that keeps what could not be tried. */
const ANYWAY = 'anyway'

/** Names the mailbox that mails go out by. It is tried first, with a mail to whoever is signed in, and then kept. */
export const MailForm = ({ mail }: { mail: Settings }) => {
  const { mail: words } = useWords()
  const trial = useTrial()
  const keep = useChange('mail', (body: NewServer) => answer(api.PUT('/mail/settings', { body })))
  const form = useForm<Typed>({
    start: typedOf(mail),
    bounds: ({ provider }) => {
      if (provider === null) return {}
      // The usual providers send in the name of whoever signs in.
      return provider === 'own' ? BOUNDS.NewMailServer : { user: BOUNDS.NewMailServer.sender }
    },
    missing: { host: words.hostMissing, port: words.portWrong, sender: words.addressWrong, user: words.addressWrong },
    wrong: { port: words.portWrong, sender: words.addressWrong, user: words.addressWrong },
    refused: { password: words.passwordMissing, sender: words.addressWrong },
    rules: ({ provider }) => ({ provider: provider === null && words.choose }),
    send: async (typed, action) => {
      const server = serverOf(typed, mail)
      if (action !== ANYWAY && !(await trial.mutateAsync(server)).sent) return
      await keep.mutateAsync(server)
      toast(words.saved)
      form.set({ password: '' })
    },
  })
  const { provider } = form.typed
  const isOwn = provider === 'own'
  // The usual providers send in the name of whoever signs in: what is refused of the sender stands there.
  const { error = form.field('sender').error, ...ofUser } = form.field('user')
  const ofSender = {
    ...ofUser,
    onChange: (user: string) => form.set({ user, sender: user }),
    ...(error !== undefined && { error }),
  }
  const isOfTyped = JSON.stringify(trial.variables) === JSON.stringify(serverOf(form.typed, mail))
  const failed = isOfTyped && trial.data?.sent === false ? trial.data : undefined
  return (
    <Section title={mail.server === null ? words.set : words.change}>
      <div className="card padded">
        <Form
          form={form}
          label={words.set}
          verb={words.tryAndKeep}
          more={
            failed && (
              <Button type="submit" value={ANYWAY}>
                {words.keepAnyway}
              </Button>
            )
          }
        >
          <Choice<Provider>
            label={words.provider}
            placeholder={words.choose}
            options={[...mail.providers.map(({ id }) => id), 'own' as const].map((id) => ({
              id,
              label: words.providers[id],
            }))}
            {...form.field('provider')}
          />
          {isOwn && <OwnServer form={form} />}
          {provider !== null && (
            <>
              <Field
                label={isOwn ? words.user : words.address}
                hint={isOwn ? words.userHint : undefined}
                type={isOwn ? 'text' : 'email'}
                isLtr
                {...(isOwn ? form.field('user') : ofSender)}
              />
              <PasswordField
                label={words.password}
                hint={[isOwn ? '' : words.passwords[provider], mail.server === null ? '' : words.passwordKept]
                  .filter(Boolean)
                  .join(' ')}
                isNew
                {...form.field('password')}
              />
            </>
          )}
          {isOwn && <Field label={words.sender} hint={words.senderHint} type="email" isLtr {...form.field('sender')} />}
          {failed && <TrialResult result={failed} />}
        </Form>
      </div>
    </Section>
  )
}

const OwnServer = ({ form }: { form: Fields<Typed> }) => {
  const { mail: words } = useWords()
  const { encryption: before, port } = form.typed
  return (
    <>
      <Field label={words.host} hint={words.hostHint} isLtr {...form.field('host')} />
      <Segments<Encryption>
        label={words.encryption}
        options={[
          { id: 'starttls', label: 'STARTTLS' },
          { id: 'tls', label: 'SSL/TLS' },
        ]}
        {...form.field('encryption')}
        onChange={(encryption) => form.set({ encryption, ...(port === PORTS[before] && { port: PORTS[encryption] }) })}
      />
      <Field label={words.port} inputMode="numeric" isLtr {...form.field('port')} />
    </>
  )
}
