import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Clocks } from '../../parts/clocks.tsx'
import { Detail } from '../../parts/detail.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Back } from '../../parts/back.tsx'

type Finding = Schemas['HealthFinding']

/** Whether all is well with the server, in words. */
export const Screen = () => {
  const { server: words, settings } = useWords()
  const format = useFormat()
  const health = useGet(['/server/health'], (signal) => answer(api.GET('/server/health', { signal })))
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page
        title={words.title}
        about={health.data && words.lookedAt(format.moment(health.data.at))}
        actions={
          <Button isBusy={health.isFetching} onPress={() => void health.refetch()}>
            {words.lookAgain}
          </Button>
        }
      >
        <div className="narrow">
          {health.data && (
            <Clocks words={words.clocks} server={Date.parse(health.data.at)} here={health.dataUpdatedAt} />
          )}
          <Loaded query={health}>{({ findings }) => <Findings findings={findings} />}</Loaded>
        </div>
      </Page>
    </>
  )
}

const MEANINGS = { ok: 'good', warning: 'warn', wrong: 'bad' } as const

const Findings = ({ findings }: { findings: readonly Finding[] }) => {
  const { server: words } = useWords()
  // What needs somebody comes first.
  const order = findings.toSorted((a, b) => Number(a.state === 'ok') - Number(b.state === 'ok'))
  return (
    <ul className="card" aria-label={words.title}>
      {order.map(({ about, state, text }) => (
        <li key={about}>
          <div className="row">
            <span className="grow">
              <span className="between">
                <span className="name">{words.abouts[about].title}</span>
                <Badge meaning={MEANINGS[state]} icon={state === 'ok' ? 'tick' : 'warning'}>
                  {words.states[state]}
                </Badge>
              </span>
              <span className={state === 'ok' ? 'about' : 'about words'}>
                {state === 'ok' ? words.abouts[about].well : words.abouts[about].unwell}
              </span>
              {state !== 'ok' && <Detail lead={words.details} text={text} />}
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}
