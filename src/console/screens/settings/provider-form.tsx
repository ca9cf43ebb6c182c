import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Choice, Segments } from '../../parts/choose.tsx'
import { Field, PasswordField } from '../../parts/field.tsx'
import { Form, numberOf, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { nameOf, type Provider } from './provider-names.ts'

type NewProvider = Schemas['NewNotificationProvider']
type Name = NewProvider['provider']
type FieldName = Exclude<keyof NewProvider, 'provider'>

const OF_CHANNEL: Readonly<Record<Provider['channel'], readonly string[]>> = {
  email: ['smtp'],
  sms: ['twilio', 'https'],
  whatsapp: ['meta', 'twilio', 'https'],
  push: ['web_push'],
}

/** What each provider is given. */
const FIELDS: Readonly<Record<string, readonly FieldName[]>> = {
  smtp: ['host', 'port', 'security', 'user', 'password', 'from'],
  twilio: ['accountSid', 'token', 'from'],
  meta: ['phoneNumberId', 'token'],
  https: ['url', 'token', 'from'],
  web_push: ['publicKey', 'privateKey', 'subject'],
}

const SECRET: readonly FieldName[] = ['password', 'token', 'privateKey']
const OPTIONAL: readonly FieldName[] = ['user', 'password']
const SECURITIES = ['starttls', 'tls'] as const

const EMPTY = {
  host: '',
  port: '587',
  security: 'starttls' as (typeof SECURITIES)[number],
  user: '',
  password: '',
  from: '',
  accountSid: '',
  token: '',
  phoneNumberId: '',
  url: '',
  publicKey: '',
  privateKey: '',
  subject: '',
}
type Typed = typeof EMPTY

/** What is known of it is shown, but for its secret, which is typed anew. */
const typedOf = (provider: Provider): Typed => {
  const known = Object.entries(provider).filter(([name, value]) => name in EMPTY && value !== null)
  return { ...EMPTY, ...Object.fromEntries(known.map(([name, value]) => [name, String(value)])) }
}

const bodyOf = (name: string, typed: Typed): NewProvider => {
  const given = (FIELDS[name] ?? []).flatMap((field): [string, string | number][] => {
    const value = typed[field as keyof Typed].trim()
    if (value === '') return []
    return [[field, field === 'port' ? (numberOf(value) ?? 0) : value]]
  })
  return { provider: name as Name, ...Object.fromEntries(given) }
}

/** The institute's own provider of a channel: all of it is given each time, and its secret is never shown again. */
export const ProviderForm = ({ provider, onClose }: { provider: Provider; onClose: () => void }) => {
  const { messageTexts: words, messages } = useWords()
  const { channel } = provider
  const names = OF_CHANNEL[channel]
  const [name, setName] = useState(
    provider.provider !== null && names.includes(provider.provider) ? provider.provider : (names[0] ?? ''),
  )
  const save = useChange('messageProvider', (body: NewProvider) =>
    answer(api.PUT('/notification-providers/{channel}', { params: { path: { channel } }, body })),
  )
  const form = useForm({
    start: () => typedOf(provider),
    bounds: BOUNDS.NewNotificationProvider,
    send: async (typed) => {
      await save.mutateAsync(bodyOf(name, typed))
      toast(words.kept)
      onClose()
    },
  })
  const labelOf = (field: FieldName) => nameOf(field, words.fields)
  return (
    <Sheet title={messages.channels[channel]} isOpen onClose={onClose}>
      <Form form={form} verb={words.keep} onCancel={onClose}>
        {names.length > 1 && (
          <Choice
            label={words.provider}
            options={names.map((id) => ({ id, label: nameOf(id, words.names) }))}
            value={name}
            onChange={setName}
          />
        )}
        {(FIELDS[name] ?? []).map((field) => {
          if (field === 'security') {
            return (
              <Segments
                key={field}
                label={labelOf(field)}
                options={SECURITIES.map((id) => ({ id, label: id.toUpperCase() }))}
                value={form.typed.security}
                onChange={form.field('security').onChange}
              />
            )
          }
          const state = form.field(field)
          if (SECRET.includes(field)) return <PasswordField key={field} label={labelOf(field)} isNew {...state} />
          const isOptional = OPTIONAL.includes(field) || (field === 'from' && name === 'https')
          return <Field key={field} label={labelOf(field)} isLtr isOptional={isOptional} {...state} />
        })}
      </Form>
    </Sheet>
  )
}
