import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, usePages } from '../../api/queries.ts'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useInstituteNames } from '../../records/platform/reads.ts'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'

type Job = Schemas['QueuedJob']

const ANY = ''
const STATES = ['failed', 'queued', 'paused', 'running'] as const

/** Jobs one by one: what failed with what went wrong, to be tried again or dropped. */
export const Jobs = ({ kinds }: { kinds: readonly string[] }) => {
  const { jobs: words } = useWords().platformWork
  const { filters, set } = useFilters(['state', 'kind'])
  const state = STATES.find((known) => known === filters.state) ?? 'failed'
  const query = { state, ...(filters.kind && { name: filters.kind }) }
  const pages = usePages<Job>(['/platform/jobs', query], (cursor, signal) =>
    answer(
      api.GET('/platform/jobs', { params: { query: { ...query, limit: 50, ...(cursor && { cursor }) } }, signal }),
    ),
  )
  const nameOf = useInstituteNames(pages.rows)
  return (
    <Section title={words.single}>
      <div className="filters">
        <Choice
          label={words.state}
          options={STATES.map((id) => ({ id, label: words.states[id] }))}
          value={state}
          onChange={(id) => set('state', id === 'failed' ? '' : id)}
        />
        <Choice
          label={words.kind}
          options={[{ id: ANY, label: words.all }, ...kinds.map((id) => ({ id, label: id }))]}
          value={filters.kind ?? ANY}
          onChange={(id) => set('kind', id)}
        />
      </div>
      <Rows pages={pages} label={words.single} keyOf={({ id }) => id} empty={<p>{words.none}</p>}>
        {(job) => <Row job={job} institute={job.tenantId === null ? words.ofPlatform : nameOf(job.tenantId)} />}
      </Rows>
    </Section>
  )
}

const Row = ({ job, institute }: { job: Job; institute: string }) => {
  const all = useWords()
  const { jobs: words } = all.platformWork
  const format = useFormat()
  const [isAsked, setAsked] = useState(false)
  const { id, name, state, attempts, maxAttempts, runAt, lastError } = job
  const path = { id }
  const retry = useChange('job', (_: void, header) =>
    answer(api.POST('/platform/jobs/{id}/retry', { params: { path, header } })),
  )
  const drop = useChange('job', () => answer(api.DELETE('/platform/jobs/{id}', { params: { path } })))
  const again = () =>
    retry.mutate(undefined, {
      onSuccess: () => toast(words.retriedOne),
      onError: (error) => toast(explain(all, error)),
    })
  return (
    <div className="row">
      <span className="grow">
        <bdi className="name ltr-text">{name}</bdi>
        <span className="about">
          <Dotted>
            <bdi>{institute}</bdi>
            {words.attempts(attempts, maxAttempts)}
            {state !== 'failed' && words.due(format.moment(runAt))}
          </Dotted>
        </span>
        {lastError !== null && (
          <span className="report">
            <bdi className="ltr-text breaks">{lastError}</bdi>
          </span>
        )}
      </span>
      {state !== 'running' && (
        <Menu
          label={words.more(name)}
          entries={[
            ...(state === 'failed' || attempts > 0 ? [{ id: 'retry', label: words.retry, onSelect: again }] : []),
            { id: 'drop', label: words.drop, isDangerous: true, onSelect: () => setAsked(true) },
          ]}
        />
      )}
      <Confirm
        title={words.dropTitle(name)}
        verb={words.drop}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await drop.mutateAsync(undefined)
          toast(words.dropped)
        }}
      >
        <p>{words.dropText}</p>
      </Confirm>
    </div>
  )
}
