import type { Words } from '../words/words.ts'
import { Choice, Segments } from './choose.tsx'
import { Field, PasswordField } from './field.tsx'
import type { Fields } from './form.tsx'
import { PORTS, type Encryption, type Mailbox, type UsualProvider } from './mailbox.ts'

interface MailboxFieldsProps {
  form: Fields<Mailbox>
  words: Words['mail']
  providers: readonly UsualProvider[]
  /** What stands for no mailbox among the providers; undefined: there has to be one. */
  none?: string
  /** Whether there is a password that stays without a new one. */
  isKept: boolean
}

const NONE = 'none'

export const MailboxFields = ({ form, words, providers, none, isKept }: MailboxFieldsProps) => {
  const { provider } = form.typed
  const isOwn = provider === 'own'
  // The usual providers send in the name of whoever signs in: what is refused of the sender stands there.
  const { error = form.field('sender').error, ...ofUser } = form.field('user')
  const ofSender = {
    ...ofUser,
    onChange: (user: string) => form.set({ user, sender: user }),
    ...(error !== undefined && { error }),
  }
  const { value, onChange, ...ofProvider } = form.field('provider')
  const usual = providers.map(({ id }) => id)
  return (
    <>
      <Choice<NonNullable<Mailbox['provider']> | typeof NONE>
        name="mail-provider"
        label={words.provider}
        placeholder={words.choose}
        options={[
          ...(none === undefined ? [] : [{ id: NONE, label: none } as const]),
          ...[...usual, 'own' as const].map((id) => ({ id, label: words.providers[id] })),
        ]}
        value={value ?? (none === undefined ? null : NONE)}
        onChange={(id) => onChange(id === NONE ? null : id)}
        {...ofProvider}
      />
      {isOwn && <OwnServer form={form} words={words} />}
      {provider !== null && (
        <>
          <Field
            id="mail-user"
            label={isOwn ? words.user : words.address}
            hint={isOwn ? words.userHint : undefined}
            type={isOwn ? 'text' : 'email'}
            isLtr
            {...(isOwn ? form.field('user') : ofSender)}
          />
          <PasswordField
            id="mail-password"
            label={words.password}
            hint={[isOwn ? '' : words.passwords[provider], isKept ? words.passwordKept : ''].filter(Boolean).join(' ')}
            isNew
            {...form.field('password')}
          />
        </>
      )}
      {isOwn && (
        <Field
          id="mail-sender"
          label={words.sender}
          hint={words.senderHint}
          type="email"
          isLtr
          {...form.field('sender')}
        />
      )}
    </>
  )
}

const OwnServer = ({ form, words }: { form: Fields<Mailbox>; words: Words['mail'] }) => {
  const { encryption: before, port } = form.typed
  return (
    <>
      <Field id="mail-host" label={words.host} hint={words.hostHint} isLtr {...form.field('host')} />
      <Segments<Encryption>
        label={words.encryption}
        options={[
          { id: 'starttls', label: 'STARTTLS' },
          { id: 'tls', label: 'SSL/TLS' },
        ]}
        {...form.field('encryption')}
        onChange={(encryption) => form.set({ encryption, ...(port === PORTS[before] && { port: PORTS[encryption] }) })}
      />
      <Field id="mail-port" label={words.port} inputMode="numeric" isLtr {...form.field('port')} />
    </>
  )
}
