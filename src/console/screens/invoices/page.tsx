import { useCallback, useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Choice, type Option } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Download } from '../../parts/download.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Waiting } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { dayOf } from '../../../shared/typed.ts'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { BulkBar } from './bulk.tsx'
import { choiceOf, spansOf, type DueChoice, type Span } from './due.ts'
import { InvoiceList, type Chosen } from './list.tsx'
import { Pager, usePageOfList } from './pager.tsx'
import { useInvoices } from '../../records/invoice/reads.ts'
import { NarrowedDays, NarrowedTo } from '../../records/narrowed/narrowed-to.tsx'
import { OPEN, STATUSES, type Status } from '../../records/invoice/status.tsx'

/** What narrows the list; the last ones come with the address alone, from a report. */
const NAMES = [
  ...(['q', 'status', 'branch', 'from', 'to', 'sort'] as const),
  ...(['student', 'issuedFrom', 'issuedTo', 'course', 'group'] as const),
] as const

const NOBODY: Chosen = new Map()

/** All on which something is to be paid, whatever their status. */
const UNPAID = 'unpaid'

const isStatus = (text: string | undefined): text is Status => STATUSES.includes(text as Status)

/** All invoices, a page at a time, narrowed by what the address says. */
export const Screen = () => {
  const { invoices: words, cheques, discounts } = useWords()
  const { can, branches, branchId } = useMe()
  const { filters, set, clear } = useFilters(NAMES)
  const pages = usePageOfList()
  const [chosen, setChosen] = useState(NOBODY)
  const span: Span = { from: dayOf(filters.from), to: dayOf(filters.to) }
  const issued: Span = { from: dayOf(filters.issuedFrom), to: dayOf(filters.issuedTo) }
  const status = isStatus(filters.status) ? filters.status : undefined
  const statuses = filters.status === UNPAID ? OPEN : status && [status]
  const narrow = {
    q: filters.q,
    status: statuses,
    branchId: branchId ?? branches.find(({ id }) => id === filters.branch)?.id,
    studentId: filters.student,
    dueFrom: span.from,
    dueTo: span.to,
    issuedFrom: issued.from,
    issuedTo: issued.to,
    courseId: filters.course,
    groupId: filters.group,
    sort: filters.sort === 'due' ? ('dueDate' as const) : undefined,
  }
  const invoices = useInvoices({ ...narrow, cursor: pages.cursor })
  // What is no longer shown is no longer chosen: nobody changes what they do not see.
  const narrowed = JSON.stringify([filters, branchId])
  const [chosenUnder, setChosenUnder] = useState(narrowed)
  if (chosenUnder !== narrowed) {
    setChosenUnder(narrowed)
    setChosen(NOBODY)
  }
  const top = useRef<HTMLDivElement>(null)
  const shownCursor = useRef(pages.cursor)
  const isShown = invoices.data !== undefined && !invoices.isPlaceholderData
  useEffect(() => {
    if (!isShown || shownCursor.current === pages.cursor) return
    shownCursor.current = pages.cursor
    top.current?.scrollIntoView({ block: 'start' })
    top.current?.querySelector<HTMLElement>('a.invoice')?.focus({ preventScroll: true })
  }, [isShown, pages.cursor])
  const mayWrite = can('invoices.write')
  const rows = invoices.data?.data
  return (
    <Page
      title={words.title}
      actions={
        <>
          <Download path="/invoices" query={narrow} />
          <ButtonLink to="/discounts">{discounts.title}</ButtonLink>
          <ButtonLink to="/receipts">{words.receipts}</ButtonLink>
          <ButtonLink to="/cheques">{cheques.title}</ButtonLink>
          {mayWrite && <ButtonLink to="/invoices/run">{words.monthRun}</ButtonLink>}
          {mayWrite && (
            <ButtonLink to="/invoices/new" look="primary" icon="plus">
              {words.add}
            </ButtonLink>
          )}
        </>
      }
    >
      <Narrow filters={filters} set={set} span={span} issued={issued} student={rows?.[0]?.studentName} />
      {invoices.error !== null && <ProblemNotice problem={invoices.error} onRetry={() => void invoices.refetch()} />}
      {rows === undefined ? (
        invoices.error === null && <Waiting />
      ) : rows.length === 0 ? (
        <div className="card">
          <Empty>
            {Object.keys(filters).length === 0 && pages.cursor === undefined ? (
              <p>{words.noneYet}</p>
            ) : (
              <>
                <p>{words.noneFound}</p>
                <Button onPress={clear}>{words.clear}</Button>
              </>
            )}
          </Empty>
        </div>
      ) : (
        <div ref={top} className="invoices">
          <InvoiceList
            rows={rows}
            isReading={invoices.isFetching}
            {...(mayWrite && { choose: { chosen, onChange: setChosen } })}
          />
        </div>
      )}
      {invoices.data && (
        <Pager pages={pages} nextCursor={invoices.data.nextCursor} isReading={invoices.isPlaceholderData} />
      )}
      {chosen.size > 0 && <BulkBar chosen={chosen} onClear={() => setChosen(NOBODY)} />}
    </Page>
  )
}

/** How many filters there are; both ends of a time are one. */
const countOf = (filters: object): number => {
  const names = Object.keys(filters).filter((name) => name !== 'q')
  return new Set(names.map((name) => name.replace(/^to$/, 'from').replace(/^issuedTo$/, 'issuedFrom'))).size
}

type Filter = ReturnType<typeof useFilters<(typeof NAMES)[number]>>

interface NarrowProps extends Pick<Filter, 'filters' | 'set'> {
  span: Span
  /** The days on which they were issued. */
  issued: Span
  /** The name of the one student, where there is one. */
  student: string | undefined
}

const Narrow = ({ filters, set, span, issued, student }: NarrowProps) => {
  const { invoices: words, people } = useWords()
  const format = useFormat()
  const { branches, branchId } = useMe()
  const search = useCallback((typed: string) => set('q', typed), [set])
  const [isRange, setRange] = useState(false)
  const choice = isRange ? 'range' : choiceOf(span, format)
  const choose = (id: DueChoice) => {
    setRange(id === 'range')
    if (id === 'range') return
    const { from, to } = id === 'any' ? { from: '', to: '' } : spansOf(format.today())[id]
    set('from', from)
    set('to', to)
  }
  const one = <Id extends string>(label: string, options: Option<Id>[], value: Id, onChange: (id: Id) => void) => (
    <Choice label={label} isLabelUnseen options={options} value={value} onChange={onChange} />
  )
  const dues: DueChoice[] = ['any', 'past', 'week', 'month', 'range']
  return (
    <Filters
      search={<SearchField label={words.search} value={filters.q ?? ''} onChange={search} />}
      active={countOf(filters)}
    >
      {one(
        words.status,
        [
          { id: 'any', label: words.anyStatus },
          { id: UNPAID, label: words.unpaid },
          ...STATUSES.map((id) => ({ id, label: people.invoiceStatuses[id] })),
        ],
        isStatus(filters.status) || filters.status === UNPAID ? filters.status : 'any',
        (id) => set('status', id === 'any' ? '' : id),
      )}
      {one(
        words.dueDate,
        dues.map((id) => ({ id, label: words.dues[id] })),
        choice,
        choose,
      )}
      {branches.length > 1 &&
        branchId === null &&
        one(
          people.branch,
          [{ id: 'any', label: words.anyBranch }, ...branches.map(({ id, name }) => ({ id, label: name }))],
          branches.find(({ id }) => id === filters.branch)?.id ?? 'any',
          (id) => set('branch', id === 'any' ? '' : id),
        )}
      {one(
        words.order,
        (['newest', 'due'] as const).map((id) => ({ id, label: words.orders[id] })),
        filters.sort === 'due' ? 'due' : 'newest',
        (id) => set('sort', id === 'due' ? id : ''),
      )}
      {filters.student !== undefined && (
        <Button icon="cross" onPress={() => set('student', '')}>
          {student ?? words.student}
        </Button>
      )}
      <NarrowedDays {...issued} names={['issuedFrom', 'issuedTo']} set={set} worded={words.issuedIn} />
      <NarrowedTo filters={filters} set={set} hasBranches />
      {choice === 'range' && (
        <div className="range">
          <DateField label={words.from} value={span.from || null} onChange={(date) => set('from', date ?? '')} />
          <DateField label={words.to} value={span.to || null} onChange={(date) => set('to', date ?? '')} />
        </div>
      )}
    </Filters>
  )
}
