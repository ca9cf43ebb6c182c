import { answer, api } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Choice } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Download } from '../../parts/download.tsx'
import { Page } from '../../parts/page.tsx'
import { RecordChoice } from '../../parts/record-choice.tsx'
import { Rows } from '../../parts/rows.tsx'
import type { Kind } from '../../../shared/audit-acts.ts'
import type { Entry } from '../../records/audit/acts.ts'
import { PlatformEntryRow } from '../../records/audit/platform-row.tsx'
import { withoutRuns } from '../../records/audit/runs.ts'
import { ANY_INSTITUTE, useInstituteNames, useUserNames } from '../../records/platform/reads.ts'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { instantOf } from '../../words/zone.ts'

const ANY = ''

/** `/platform/history`: what anybody did, in any institute and on the platform itself. */
export const Screen = () => {
  const { platformWork, history } = useWords()
  const { log: words } = platformWork
  const format = useFormat()
  const { filters, set } = useFilters(['institute', 'what', 'from', 'to'])
  const query = {
    ...(filters.institute && { tenantId: filters.institute }),
    ...(filters.what && { entityType: filters.what }),
    ...(filters.from && { from: instantOf(filters.from, '00:00', format.zone) }),
    ...(filters.to && { to: instantOf(filters.to, '23:59', format.zone) }),
  }
  const pages = usePages<Entry>(['/platform/audit', query], (cursor, signal) =>
    answer(
      api.GET('/platform/audit', { params: { query: { ...query, limit: 50, ...(cursor && { cursor }) } }, signal }),
    ),
  )
  const chosen = filters.institute
  const instituteOf = useInstituteNames([...(pages.rows ?? []), ...(chosen ? [{ tenantId: chosen }] : [])])
  const nameOf = useUserNames(pages.rows)
  const kinds = Object.entries<string | undefined>({ ...history.kinds, ...words.kinds })
    .map(([id, label = id]) => ({ id, label }))
    .toSorted((a, b) => format.compare(a.label, b.label))
  return (
    <Page title={words.title} about={words.about} actions={<Download path="/platform/audit" query={query} />}>
      <div className="filters" role="group" aria-label={history.filters}>
        <RecordChoice
          label={words.institute}
          source={ANY_INSTITUTE}
          first={[{ id: ANY, label: words.everywhere }]}
          value={chosen ?? ANY}
          chosen={chosen === undefined ? undefined : { id: chosen, label: instituteOf(chosen) }}
          onChange={(id) => set('institute', id)}
        />
        <Choice
          label={history.what}
          options={[{ id: ANY, label: history.anything }, ...kinds]}
          value={(filters.what as Kind | undefined) ?? ANY}
          onChange={(id) => set('what', id)}
        />
        <DateField label={history.from} value={filters.from ?? null} onChange={(day) => set('from', day ?? '')} />
        <DateField label={history.to} value={filters.to ?? null} onChange={(day) => set('to', day ?? '')} />
      </div>
      <Rows
        pages={{ ...pages, rows: pages.rows && withoutRuns(pages.rows) }}
        label={words.title}
        keyOf={({ entry }) => entry.id}
        empty={<p>{words.none}</p>}
      >
        {({ entry, count }) => (
          <PlatformEntryRow entry={entry} count={count} who={nameOf(entry)} institute={instituteOf(entry.tenantId)} />
        )}
      </Rows>
    </Page>
  )
}
