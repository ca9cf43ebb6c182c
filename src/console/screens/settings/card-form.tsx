import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Check } from '../../parts/choose.tsx'
import { Field, PasswordField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

type Provider = Schemas['PaymentProvider']

/** Secrets come first: they are never shown, and stay as they are where nothing is typed. */
const SECRETS = { stripe: ['secretKey', 'webhookSecret'], payplus: ['apiKey', 'secretKey'] } as const
const SHOWN = { stripe: [], payplus: ['paymentPageUid', 'terminalUid'] } as const

/** The account at a provider. */
export const CardForm = ({ provider }: { provider: Provider }) => {
  const { card: words } = useWords()
  const { provider: name, secretSetAt } = provider
  const isKept = secretSetAt !== null
  const save = useChange('card', (body: Schemas['PaymentProviderChanges']) =>
    answer(api.PUT('/payment-providers/{provider}', { params: { path: { provider: name } }, body })),
  )
  const needed = [...(isKept ? [] : SECRETS[name]), ...SHOWN[name]]
  const form = useForm({
    start: {
      secretKey: '',
      webhookSecret: '',
      apiKey: '',
      paymentPageUid: provider.paymentPageUid ?? '',
      terminalUid: provider.terminalUid ?? '',
      isTest: provider.system === 'test',
    },
    bounds: {},
    missing: {},
    rules: (typed) => Object.fromEntries(needed.map((field) => [field, typed[field].trim() === '' && words.missing])),
    send: async ({ isTest, ...typed }) => {
      const given = Object.entries(typed).filter(([, value]) => value.trim() !== '')
      const body = Object.fromEntries(given) as Schemas['PaymentProviderChanges']
      await save.mutateAsync({ ...body, ...(name === 'payplus' && { system: isTest ? 'test' : 'live' }) })
      toast(words.kept)
      form.set({ secretKey: '', webhookSecret: '', apiKey: '' })
    },
  })
  return (
    <Form form={form} label={(isKept ? words.changeOf : words.setUpOf)(words.names[name])} verb={words.keep}>
      {SECRETS[name].map((field) => (
        <PasswordField
          key={field}
          label={words.fields[field]}
          {...(isKept && { hint: words.keptSecret })}
          isNew
          {...form.field(field)}
        />
      ))}
      {SHOWN[name].map((field) => (
        <Field key={field} label={words.fields[field]} isLtr autoComplete="off" {...form.field(field)} />
      ))}
      {name === 'payplus' && <Check {...form.check('isTest')}>{words.isTest}</Check>}
    </Form>
  )
}
