import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { addDays, weekdayOf } from '../../../shared/dates.ts'
import type { Schemas } from '../../api/client.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Download } from '../../parts/download.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { RecordChoice, type RecordSource } from '../../parts/record-choice.tsx'
import { readGroups, useGroup } from '../../records/group/reads.ts'
import { FeatureOff } from '../../records/feature/off.tsx'
import { isOff } from '../../records/feature/reads.ts'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** So many rows are shown; a file has all of them. */
export const SHOWN = 100

const NAMES = ['by', 'from', 'to', 'group'] as const
const DATE = /^\d{4}-\d{2}-\d{2}$/
const ANY = ''

/** What the address says of a report, as the API takes it. */
export const useReportFilters = <By extends string>(ways: readonly [By, ...By[]]) => {
  const { branchId } = useMe()
  const { filters, set } = useFilters(NAMES)
  const dateOf = (text: string | undefined): string | undefined =>
    text !== undefined && DATE.test(text) ? text : undefined
  const by = ways.find((way) => way === filters.by) ?? ways[0]
  const query = {
    by,
    from: dateOf(filters.from),
    to: dateOf(filters.to),
    groupId: filters.group,
    branchId: branchId ?? undefined,
  }
  return { by, query, set }
}

interface Answer {
  data: readonly unknown[]
  nextCursor: string | null
  from?: string
  to?: string
}

interface ReportProps<By extends string, T extends Answer> {
  title: string
  about: string
  /** Of the API. */
  path: string
  filters: {
    by: By
    query: Readonly<Record<string, string | undefined>>
    set: (name: (typeof NAMES)[number], value: string) => void
  }
  /** In which ways the rows may be told; one: there is no choice. */
  ways: readonly { id: By; label: string }[]
  report: UseQueryResult<T>
  /** What is said where there are no rows. */
  empty: string
  /** Whether it is of a time; if not, it is of today. */
  hasTime?: boolean
  children: (report: T) => ReactNode
}

/** One report: its filters, which live in the address, its figures and rows, to be printed or taken along as a file. */
export const Report = <By extends string, T extends Answer>({
  title,
  about,
  path,
  filters,
  ways,
  report,
  empty,
  hasTime = true,
  children,
}: ReportProps<By, T>) => {
  const { reporting: words } = useWords()
  const format = useFormat()
  const { by, query, set } = filters
  const { from, to } = report.data ?? {}
  const time = from !== undefined && to !== undefined ? format.range(from, to) : format.longDate(format.today())
  return (
    <>
      <Back to="/reports" label={words.title} />
      <Page
        title={title}
        about={report.data ? time : about}
        actions={
          <>
            <Download path={path} query={query} />
            <Button icon="print" onPress={() => window.print()}>
              {words.print}
            </Button>
          </>
        }
      >
        <div className="filters">
          {ways.length > 1 && (
            <Segments label={words.shownBy} isLabelUnseen options={ways} value={by} onChange={(id) => set('by', id)} />
          )}
          <GroupChoice value={query['groupId']} onChange={(id) => set('group', id)} />
          {hasTime && (
            <div className="range">
              <DateField
                label={words.from}
                value={query['from'] ?? from ?? null}
                onChange={(day) => day && set('from', day)}
              />
              <DateField label={words.to} value={query['to'] ?? to ?? null} onChange={(day) => day && set('to', day)} />
              <Button
                look="quiet"
                onPress={() => {
                  const today = format.today()
                  set('from', addDays(today, -weekdayOf(today)))
                  set('to', today)
                }}
              >
                {words.thisWeek}
              </Button>
            </div>
          )}
        </div>
        <div className="report">
          {isOff(report) ? (
            <FeatureOff feature="advanced_reports" icon="chart" words={words} />
          ) : (
            <Loaded query={report}>
              {(data) =>
                data.data.length === 0 ? (
                  <div className="card">
                    <Empty>
                      <p>{empty}</p>
                    </Empty>
                  </div>
                ) : (
                  <>
                    {children(data)}
                    {data.nextCursor !== null && <p className="soft">{words.firstOnes(SHOWN)}</p>}
                  </>
                )
              }
            </Loaded>
          )}
        </div>
      </Page>
    </>
  )
}

const groups: RecordSource<Schemas['Group']> = {
  key: ['/groups', 'choice'],
  read: (q, signal) => readGroups({ limit: 50, ...(q && { q }) }, signal),
  optionOf: ({ id, name }) => ({ id, label: name }),
}

const GroupChoice = ({ value, onChange }: { value: string | undefined; onChange: (id: string) => void }) => {
  const { reporting: words } = useWords()
  const { can } = useMe()
  const group = useGroup(can('groups.read') ? value : undefined)
  if (!can('groups.read')) return null
  return (
    <RecordChoice
      label={words.group}
      isLabelUnseen
      source={groups}
      first={[{ id: ANY, label: words.anyGroup }]}
      chosen={group.data && groups.optionOf(group.data)}
      value={value ?? ANY}
      onChange={onChange}
    />
  )
}
