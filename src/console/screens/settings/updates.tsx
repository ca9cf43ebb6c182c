import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Choice, Segments } from '../../parts/choose.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Detail } from '../../parts/detail.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useLanguage, useWords } from '../../words/language.tsx'
import { useUpdates } from './reads.ts'
import { FromStick } from './updates-stick.tsx'

type Updates = Schemas['ServerUpdates']
type Done = Schemas['UpdateOutcome']

/** Which version runs, which there is with what is new in it, and whether it is put in by itself. */
export const Screen = () => {
  const { updates: words, settings } = useWords()
  const updates = useUpdates()
  const look = useChange('updates', (_, header) => answer(api.POST('/server/updates/check', { params: { header } })))
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page
        title={words.title}
        about={words.about}
        actions={
          updates.data?.isConfigured && (
            <Button isBusy={look.isPending} onPress={() => look.mutate(undefined)}>
              {words.look}
            </Button>
          )
        }
      >
        <div className="narrow">
          {look.error && <ProblemNotice problem={look.error} />}
          <Loaded query={updates}>{(data) => <All updates={data} />}</Loaded>
        </div>
      </Page>
    </>
  )
}

const All = ({ updates }: { updates: Updates }) => {
  const { updates: words } = useWords()
  const format = useFormat()
  const { version, isConfigured, obstacle, current, offer, check, install, isInstalling, mode } = updates
  return (
    <>
      <div className="notices">
        {isInstalling && (
          <Notice meaning="info">
            <span className="grow">{words.installing}</span>
          </Notice>
        )}
        {!isInstalling && install && install.result !== 'ok' && <Failed done={install} />}
      </div>
      {offer && <Offered updates={updates} offer={offer} />}
      <Section title={words.runs(version)}>
        <div className="card padded">
          {!isConfigured && <p>{words.notConfigured}</p>}
          {isConfigured && !offer && <p>{check?.result === 'ok' ? words.newest : words.unknown}</p>}
          {check && (
            <p className="small">
              {words.lookedAt(format.moment(check.at))} {!offer && check.reason !== null && words.reasons[check.reason]}
            </p>
          )}
          {install?.result === 'ok' && <p className="small">{words.putInAt(format.moment(install.at))}</p>}
          {current && <News news={current.news} title={words.newIn(version)} />}
        </div>
      </Section>
      {isConfigured && <How updates={updates} key={mode} />}
      {obstacle === null && <FromStick isOff={isInstalling} />}
    </>
  )
}

const Failed = ({ done: { at, version, reason, detail } }: { done: Done }) => {
  const { updates: words, server } = useWords()
  const format = useFormat()
  return (
    <Notice meaning="bad">
      <span className="grow">
        {words.failed(version ?? '', format.moment(at))} {reason !== null && words.reasons[reason]}
        <Detail lead={server.details} text={detail} />
      </span>
    </Notice>
  )
}

const News = ({ news, title }: { news: Schemas['VersionNews']; title: string }) => {
  const { locale } = useLanguage()
  const lines = news[locale]
  if (lines.length === 0) return null
  return (
    <>
      <p className="name">{title}</p>
      <ul className="bullets one-column">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}

const MEGABYTE = 1024 * 1024

const Offered = ({ updates, offer }: { updates: Updates; offer: NonNullable<Updates['offer']> }) => {
  const { updates: words } = useWords()
  const format = useFormat()
  const [isAsked, setAsked] = useState(false)
  const install = useChange('updates', (_, header) =>
    answer(api.POST('/server/updates/install', { params: { header } })),
  )
  const plan = useChange('updates', (isPlanned: boolean) =>
    answer(api.PATCH('/server/updates', { body: { isPlanned } })),
  )
  const { obstacle, isInstalling, isPlanned, mode, hour } = updates
  // One that did not go in waits for a person.
  const hasFailed = updates.install?.version === offer.version && updates.install.result === 'failed'
  const goesByItself = (mode === 'install' || isPlanned) && !hasFailed
  return (
    <Section title={words.thereIs(offer.version)}>
      <div className="card padded">
        <News news={offer.news} title={words.newIn(offer.version)} />
        {obstacle === null ? (
          <>
            <p className="small">
              {offer.isFromStick
                ? words.fromStick
                : words.megabytes(format.number(Math.ceil(offer.sizeBytes / MEGABYTE)))}{' '}
              {goesByItself && words.byItself(hourText(hour))}
            </p>
            {plan.error && <ProblemNotice problem={plan.error} />}
            <p className="actions below">
              <Button look="primary" isBusy={isInstalling} onPress={() => setAsked(true)}>
                {words.install}
              </Button>
              {mode !== 'install' && !hasFailed && !isInstalling && (
                <Button isBusy={plan.isPending} onPress={() => plan.mutate(!isPlanned)}>
                  {isPlanned ? words.notAtHour : words.atHour(hourText(hour))}
                </Button>
              )}
            </p>
          </>
        ) : (
          <p className="soft">{words.reasons[obstacle]}</p>
        )}
      </div>
      <Confirm
        title={words.installTitle(offer.version)}
        verb={words.install}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => install.mutateAsync(undefined)}
      >
        <p className="spaced">{words.installText}</p>
      </Confirm>
    </Section>
  )
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

const How = ({ updates }: { updates: Updates }) => {
  const { updates: words, shell } = useWords()
  const [isOpen, setOpen] = useState(false)
  const { mode, hour, channel } = updates
  return (
    <Section
      title={words.how}
      actions={
        <Button look="quiet" onPress={() => setOpen(true)}>
          {shell.edit}
        </Button>
      }
    >
      <div className="card padded">
        <p>{words.modeText[mode](hourText(hour))}</p>
        {mode !== 'off' && <p className="soft">{words.channelText[channel]}</p>}
      </div>
      {isOpen && <HowForm updates={updates} onClose={() => setOpen(false)} />}
    </Section>
  )
}

const HowForm = ({ updates, onClose }: { updates: Updates; onClose: () => void }) => {
  const { updates: words } = useWords()
  const save = useChange('updates', (body: Schemas['ServerUpdatesChanges']) =>
    answer(api.PATCH('/server/updates', { body })),
  )
  const form = useForm({
    start: { mode: updates.mode, hour: updates.hour, channel: updates.channel },
    bounds: {},
    missing: {},
    send: async (typed) => {
      await save.mutateAsync(typed)
      toast(words.saved)
      onClose()
    },
  })
  const { mode, hour } = form.typed
  const canInstall = updates.obstacle === null
  return (
    <Sheet title={words.how} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <Segments
          label={words.mode}
          options={(['off', 'tell', 'install'] as const)
            .filter((id) => canInstall || id !== 'install' || id === updates.mode)
            .map((id) => ({ id, label: words.modes[id] }))}
          value={mode}
          onChange={form.field('mode').onChange}
          isWide
        />
        <p className="soft">{words.modeText[mode](hourText(hour))}</p>
        {mode === 'install' && (
          <Choice
            label={words.hour}
            options={HOURS.map((one) => ({ id: String(one), label: hourText(one) }))}
            value={String(hour)}
            onChange={(id) => form.field('hour').onChange(Number(id))}
          />
        )}
        {mode !== 'off' && (
          <Segments
            label={words.channel}
            options={(['stable', 'early'] as const).map((id) => ({ id, label: words.channels[id] }))}
            value={form.typed.channel}
            onChange={form.field('channel').onChange}
            isWide
          />
        )}
      </Form>
    </Sheet>
  )
}
