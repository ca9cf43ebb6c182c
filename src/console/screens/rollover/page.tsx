import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { NO_INTENT } from '../../api/intents/intent.ts'
import { Problem } from '../../api/problem.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Check, Segments } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Waiting } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useSettled } from '../../parts/settled.ts'
import { Confirm } from '../../parts/sheet.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { ChooseGroups, useGroupsToGoOn, WIDE } from './choose-groups.tsx'
import { bodyOf, nextYear, type Draft, type Rollover } from './draft.ts'
import { Made } from './made.tsx'
import { Planned } from './planned.tsx'

/** What is typed and ticked is planned once it rests for so long. */
const PAUSE_MILLIS = 400

const PRICE_RULES = ['keep', 'group_default'] as const

/** The groups that a refusal names. */
const namedBy = (problem: unknown): { id: string; name: string }[] => {
  const { groups } = problem instanceof Problem ? (problem.details as { groups?: { id: string; name: string }[] }) : {}
  return groups ?? []
}

/** `/groups/rollover`: groups go on in a new year. First what would be done, live; then one button. */
export const Screen = () => {
  const { rollover: words } = useWords()
  const format = useFormat()
  const [params] = useSearchParams()
  const first = params.get('group')
  const groups = useGroupsToGoOn()
  const [narrowed, setNarrowed] = useState(first === null ? WIDE : { ...WIDE, status: 'any' })
  const [draft, setDraft] = useState<Draft>(() => ({
    groupIds: first === null ? [] : [first],
    ...nextYear(format.today()),
    keepTimes: true,
    keepTeachers: true,
    priceRule: 'keep',
    names: new Map(),
    ticks: new Map(),
  }))
  const change = (more: Partial<Draft>) => setDraft({ ...draft, ...more })
  const [last, setLast] = useState<Rollover>()
  const body = bodyOf(draft, last)
  const wanted = body && JSON.stringify(body)
  const settled = useSettled(wanted, PAUSE_MILLIS)
  const plan = useGet(
    ['/groups/rollover', settled],
    async (signal) => {
      const asked = { ...(JSON.parse(settled ?? '{}') as Schemas['NewRollover']), dryRun: true }
      const planned = await answer(api.POST('/groups/rollover', { params: { header: NO_INTENT }, body: asked, signal }))
      setLast(planned)
      return planned
    },
    { isOff: settled === undefined, keepsFormer: true, keptMillis: 1 },
  )
  const [made, setMade] = useState<Rollover>()
  const [isAsked, setAsked] = useState(false)
  const [notify, setNotify] = useState(false)
  const make = useChange('rollover', (asked: Schemas['NewRollover'], header) =>
    answer(api.POST('/groups/rollover', { params: { header }, body: asked })),
  )
  if (made) return <Made rollover={made} />
  const planned = body === undefined ? undefined : plan.data
  const { quota } = planned ?? { quota: null }
  const isFull = quota !== null && planned !== undefined && quota.current + planned.groups.length > quota.limit
  const isReady = planned !== undefined && !plan.error && !isFull && !plan.isFetching && settled === wanted
  const isBackward = draft.startsOn !== null && draft.endsOn !== null && draft.endsOn < draft.startsOn
  const named = namedBy(plan.error)
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <Button look="primary" isDisabled={!isReady} onPress={() => setAsked(true)}>
          {words.open(planned?.groups.length ?? 0)}
        </Button>
      }
    >
      <ChooseGroups
        groups={groups}
        chosen={draft.groupIds}
        onChange={(groupIds) => change({ groupIds })}
        narrowed={narrowed}
        onNarrow={setNarrowed}
      />
      <Section title={words.year}>
        <div className="card padded rollover-year">
          <div className="pair">
            <DateField label={words.firstDay} value={draft.startsOn} onChange={(startsOn) => change({ startsOn })} />
            <DateField
              label={words.lastDay}
              value={draft.endsOn}
              onChange={(endsOn) => change({ endsOn })}
              {...(isBackward && { error: words.endFirst })}
            />
          </div>
          <Check isChecked={draft.keepTimes} onChange={(keepTimes) => change({ keepTimes })}>
            {words.keepTimes}
          </Check>
          <Check isChecked={draft.keepTeachers} onChange={(keepTeachers) => change({ keepTeachers })}>
            {words.keepTeachers}
          </Check>
          <Segments
            label={words.price}
            options={PRICE_RULES.map((id) => ({ id, label: words.prices[id] }))}
            value={draft.priceRule}
            onChange={(priceRule) => change({ priceRule })}
          />
        </div>
      </Section>
      {body !== undefined && !isBackward && (
        <Section title={words.plan}>
          {isFull && <Notice meaning="warn">{words.noRoom(quota.limit - quota.current)}</Notice>}
          {plan.error && (
            <>
              <ProblemNotice problem={plan.error} onRetry={() => void plan.refetch()} />
              {named.length > 0 && (
                <p className="below spaced">
                  <span>{format.list(named.map(({ name }) => name))}</span>{' '}
                  <Button
                    onPress={() => {
                      const out = new Set(named.map(({ id }) => id))
                      change({ groupIds: draft.groupIds.filter((id) => !out.has(id)) })
                    }}
                  >
                    {words.takeOut(named.length)}
                  </Button>
                </p>
              )}
            </>
          )}
          {!plan.error && planned === undefined && <Waiting />}
          {!plan.error && planned !== undefined && (
            <>
              <p className="lead">{words.sum(planned.groups.length, planned.kept)}</p>
              <ul className="plans" aria-label={words.plan} aria-busy={plan.isFetching}>
                {planned.groups.map((group) => (
                  <Planned
                    key={group.groupId}
                    group={group}
                    draft={draft}
                    onName={(name) => change({ names: new Map([...draft.names, [group.groupId, name]]) })}
                    onTick={(key, isOn) => change({ ticks: new Map([...draft.ticks, [key, isOn]]) })}
                  />
                ))}
              </ul>
            </>
          )}
        </Section>
      )}
      {planned && body && (
        <Confirm
          title={words.ask(planned.groups.length, planned.kept)}
          verb={words.open(planned.groups.length)}
          isOpen={isAsked}
          onClose={() => setAsked(false)}
          onConfirm={async () => setMade(await make.mutateAsync({ ...body, notify }))}
        >
          <p className="soft">{words.follows(format.date(planned.startsOn))}</p>
          <Check isChecked={notify} onChange={setNotify}>
            {words.notify}
          </Check>
        </Confirm>
      )}
    </Page>
  )
}
