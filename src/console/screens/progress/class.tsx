import { useEffect, useRef } from 'react'
import { Link, useParams } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import type { Schemas } from '../../api/client.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { LongField } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useGroup } from '../../records/group/reads.ts'
import { Figures } from '../../records/progress-report/figures.tsx'
import { SendMany } from '../../records/progress-report/many.tsx'
import { useClassReports, type StudentProgress } from '../../records/progress-report/reads.ts'
import { useReportRights } from '../../records/progress-report/rights.ts'
import { ReportState } from '../../records/progress-report/state.tsx'
import { dayOf } from '../../../shared/typed.ts'
import { useIsWide } from '../../shell/device.ts'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { useClass } from './use-class.ts'

type Class = Schemas['ClassReports']

const DESK = 900

/** `/groups/:id/progress-reports`: the reports of a class, one student after the other. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { reports: words } = useWords()
  const format = useFormat()
  const group = useGroup(id)
  const { filters, set } = useFilters(['from', 'to'])
  const [from, to] = [dayOf(filters.from), dayOf(filters.to)]
  const isBackwards = from !== '' && to !== '' && to < from
  const period = from !== '' && to !== '' && !isBackwards ? { periodStart: from, periodEnd: to } : undefined
  const reports = useClassReports(id, period)
  const { periodStart, periodEnd } = reports.data ?? {}
  // Until one of the days is changed, they are those that the server proposes.
  const choose = (name: 'from' | 'to', date: string | null) => {
    if (date === null) return
    set(name, date)
    const [other, proposed] = name === 'from' ? (['to', periodEnd] as const) : (['from', periodStart] as const)
    if (filters[other] === undefined && proposed !== undefined) set(other, proposed)
  }
  return (
    <>
      <Back to={`/groups/${id}`} label={group.data?.name ?? words.group} />
      <Page
        title={words.title}
        {...(group.data && { name: words.writeTitle(group.data.name), about: <bdi>{group.data.name}</bdi> })}
      >
        {reports.data && (
          <div className="filters">
            <DateField
              label={words.from}
              value={filters.from ?? reports.data.periodStart}
              onChange={(date) => choose('from', date)}
            />
            <DateField
              label={words.to}
              value={filters.to ?? reports.data.periodEnd}
              onChange={(date) => choose('to', date)}
              {...(isBackwards && { error: words.backwards })}
            />
          </div>
        )}
        <Loaded query={reports}>
          {(loaded) =>
            loaded.students.length === 0 ? (
              <Empty>
                {words.nobody} {format.range(loaded.periodStart, loaded.periodEnd)}
              </Empty>
            ) : (
              <Writing key={`${loaded.periodStart} ${loaded.periodEnd}`} of={loaded} />
            )
          }
        </Loaded>
      </Page>
    </>
  )
}

const Writing = ({ of }: { of: Class }) => {
  const { reports: words } = useWords()
  const { isOpen, mayWrite } = useReportRights()
  const writing = useClass(of)
  const { students } = of
  const list = useRef<HTMLUListElement>(null)
  const mayWriteOf = ({ report }: StudentProgress): boolean => mayWrite && (report === null || isOpen(report))
  const save = async () => {
    if (await writing.save(students)) toast(words.savedAll)
  }
  // At a desk one begins with the first of whom nothing is written; on a phone the keyboard would hide the list.
  const beginsAtOnce = useIsWide(DESK) && writing.isReady
  useEffect(() => {
    if (beginsAtOnce) list.current?.querySelector<HTMLElement>('[data-empty=true] textarea')?.focus()
  }, [beginsAtOnce])
  const goOn = (from: number) => {
    const fields = [...(list.current?.querySelectorAll<HTMLElement>('[data-at] textarea') ?? [])]
    const next = fields.find((field) => Number(field.closest<HTMLElement>('[data-at]')?.dataset['at']) > from)
    next?.focus()
    next?.scrollIntoView({ block: 'center' })
  }
  const nameOf = (id: string): string => students.find(({ report }) => report?.id === id)?.studentName ?? ''
  const toSend = students.flatMap(({ report }) => (report && isOpen(report) ? report.id : []))
  const failed = students.map(({ studentId }) => writing.problemOf(studentId)).find((problem) => problem !== undefined)
  const written = students.filter(({ report }) => report !== null).length
  if (!writing.isReady) return null
  return (
    <>
      <ul className="class-reports" ref={list} aria-label={words.title}>
        {students.map((student, at) => (
          <li key={student.studentId} className="card" data-at={at}>
            <One
              student={student}
              writing={writing}
              mayWrite={mayWriteOf(student)}
              onNext={() => {
                void writing.save([student])
                goOn(at)
              }}
            />
          </li>
        ))}
      </ul>
      <p className="small keys">{words.keys}</p>
      <div className="bar bulk">
        {failed && <ProblemNotice problem={failed} />}
        <div className="grow">
          <span className="sum">{words.writtenOf(written, students.length)}</span>
          <span className="small" role="status">
            {writing.unsaved > 0 && words.unsaved(writing.unsaved)}
          </span>
        </div>
        {(writing.unsaved > 0 || toSend.length === 0) && mayWrite && (
          <Button
            look={writing.unsaved > 0 ? 'primary' : 'plain'}
            isBusy={writing.isSaving}
            isDisabled={writing.unsaved === 0}
            onPress={() => void save()}
          >
            {words.saveOne}
          </Button>
        )}
        {writing.unsaved === 0 && <SendMany ids={toSend} nameOf={nameOf} />}
      </div>
    </>
  )
}

interface OneProps {
  student: StudentProgress
  writing: ReturnType<typeof useClass>
  mayWrite: boolean
  onNext: () => void
}

const One = ({ student, writing, mayWrite, onNext }: OneProps) => {
  const { reports: words } = useWords()
  const { studentId, studentName, report } = student
  const typed = writing.typedOf(studentId)
  const stands = report?.comment ?? null
  const problem = writing.problemOf(studentId)
  const { maxLength } = BOUNDS.NewProgressReport.comment
  return (
    <>
      <div className="student">
        <span className="grow">
          <Link href={`/students/${studentId}`} className="name link">
            <bdi>{studentName}</bdi>
          </Link>
          <span className="about">
            <Figures of={report ?? student} />
          </span>
        </span>
        {report && <ReportState report={report} />}
        {report && <PaperButton path={`/progress-reports/${report.id}/pdf`} />}
      </div>
      {report?.remark && <p className="remark typed">{words.returnedWith(report.remark)}</p>}
      {problem && <ProblemNotice problem={problem} />}
      {mayWrite ? (
        // The keys are those of the field within it.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
        <div
          className="comment"
          data-empty={(typed ?? stands ?? '') === ''}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !event.ctrlKey) return
            event.preventDefault()
            onNext()
          }}
        >
          <LongField
            label={words.writeTitle(studentName)}
            isLabelUnseen
            {...(maxLength && { maxLength })}
            value={typed ?? stands ?? ''}
            onChange={(text) => writing.type(studentId, text, stands)}
          />
          <div className="actions">
            <Button look="quiet" isBusy={writing.isBusy(studentId)} onPress={onNext}>
              {words.next}
            </Button>
            <span className="small" role="status">
              {typed !== undefined && words.unsavedOne}
            </span>
          </div>
        </div>
      ) : (
        <p className="typed">
          <bdi>{stands ?? '–'}</bdi>
        </p>
      )}
    </>
  )
}
