import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { readAll, useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { ReasonConfirm } from '../../parts/reason-confirm.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Jobs } from './jobs.tsx'
import { Lanes } from './lanes.tsx'

type Queue = Schemas['JobQueue']

/** The page looks again while somebody watches it. */
const AGAIN_MILLIS = 10_000

/** `/platform/jobs`: what is done after changes: what waits, what failed and why. */
export const Screen = () => {
  const { jobs: words } = useWords().platformWork
  const queues = useGet(
    ['/platform/queues'],
    (signal) =>
      readAll((cursor) =>
        answer(api.GET('/platform/queues', { params: { query: { limit: 100, ...(cursor && { cursor }) } }, signal })),
      ),
    { everyMillis: AGAIN_MILLIS },
  )
  return (
    <Page title={words.title} about={words.about}>
      <Loaded query={queues}>
        {(all) => {
          const shown = all.filter(
            ({ pausedAt, queued, running, failed }) => pausedAt !== null || queued + running + failed > 0,
          )
          return (
            <div className="columns">
              <div>
                <Section title={words.kinds}>
                  <div className="card">
                    {shown.length === 0 ? (
                      <Empty>{words.calm}</Empty>
                    ) : (
                      <ul aria-label={words.kinds}>
                        {shown.map((queue) => (
                          <li key={queue.name}>
                            <QueueRow queue={queue} />
                          </li>
                        ))}
                      </ul>
                    )}
                  </div>
                </Section>
                <Lanes />
              </div>
              <div>
                <Jobs kinds={all.map(({ name }) => name)} />
              </div>
            </div>
          )
        }}
      </Loaded>
    </Page>
  )
}

const QueueRow = ({ queue }: { queue: Queue }) => {
  const { name, pausedAt, pauseReason, queued, running, failed, oldestQueuedAt } = queue
  const all = useWords()
  const { jobs: words, log } = all.platformWork
  const format = useFormat()
  const [isAsked, setAsked] = useState(false)
  const path = { name }
  const onError = (error: Error) => toast(explain(all, error))
  const retry = useChange('job', (_: void, header) =>
    answer(api.POST('/platform/queues/{name}/retry-failed', { params: { path, header } })),
  )
  const pause = useChange('job', (reason: string, header) =>
    answer(api.POST('/platform/queues/{name}/pause', { params: { path, header }, body: { reason } })),
  )
  const resume = useChange('job', (_: void, header) =>
    answer(api.POST('/platform/queues/{name}/resume', { params: { path, header } })),
  )
  return (
    <div className="row">
      <span className="grow">
        <span className="chips">
          <bdi className="name ltr-text">{name}</bdi>
          {failed > 0 && <Badge meaning="bad">{words.failed(format.number(failed))}</Badge>}
          {pausedAt !== null && <Badge meaning="warn">{words.paused(format.moment(pausedAt))}</Badge>}
        </span>
        <span className="about">
          <Dotted>
            {words.waiting(format.number(queued))}
            {running > 0 && words.running(format.number(running))}
            {oldestQueuedAt !== null && words.oldest(format.moment(oldestQueuedAt))}
          </Dotted>
        </span>
        {pauseReason !== null && <span className="about">{log.why(pauseReason)}</span>}
      </span>
      {pausedAt !== null && (
        <Button
          isBusy={resume.isPending}
          onPress={() => resume.mutate(undefined, { onSuccess: () => toast(words.resumed(name)), onError })}
        >
          {words.resume}
        </Button>
      )}
      {(failed > 0 || pausedAt === null) && (
        <Menu
          label={words.more(name)}
          entries={[
            ...(failed > 0
              ? [
                  {
                    id: 'retry',
                    label: words.retryAll,
                    onSelect: () =>
                      retry.mutate(undefined, {
                        onSuccess: ({ retried }) => toast(words.retried(retried)),
                        onError,
                      }),
                  },
                ]
              : []),
            ...(pausedAt === null
              ? [{ id: 'pause', label: words.pause, isDangerous: true, onSelect: () => setAsked(true) }]
              : []),
          ]}
        />
      )}
      <ReasonConfirm
        title={words.pauseTitle(name)}
        verb={words.pause}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async (reason) => {
          await pause.mutateAsync(reason)
          toast(words.pausedNow(name))
        }}
      >
        <p>{words.pauseText}</p>
      </ReasonConfirm>
    </div>
  )
}
