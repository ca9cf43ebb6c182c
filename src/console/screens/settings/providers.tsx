import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge, Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFeatures } from '../../records/feature/reads.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { ProviderForm } from './provider-form.tsx'
import { nameOf, type Provider } from './provider-names.ts'

/** Without it the institute has no provider of its own for the channel. */
const FEATURES = {
  email: 'byo_email_provider',
  push: 'byo_push_provider',
  sms: 'sms_notifications',
  whatsapp: 'whatsapp_notifications',
} as const satisfies Record<Provider['channel'], keyof Schemas['FeatureFlags']>

/** Over whom each channel goes. */
export const Providers = () => {
  const { messageTexts: words } = useWords()
  const providers = useGet(['/notification-providers'], (signal) =>
    answer(api.GET('/notification-providers', { signal })),
  )
  return (
    <Section title={words.providers}>
      <Loaded query={providers}>
        {({ data }) => (
          <ul className="card" aria-label={words.providers}>
            {data.map((provider) => (
              <li key={provider.channel}>
                <Line provider={provider} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <p className="small soft below">{words.providersAbout}</p>
    </Section>
  )
}

type Act = 'set' | 'test' | 'forget'

const Line = ({ provider }: { provider: Provider }) => {
  const { messageTexts: words, messages } = useWords()
  const format = useFormat()
  const { channel, provider: name, updatedAt } = provider
  const [act, setAct] = useState<Act>()
  const close = () => setAct(undefined)
  const mayHave = useFeatures().data?.[FEATURES[channel]] === true
  const isOwn = updatedAt !== null
  const forget = useChange('messageProvider', () =>
    answer(api.DELETE('/notification-providers/{channel}', { params: { path: { channel } } })),
  )
  const label = messages.channels[channel]
  const over = name === null ? words.none : name === 'server' ? words.server : nameOf(name, words.names)
  return (
    <div className="row">
      <span className="grow">
        <span className="chips">
          <span className="name">{label}</span>
          <Badge {...(name !== null && { meaning: 'good' as const })}>{over}</Badge>
        </span>
        {isOwn && <span className="about">{words.since(format.moment(updatedAt))}</span>}
        {!mayHave && name === null && <span className="about words">{words.off}</span>}
      </span>
      {mayHave && !isOwn && <Button onPress={() => setAct('set')}>{words.setUp}</Button>}
      {mayHave && isOwn && (
        <>
          <Button onPress={() => setAct('test')}>{words.test}</Button>
          <Menu
            label={label}
            entries={[
              { id: 'set', label: words.change, onSelect: () => setAct('set') },
              { id: 'forget', label: words.forget, isDangerous: true, onSelect: () => setAct('forget') },
            ]}
          />
        </>
      )}
      {act === 'set' && <ProviderForm provider={provider} onClose={close} />}
      {act === 'test' && <Test channel={channel} onClose={close} />}
      <Confirm
        title={words.forgetTitle(label)}
        verb={words.forget}
        isDangerous
        isOpen={act === 'forget'}
        onClose={close}
        onConfirm={async () => {
          await forget.mutateAsync(undefined)
          toast(words.forgotten)
        }}
      >
        <p className="soft">{words.forgetText}</p>
      </Confirm>
    </div>
  )
}

/** Sends a test at once, and says what the provider said. */
const Test = ({ channel, onClose }: { channel: Provider['channel']; onClose: () => void }) => {
  const { messageTexts: words, messages, shell } = useWords()
  const { user } = useMe()
  const [result, setResult] = useState<Schemas['NotificationProviderTrialResult']>()
  const trial = useChange('messageTrial', (to: string, header) =>
    answer(
      api.POST('/notification-providers/{channel}/test', {
        params: { path: { channel }, header },
        body: to === '' ? {} : { to },
      }),
    ),
  )
  const form = useForm({
    start: { to: channel === 'email' ? user.email : '' },
    send: async ({ to }) => {
      setResult(undefined)
      setResult(await trial.mutateAsync(to.trim()))
    },
  })
  const hint = channel === 'email' ? words.testToHint.email : words.testToHint.phone
  return (
    <Sheet title={`${words.test}: ${messages.channels[channel]}`} isOpen onClose={onClose}>
      <Form form={form} verb={words.test} onCancel={onClose} cancelVerb={shell.close}>
        {channel !== 'push' && <Field label={words.testTo} hint={hint} isLtr {...form.field('to')} autoFocus />}
        {result && (
          <Notice meaning={result.ok ? 'good' : 'bad'} isAlert>
            <span className="grow">{result.ok ? words.works : words.worksNot(result.error ?? '')}</span>
          </Notice>
        )}
      </Form>
    </Sheet>
  )
}
