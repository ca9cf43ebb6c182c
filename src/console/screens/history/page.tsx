import { useMemo } from 'react'
import { answer, api } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Download } from '../../parts/download.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import type { Kind } from '../../../shared/audit-acts.ts'
import type { Entry } from '../../records/audit/acts.ts'
import { EntryRow, useTold } from '../../records/audit/row.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { instantOf } from '../../words/zone.ts'
import { addDays } from '../../../shared/dates.ts'

const ANY = ''

/** Kinds that say nothing by themselves, or are of the machine: they can be found by nobody's question. */
const UNASKED: readonly Kind[] = [
  'login',
  'file_upload',
  'payer_account',
  'webhook_delivery',
  'tenant',
  'institute',
  'owner',
]

/** `/settings/history`: who changed what, and when. */
export const Screen = () => {
  const words = useWords()
  const { history, settings } = words
  const format = useFormat()
  const who = useTold()
  const { filters, set, clear } = useFilters(['who', 'what', 'id', 'from', 'to'])
  const query = {
    ...(filters.who && { actorUserId: filters.who }),
    ...(filters.what && { entityType: filters.what }),
    ...(filters.id && { entityId: filters.id }),
    ...(filters.from && { from: instantOf(filters.from, '00:00', format.zone) }),
    // Both ends belong to it.
    ...(filters.to && { to: lastInstantOf(filters.to, format.zone) }),
  }
  const pages = usePages<Entry>(['/audit', query], (cursor, signal) =>
    answer(api.GET('/audit', { params: { query: { ...query, limit: 50, ...(cursor && { cursor }) } }, signal })),
  )
  const heads = useMemo(() => firstOfDays(pages.rows ?? [], (instant) => format.dateOf(instant)), [pages.rows, format])
  const kinds = (Object.keys(history.kinds) as Kind[])
    .filter((kind) => !UNASKED.includes(kind))
    .map((id) => ({ id: id as string, label: history.kinds[id] }))
    .toSorted((a, b) => format.compare(a.label, b.label))
  const people = who.data?.map(({ userId, fullName, email }) => ({ id: userId, label: fullName || email })) ?? []
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page title={history.title} about={history.about} actions={<Download path="/audit" query={query} />}>
        <div className="filters" role="group" aria-label={history.filters}>
          {people.length > 0 && (
            <Choice
              label={history.who}
              options={[{ id: ANY, label: history.anybody }, ...people]}
              value={filters.who ?? ANY}
              onChange={(id) => set('who', id)}
            />
          )}
          <Choice
            label={history.what}
            options={[{ id: ANY, label: history.anything }, ...kinds]}
            value={filters.what ?? ANY}
            onChange={(id) => set('what', id)}
          />
          <DateField label={history.from} value={filters.from ?? null} onChange={(day) => set('from', day ?? '')} />
          <DateField label={history.to} value={filters.to ?? null} onChange={(day) => set('to', day ?? '')} />
        </div>
        {filters.id !== undefined && (
          <Notice meaning="info">
            <span className="grow">{history.ofOne}</span>
            <Button look="quiet" onPress={clear}>
              {history.clear}
            </Button>
          </Notice>
        )}
        <Rows pages={pages} label={history.title} keyOf={({ id }) => id} empty={<p>{history.none}</p>}>
          {(entry) => (
            <>
              {heads.has(entry.id) && <h2 className="day-head">{format.longDate(format.dateOf(entry.createdAt))}</h2>}
              <EntryRow entry={entry} workers={who.data ?? []} />
            </>
          )}
        </Rows>
      </Page>
    </>
  )
}

/** The last instant of a day, which the API counts as part of it. */
const lastInstantOf = (day: string, zone: string): string =>
  new Date(Date.parse(instantOf(addDays(day, 1), '00:00', zone)) - 1).toISOString()

/** The ids of the first entry of each day. */
const firstOfDays = (entries: readonly Entry[], dayOf: (instant: string) => string): ReadonlySet<string> =>
  new Set(
    entries
      .filter(({ createdAt }, at) => {
        const former = entries[at - 1]
        return former === undefined || dayOf(former.createdAt) !== dayOf(createdAt)
      })
      .map(({ id }) => id),
  )
