import { useRef, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Form, LongField } from '../../parts/field.tsx'
import { Form as SentForm, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Empty, Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useGroup } from '../../records/group/reads.ts'
import { ExamFigures, Figures } from '../../records/progress-report/figures.tsx'
import { useKeptTexts } from '../../records/progress-report/kept.ts'
import { SendMany } from '../../records/progress-report/many.tsx'
import { useReport, type Report } from '../../records/progress-report/reads.ts'
import { useReportRights } from '../../records/progress-report/rights.ts'
import { ReportState } from '../../records/progress-report/state.tsx'
import { useStudent } from '../../records/student/reads.ts'
import { useFormat, useWords } from '../../words/language.tsx'

/** `/progress-reports/:id`: one report, which is written, read over, sent or returned. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { reports: words } = useWords()
  const report = useReport(id)
  return (
    <>
      <Back to="/progress-reports" label={words.title} />
      {report.data ? (
        <One key={id} report={report.data} />
      ) : (
        <Page title={words.title}>
          <Loaded query={report}>{() => null}</Loaded>
        </Page>
      )}
    </>
  )
}

const One = ({ report }: { report: Report }) => {
  const { reports: words } = useWords()
  const format = useFormat()
  const { isOpen } = useReportRights()
  const student = useStudent(report.studentId)
  const group = useGroup(report.groupId ?? undefined)
  const name = student.data?.fullName ?? ''
  const { comment, remark, submittedAt, sentAt, exams } = report
  return (
    <Page
      title={<bdi>{name === '' ? words.title : name}</bdi>}
      name={name === '' ? words.title : words.writeTitle(name)}
      about={
        <span className="chips">
          <span>
            <Dotted>
              <bdi>{report.groupId === null ? words.allGroups : group.data?.name}</bdi>
              {format.range(report.periodStart, report.periodEnd)}
              {sentAt !== null && words.sentOn(format.date(format.dateOf(sentAt)))}
            </Dotted>
          </span>
          <ReportState report={report} />
        </span>
      }
      actions={<Actions report={report} name={name} />}
    >
      {remark !== null && (
        <Notice meaning="warn" icon="note">
          <span className="grow typed">{words.returnedWith(remark)}</span>
        </Notice>
      )}
      {submittedAt !== null && (
        <Notice meaning="info" icon="clock">
          <span className="grow">{words.waits}</span>
        </Notice>
      )}
      <div className="two">
        <div>
          <Section title={words.comment}>
            {isOpen(report) ? (
              <Comment report={report} />
            ) : (
              <div className="card">
                {comment === null ? (
                  <Empty>–</Empty>
                ) : (
                  <p className="row">
                    <bdi className="typed">{comment}</bdi>
                  </p>
                )}
              </div>
            )}
          </Section>
        </div>
        <div>
          <Section title={words.figures}>
            <p className="lead soft">
              <Figures of={report} />
            </p>
            <ExamFigures exams={exams} />
          </Section>
        </div>
      </div>
    </Page>
  )
}

const KEY = 'comment'

/** What is said of the student: kept in the browser while it is typed. */
const Comment = ({ report }: { report: Report }) => {
  const { reports: words } = useWords()
  const { id, comment, version } = report
  const kept = useKeptTexts(`report ${id}`)
  const form = useRef<HTMLFormElement>(null)
  const change = useChange('report', (text: string) =>
    answer(
      api.PATCH('/progress-reports/{id}', {
        params: { path: { id } },
        body: { comment: text.trim() || null, version },
      }),
    ),
  )
  const typed = kept.texts.get(KEY)
  const save = async () => {
    if (typed === undefined || change.isPending) return
    await change.mutateAsync(typed)
    if (kept.latest.current.get(KEY) === typed) kept.set(KEY, undefined)
    toast(words.saved)
  }
  const { maxLength } = BOUNDS.ProgressReportChanges.comment
  if (!kept.isReady) return null
  return (
    // The keys are those of the field within it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="card padded"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.ctrlKey) form.current?.requestSubmit()
      }}
    >
      <Form ref={form} onSubmit={() => void save().catch(() => {})} label={words.comment}>
        {change.error && <ProblemNotice problem={change.error} />}
        <LongField
          label={words.comment}
          isLabelUnseen
          hint={words.commentHint}
          {...(maxLength && { maxLength })}
          value={typed ?? comment ?? ''}
          onChange={(text) => kept.set(KEY, text === (comment ?? '') ? undefined : text)}
        />
        <div className="actions">
          <Button type="submit" isBusy={change.isPending} isDisabled={typed === undefined}>
            {words.saveOne}
          </Button>
          <span className="small" role="status">
            {typed !== undefined && words.unsavedOne}
          </span>
        </div>
      </Form>
    </div>
  )
}

const Actions = ({ report, name }: { report: Report; name: string }) => {
  const { reports: words, shell } = useWords()
  const { isOpen, mayReturn } = useReportRights()
  const [, go] = useLocation()
  const [asked, setAsked] = useState<'return' | 'remove'>()
  const { id, submittedAt } = report
  const remove = useChange('report', () => answer(api.DELETE('/progress-reports/{id}', { params: { path: { id } } })))
  const close = () => setAsked(undefined)
  return (
    <>
      <PaperButton path={`/progress-reports/${id}/pdf`} />
      {isOpen(report) && (
        <Menu
          label={shell.more}
          entries={[{ id: 'remove', label: words.remove, isDangerous: true, onSelect: () => setAsked('remove') }]}
        />
      )}
      {submittedAt !== null && mayReturn && <Button onPress={() => setAsked('return')}>{words.returnIt}</Button>}
      {isOpen(report) && <SendMany ids={[id]} nameOf={() => name} isOne />}
      <Sheet title={words.returnTitle(name)} isOpen={asked === 'return'} onClose={close}>
        <Return id={id} onClose={close} />
      </Sheet>
      <Confirm
        title={words.removeTitle}
        verb={words.remove}
        isDangerous
        isOpen={asked === 'remove'}
        onClose={close}
        onConfirm={async () => {
          await remove.mutateAsync(undefined)
          toast(words.removed)
          go('/progress-reports')
        }}
      />
    </>
  )
}

const Return = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { reports: words, shell } = useWords()
  const giveBack = useChange('report', (remark: string, header) =>
    answer(api.POST('/progress-reports/{id}/return', { params: { path: { id }, header }, body: { remark } })),
  )
  const form = useForm({
    start: { remark: '' },
    bounds: BOUNDS.ProgressReportReturn,
    send: async ({ remark }) => {
      await giveBack.mutateAsync(remark.trim())
      toast(words.wasReturned)
      onClose()
    },
  })
  return (
    <SentForm form={form} verb={words.returnIt} onCancel={onClose} cancelVerb={shell.leaveIt}>
      <LongField label={words.remark} hint={words.remarkHint} {...form.field('remark')} autoFocus />
    </SentForm>
  )
}
