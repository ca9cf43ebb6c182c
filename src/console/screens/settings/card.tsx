import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Copied } from '../../parts/copied.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { CardForm } from './card-form.tsx'

type Provider = Schemas['PaymentProvider']

/** Over whom families pay by card: set up, tried, and switched on by the owner. */
export const Screen = () => {
  const { card: words, settings } = useWords()
  const providers = useGet(['/payment-providers'], (signal) => answer(api.GET('/payment-providers', { signal })))
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page title={words.title} about={words.about}>
        <div className="narrow">
          <Notice meaning="warn">
            <span className="grow">{words.untried}</span>
          </Notice>
          <Loaded query={providers}>
            {({ data }) => data.map((provider) => <OfProvider key={provider.provider} provider={provider} />)}
          </Loaded>
        </div>
      </Page>
    </>
  )
}

const OfProvider = ({ provider }: { provider: Provider }) => {
  const { card: words } = useWords()
  const { provider: name, isOn, secretSetAt, noticeUrl, noticeProblem } = provider
  const path = { provider: name }
  const toggle = useChange('card', (on: boolean) =>
    answer(api.PUT('/payment-providers/{provider}', { params: { path }, body: { isOn: on } })),
  )
  const trial = useChange('cardTrial', (_: void, header) =>
    answer(api.POST('/payment-providers/{provider}/test', { params: { path, header } })),
  )
  const forget = useChange('card', () => answer(api.DELETE('/payment-providers/{provider}', { params: { path } })))
  const [isForgetting, setForgetting] = useState(false)
  const problem = toggle.error ?? trial.error
  const turn = (on: boolean) => toggle.mutate(on, { onSuccess: () => toast(on ? words.switchedOn : words.switchedOff) })
  const isRefused = trial.data?.ok === false && !trial.isPending
  return (
    <Section
      title={words.names[name]}
      actions={<Badge {...(isOn && { meaning: 'good' as const })}>{isOn ? words.on : words.off}</Badge>}
    >
      <div className="card padded">
        {noticeUrl !== null && noticeProblem !== null && (
          <Notice meaning="warn">
            <span className="grow">{words.noticeProblems[noticeProblem]}</span>
            <ButtonLink look="quiet" to="/settings/server">
              {words.toAddress}
            </ButtonLink>
          </Notice>
        )}
        {noticeUrl !== null && <Copied text={noticeUrl} label={words.noticeUrl} hint={words.noticeHint[name]} />}
        {trial.data && !trial.isPending && (
          <Notice meaning={trial.data.ok ? 'good' : 'bad'} isAlert>
            <span className="grow">{trial.data.ok ? words.works : words.worksNot(trial.data.error ?? '')}</span>
          </Notice>
        )}
        {problem && <ProblemNotice problem={problem} />}
        {secretSetAt !== null && (
          <div className="chips spaced">
            <Button isBusy={trial.isPending} onPress={() => trial.mutate()}>
              {words.try}
            </Button>
            {isOn ? (
              <Button isBusy={toggle.isPending} onPress={() => turn(false)}>
                {words.switchOff}
              </Button>
            ) : (
              // The account is tried first: families would stand before a page that does not open.
              <Button
                isBusy={toggle.isPending || trial.isPending}
                onPress={() => trial.mutate(undefined, { onSuccess: ({ ok }) => ok && turn(true) })}
              >
                {words.switchOn}
              </Button>
            )}
            {!isOn && (
              <Button look="quiet" onPress={() => setForgetting(true)}>
                {words.forget}
              </Button>
            )}
            {!isOn && isRefused && (
              <Button look="quiet" isBusy={toggle.isPending} onPress={() => turn(true)}>
                {words.switchOnAnyway}
              </Button>
            )}
          </div>
        )}
        <CardForm key={String(secretSetAt !== null)} provider={provider} />
        <Confirm
          title={words.forgetTitle(words.names[name])}
          verb={words.forget}
          isDangerous
          isOpen={isForgetting}
          onClose={() => setForgetting(false)}
          onConfirm={async () => {
            await forget.mutateAsync()
            toast(words.forgotten(words.names[name]))
          }}
        >
          <p>{words.forgetText}</p>
        </Confirm>
      </div>
    </Section>
  )
}
