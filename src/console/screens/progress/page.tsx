import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../parts/button.tsx'
import { Check, Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Download } from '../../parts/download.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { MOST_SENT, SendMany } from '../../records/progress-report/many.tsx'
import { useReportPages, type ListedReport } from '../../records/progress-report/reads.ts'
import { useReportRights } from '../../records/progress-report/rights.ts'
import { ReportState } from '../../records/progress-report/state.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** What each choice asks the list for. */
const STATES = {
  draft: { status: 'draft', submitted: false },
  submitted: { submitted: true },
  sent: { status: 'sent' },
} as const
type State = keyof typeof STATES

const NAMES = Object.keys(STATES) as State[]
const isState = (text: string | undefined): text is State => NAMES.includes(text as State)
const ANY = 'any'

const asText = (asked: object): Record<string, string> =>
  Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, String(value)]))

const NOBODY: ReadonlySet<string> = new Set()

/** `/progress-reports`: what was written, what waits to be read over, what was sent. */
export const Screen = () => {
  const { reports: words } = useWords()
  const { institute } = useMe()
  const { isOpen } = useReportRights()
  const { filters, set, clear } = useFilters(['state', 'group'])
  const state = isState(filters.state) ? filters.state : undefined
  const query = { ...(state && STATES[state]), ...(filters.group && { groupId: filters.group }) }
  const reports = useReportPages({ ...query, limit: 50 })
  const [chosenIds, setChosen] = useState(NOBODY)
  const rows = reports.rows ?? []
  const open = rows.filter(isOpen)
  const chosen = open.filter(({ id }) => chosenIds.has(id))
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosenIds)
    if (isChosen) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  // Where nobody reads reports over, none waits for it.
  const states = NAMES.filter((name) => name !== 'submitted' || institute.reportsApproval || state === 'submitted')
  return (
    <Page title={words.title} about={words.about} actions={<Download path="/progress-reports" query={asText(query)} />}>
      <div className="filters">
        <Choice
          label={words.state}
          isLabelUnseen
          options={[{ id: ANY, label: words.anyState }, ...states.map((id) => ({ id, label: words.statesOf[id] }))]}
          value={state ?? ANY}
          onChange={(id) => set('state', id === ANY ? '' : id)}
        />
        {filters.group !== undefined && rows[0] && (
          <Button icon="cross" onPress={() => set('group', '')}>
            {rows[0].groupName ?? words.group}
          </Button>
        )}
        {open.length > 1 && chosen.length < Math.min(open.length, MOST_SENT) && (
          <Button look="quiet" onPress={() => setChosen(new Set(open.slice(0, MOST_SENT).map(({ id }) => id)))}>
            {words.chooseAll}
          </Button>
        )}
      </div>
      <Rows
        pages={reports}
        label={words.title}
        keyOf={({ id }) => id}
        empty={
          Object.keys(filters).length === 0 ? (
            <p>{words.noneYet}</p>
          ) : (
            <>
              <p>{words.noneFound}</p>
              <Button onPress={clear}>{words.anyState}</Button>
            </>
          )
        }
      >
        {(report) => (
          <ReportLine
            report={report}
            choose={
              isOpen(report)
                ? { isChosen: chosenIds.has(report.id), onChange: (isChosen) => choose(report.id, isChosen) }
                : undefined
            }
          />
        )}
      </Rows>
      {chosen.length > 0 && (
        <section className="bar bulk" aria-label={words.chosenLabel}>
          <span className="grow sum">{words.chosen(chosen.length)}</span>
          <div className="actions">
            <SendMany
              ids={chosen.map(({ id }) => id)}
              nameOf={(id) => rows.find((row) => row.id === id)?.studentName ?? ''}
              onDone={() => setChosen(NOBODY)}
            />
            <Button look="quiet" onPress={() => setChosen(NOBODY)}>
              {words.unchoose}
            </Button>
          </div>
        </section>
      )}
    </Page>
  )
}

interface ReportLineProps {
  report: ListedReport
  /** undefined: it cannot be ticked. */
  choose: { isChosen: boolean; onChange: (isChosen: boolean) => void } | undefined
}

const ReportLine = ({ report, choose }: ReportLineProps) => {
  const { reports: words } = useWords()
  const format = useFormat()
  return (
    <div className="row report-line">
      {choose && (
        <Check isChecked={choose.isChosen} onChange={choose.onChange} aria-label={words.choose(report.studentName)} />
      )}
      <Link href={`/progress-reports/${report.id}`} className="grow">
        <span className="grow">
          <bdi className="name">{report.studentName}</bdi>
          <span className="about">
            <Dotted>
              <bdi>{report.groupName ?? words.allGroups}</bdi>
              {format.range(report.periodStart, report.periodEnd)}
            </Dotted>
          </span>
        </span>
        <span className="ends">
          <ReportState report={report} />
          <Icon name="forward" />
        </span>
      </Link>
    </div>
  )
}
