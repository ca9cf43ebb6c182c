import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Choice, Segments } from '../../parts/choose.tsx'
import { Field, Form, PasswordField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { plainDigits } from '../../../shared/typed.ts'
import { TrialResult, useTrial } from './mail-trial.tsx'

type Settings = Schemas['MailSettings']
type NewServer = Schemas['NewMailServer']
type Encryption = NewServer['encryption']
type Provider = Settings['providers'][number]['id'] | 'own'

const PORTS: Readonly<Record<Encryption, string>> = { starttls: '587', tls: '465' }

const isEmail = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text)

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
          port: Number(plainDigits(typed.port).trim()),
          encryption: typed.encryption,
        }),
    user,
    // The usual providers send in the name of whoever signs in.
    sender: usual ? user : typed.sender.trim(),
    ...(typed.password !== '' && { password: typed.password }),
  }
}

/** Names the mailbox that mails go out by. It is tried first, with a mail to whoever is signed in, and then kept. */
export const MailForm = ({ mail }: { mail: Settings }) => {
  const { mail: words } = useWords()
  const [typed, setTyped] = useState(() => typedOf(mail))
  const [isTried, setTried] = useState(false)
  const trial = useTrial()
  const keep = useChange('mail', (body: NewServer) => answer(api.PUT('/mail/settings', { body })))
  const set = (changes: Partial<Typed>) => {
    setTyped({ ...typed, ...changes })
    trial.reset()
  }
  const { provider } = typed
  const isOwn = provider === 'own'
  const faults = faultsOf(typed, words)
  const shown = isTried ? faults : {}
  const isPasswordMissing = [trial.error, keep.error].some((error) =>
    error?.issues.some(({ path }) => path.includes('password')),
  )
  const save = async () => {
    await keep.mutateAsync(serverOf(typed, mail)).then(
      () => {
        toast(words.saved)
        setTyped({ ...typed, password: '' })
      },
      () => {},
    )
  }
  const submit = async () => {
    setTried(true)
    if (Object.keys(faults).length > 0 || trial.isPending || keep.isPending) return
    const result = await trial.mutateAsync(serverOf(typed, mail)).catch(() => undefined)
    if (result?.sent) await save()
  }
  const problem = trial.error ?? keep.error
  return (
    <Section title={mail.server === null ? words.set : words.change}>
      <div className="card padded">
        <Form onSubmit={() => void submit()} label={words.set}>
          {problem && !isPasswordMissing && <ProblemNotice problem={problem} />}
          <Choice<Provider>
            label={words.provider}
            placeholder={words.choose}
            options={[...mail.providers.map(({ id }) => id), 'own' as const].map((id) => ({
              id,
              label: words.providers[id],
            }))}
            value={provider}
            onChange={(id) => set({ provider: id })}
            error={shown.provider}
          />
          {isOwn && <OwnServer typed={typed} set={set} faults={shown} />}
          {provider !== null && (
            <>
              <Field
                label={isOwn ? words.user : words.address}
                hint={isOwn ? words.userHint : undefined}
                type={isOwn ? 'text' : 'email'}
                value={typed.user}
                onChange={(user) => set({ user })}
                error={shown.user}
                isLtr
              />
              <PasswordField
                label={words.password}
                hint={[isOwn ? '' : words.passwords[provider], mail.server === null ? '' : words.passwordKept]
                  .filter(Boolean)
                  .join(' ')}
                value={typed.password}
                onChange={(password) => set({ password })}
                error={isPasswordMissing ? words.passwordMissing : undefined}
                isNew
              />
            </>
          )}
          {isOwn && (
            <Field
              label={words.sender}
              hint={words.senderHint}
              type="email"
              value={typed.sender}
              onChange={(sender) => set({ sender })}
              error={shown.sender}
              isLtr
            />
          )}
          {trial.data && !trial.data.sent && <TrialResult result={trial.data} />}
          <div className="actions">
            <Button type="submit" look="primary" isBusy={trial.isPending || keep.isPending}>
              {words.tryAndKeep}
            </Button>
            {trial.data?.sent === false && <Button onPress={() => void save()}>{words.keepAnyway}</Button>}
          </div>
        </Form>
      </div>
    </Section>
  )
}

type Faults = Partial<Record<'provider' | 'host' | 'port' | 'user' | 'sender', string>>

const faultsOf = (
  { provider, host, port, user, sender }: Typed,
  words: { choose: string; hostMissing: string; portWrong: string; addressWrong: string },
): Faults => {
  if (provider === null) return { provider: words.choose }
  if (provider !== 'own') return isEmail(user.trim()) ? {} : { user: words.addressWrong }
  const number = Number(plainDigits(port).trim() || 'x')
  return {
    ...(host.trim() === '' && { host: words.hostMissing }),
    ...(!(Number.isInteger(number) && number >= 1 && number <= 65_535) && { port: words.portWrong }),
    ...(!isEmail(sender.trim()) && { sender: words.addressWrong }),
  }
}

interface OwnServerProps {
  typed: Typed
  set: (changes: Partial<Typed>) => void
  faults: Faults
}

const OwnServer = ({ typed, set, faults }: OwnServerProps) => {
  const { mail: words } = useWords()
  return (
    <>
      <Field
        label={words.host}
        hint={words.hostHint}
        value={typed.host}
        onChange={(host) => set({ host })}
        error={faults.host}
        isLtr
      />
      <Segments<Encryption>
        label={words.encryption}
        options={[
          { id: 'starttls', label: 'STARTTLS' },
          { id: 'tls', label: 'SSL/TLS' },
        ]}
        value={typed.encryption}
        onChange={(encryption) =>
          set({ encryption, ...(typed.port === PORTS[typed.encryption] && { port: PORTS[encryption] }) })
        }
      />
      <Field
        label={words.port}
        value={typed.port}
        onChange={(port) => set({ port })}
        error={faults.port}
        inputMode="numeric"
        isLtr
      />
    </>
  )
}
