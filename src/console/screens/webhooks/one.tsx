import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { explain, ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { addressFault } from './address-fault.ts'
import { Code } from './code.tsx'
import { Deliveries } from './deliveries.tsx'
import { EventChecks } from './event-checks.tsx'
import { ALL_EVENTS, SUBJECTS, type EventType } from './events.ts'
import { useWebhook, type Webhook } from './reads.ts'
import { Secret } from './secret.tsx'
import { stateOf, StateBadge } from './state.tsx'

/** `/settings/webhooks/:id`: one address, what it is told of, and what became of it. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { webhooks: words } = useWords()
  const webhook = useWebhook(id)
  const isGone = webhook.error instanceof Problem && webhook.error.status === 404
  return (
    <>
      <Back to="/settings/webhooks" label={words.title} />
      {webhook.data && !isGone ? (
        <One webhook={webhook.data} />
      ) : (
        <Page title={words.title}>
          {isGone ? <ProblemNotice problem={webhook.error} /> : <Loaded query={webhook}>{() => null}</Loaded>}
        </Page>
      )}
    </>
  )
}

type Ask = 'pause' | 'end'

const One = ({ webhook }: { webhook: Webhook }) => {
  const all = useWords()
  const { webhooks: words } = all
  const [, go] = useLocation()
  const [asked, setAsked] = useState<Ask>()
  const close = () => setAsked(undefined)
  const { id, url, isActive } = webhook
  const test = useChange('webhookTest', (_, header) =>
    answer(api.POST('/webhooks/{id}/test', { params: { path: { id }, header } })),
  )
  const turn = useChange('webhook', (wanted: boolean) =>
    answer(api.PATCH('/webhooks/{id}', { params: { path: { id } }, body: { isActive: wanted } })),
  )
  const end = useChange('webhookEnd', () => answer(api.DELETE('/webhooks/{id}', { params: { path: { id } } })))
  const resume = () =>
    turn.mutate(true, { onSuccess: () => toast(words.resumed), onError: (error) => toast(explain(all, error)) })
  return (
    <Page
      name={url}
      title={<bdi className="ltr-text breaks">{url}</bdi>}
      about={<StateBadge of={webhook} />}
      actions={
        <>
          <Button look="primary" isBusy={test.isPending} onPress={() => test.mutate(undefined)}>
            {words.test}
          </Button>
          {!isActive && (
            <Button isBusy={turn.isPending} onPress={resume}>
              {words.resume}
            </Button>
          )}
          <Menu
            label={all.shell.more}
            entries={[
              ...(isActive ? [{ id: 'pause', label: words.pause, onSelect: () => setAsked('pause') }] : []),
              { id: 'end', label: words.end, isDangerous: true, onSelect: () => setAsked('end') },
            ]}
          />
        </>
      }
    >
      <div className="notices">
        <Standing webhook={webhook} />
        {test.isPending && (
          <Notice meaning="info">
            <span className="grow">{words.testing}</span>
          </Notice>
        )}
        {test.error && !test.isPending && <ProblemNotice problem={test.error} />}
        {test.data && !test.isPending && <Tested result={test.data} />}
      </div>
      <div className="two">
        <Deliveries webhookId={id} />
        <div>
          <Subjects webhook={webhook} />
          <Secret webhook={webhook} />
        </div>
      </div>
      <Code />
      <Confirm
        title={words.pauseTitle}
        verb={words.pause}
        isOpen={asked === 'pause'}
        onClose={close}
        onConfirm={async () => {
          await turn.mutateAsync(false)
          toast(words.pausedNow)
        }}
      >
        <p>{words.pauseText}</p>
      </Confirm>
      <Confirm
        title={words.endTitle(url)}
        verb={words.end}
        isDangerous
        isOpen={asked === 'end'}
        onClose={close}
        onConfirm={async () => {
          await end.mutateAsync(undefined)
          toast(words.ended)
          go('/settings/webhooks')
        }}
      >
        <p>{words.endText}</p>
      </Confirm>
    </Page>
  )
}

/** What its reader has to know of how it stands. */
const Standing = ({ webhook }: { webhook: Webhook }) => {
  const { webhooks: words } = useWords()
  const format = useFormat()
  const { disabledAt, failureCount } = webhook
  const state = stateOf(webhook)
  if (state === 'on') return null
  const text =
    disabledAt !== null
      ? words.off(format.moment(disabledAt))
      : state === 'paused'
        ? words.pausedText
        : words.failing(failureCount)
  return (
    <Notice meaning={state === 'off' ? 'bad' : state === 'paused' ? 'info' : 'warn'}>
      <span className="grow">{text}</span>
    </Notice>
  )
}

const Tested = ({ result }: { result: Schemas['WebhookTestResult'] }) => {
  const { webhooks: words } = useWords()
  const format = useFormat()
  const { ok, statusCode, durationMs, error } = result
  const took = words.millis(durationMs)
  const status = statusCode === null ? '' : format.number(statusCode)
  const text =
    statusCode === null ? words.testNone(error ?? '') : ok ? words.testGood(status, took) : words.testBad(status, took)
  return (
    <Notice meaning={ok ? 'good' : 'bad'} isAlert>
      <span className="grow">{text}</span>
    </Notice>
  )
}

/** The address, and what it is told of, by subject. */
const Subjects = ({ webhook }: { webhook: Webhook }) => {
  const { webhooks: words, shell } = useWords()
  const [isChanging, setChanging] = useState(false)
  const { events } = webhook
  return (
    <Section
      title={words.what}
      actions={
        <Button look="quiet" onPress={() => setChanging(true)}>
          {shell.edit}
        </Button>
      }
    >
      <div className="card padded">
        {events.length === ALL_EVENTS.length ? (
          <p>{words.all}</p>
        ) : (
          SUBJECTS.map(({ subject, events: ofSubject }) => ({
            subject,
            told: ofSubject.filter((one) => events.includes(one)),
          }))
            .filter(({ told }) => told.length > 0)
            .map(({ subject, told }) => (
              <div key={subject}>
                <p className="label">{words.groups[subject]}</p>
                <ul className="bullets one">
                  {told.map((one) => (
                    <li key={one}>{words.events[one]}</li>
                  ))}
                </ul>
              </div>
            ))
        )}
      </div>
      {isChanging && <Change webhook={webhook} onClose={() => setChanging(false)} />}
    </Section>
  )
}

const Change = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const { webhooks: words, shell } = useWords()
  const { id, url, events } = webhook
  const save = useChange('webhook', (body: { url: string; events: EventType[] }) =>
    answer(api.PATCH('/webhooks/{id}', { params: { path: { id } }, body })),
  )
  const form = useForm<{ url: string; events: EventType[] }>({
    start: { url, events: [...events] },
    bounds: BOUNDS.NewWebhookEndpoint,
    missing: { url: words.addressMissing, events: words.whatMissing },
    refused: { url: ({ message }) => addressFault(words, message) },
    send: async (typed) => {
      await save.mutateAsync({ ...typed, url: typed.url.trim() })
      toast(shell.saved)
      onClose()
    },
  })
  return (
    <Sheet title={words.what} isOpen isBroad onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <Field label={words.address} type="url" isLtr {...form.field('url')} />
        <EventChecks {...form.field('events')} />
      </Form>
    </Sheet>
  )
}
