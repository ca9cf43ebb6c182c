import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Copied } from '../../parts/copied.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { addressFault } from './address-fault.ts'
import { Code } from './code.tsx'
import { EventChecks } from './event-checks.tsx'
import { ALL_EVENTS, type EventType } from './events.ts'

/** `/settings/webhooks/new`: asks for the address, and shows the signing secret once. */
export const Screen = () => {
  const { webhooks: words } = useWords()
  const [made, setMade] = useState<Schemas['CreatedWebhookEndpoint']>()
  return (
    <>
      <Back to="/settings/webhooks" label={words.title} />
      {made ? <Made webhook={made} /> : <New onMade={setMade} />}
    </>
  )
}

const New = ({ onMade }: { onMade: (made: Schemas['CreatedWebhookEndpoint']) => void }) => {
  const { webhooks: words } = useWords()
  const make = useChange('webhook', (body: { url: string; events: EventType[] }, header) =>
    answer(api.POST('/webhooks', { body, params: { header } })),
  )
  const form = useForm<{ url: string; events: EventType[] }>({
    start: { url: '', events: ALL_EVENTS },
    bounds: BOUNDS.NewWebhookEndpoint,
    missing: { url: words.addressMissing, events: words.whatMissing },
    refused: { url: ({ message }) => addressFault(words, message) },
    send: async ({ url, events }) => onMade(await make.mutateAsync({ url: url.trim(), events })),
  })
  return (
    <Page title={words.add} hasOwnFocus>
      <div className="narrow">
        <Form form={form} label={words.add} verb={words.add} hasRetry>
          <Field
            label={words.address}
            hint={words.addressHint}
            type="url"
            placeholder="https://www.example.org/institute"
            isLtr
            {...form.field('url')}
            autoFocus
          />
          <EventChecks {...form.field('events')} />
        </Form>
      </div>
    </Page>
  )
}

const Made = ({ webhook: { id, url, secret } }: { webhook: Schemas['CreatedWebhookEndpoint'] }) => {
  const { webhooks: words } = useWords()
  return (
    <Page title={words.made} about={<bdi className="ltr-text breaks">{url}</bdi>} isNext>
      <div className="narrow">
        <div className="card padded">
          <Copied label={words.secretNew} hint={words.secretHint} text={secret} />
          <Notice meaning="warn">
            <span className="grow">{words.secretLost}</span>
          </Notice>
          <ButtonLink look="primary" to={`/settings/webhooks/${id}`}>
            {words.secretKept}
          </ButtonLink>
        </div>
        <Code />
      </div>
    </Page>
  )
}
