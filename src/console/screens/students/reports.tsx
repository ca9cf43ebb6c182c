import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useChange, usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { ReportSheet } from './report-sheet.tsx'

type Report = Schemas['ProgressReport']
type Student = Schemas['StudentDetail']

/** The progress reports, the newest first: as papers, and drafts to be sent. */
export const Reports = ({ student }: { student: Student }) => {
  const { reports: words } = useWords()
  const { can, institute } = useMe()
  const [isWriting, setWriting] = useState(false)
  const reports = usePages<Report>(['/progress-reports', 'of', student.id], (cursor, signal) => {
    const query = { studentId: student.id, limit: 10, ...(cursor && { cursor }) }
    return answer(api.GET('/progress-reports', { params: { query }, signal }))
  })
  // The institute's plan has none.
  if (reports.error instanceof Problem && reports.error.code === 'FEATURE_DISABLED') return null
  const mayWrite = can('reports.write') && !institute.isReadOnly
  return (
    <Section
      title={words.title}
      actions={
        mayWrite && (
          <Button look="quiet" icon="plus" onPress={() => setWriting(true)}>
            {words.write}
          </Button>
        )
      }
    >
      <Rows pages={reports} label={words.title} keyOf={({ id }) => id} empty={words.none}>
        {(report) => <ReportRow student={student} report={report} mayWrite={mayWrite} />}
      </Rows>
      {mayWrite && <ReportSheet student={student} isOpen={isWriting} onClose={() => setWriting(false)} />}
    </Section>
  )
}

const ReportRow = ({ student, report, mayWrite }: { student: Student; report: Report; mayWrite: boolean }) => {
  const { reports: words, shell } = useWords()
  const format = useFormat()
  const [asked, setAsked] = useState<'send' | 'remove'>()
  const path = { id: report.id }
  const send = useChange('report', (_, header) =>
    answer(api.POST('/progress-reports/{id}/send', { params: { path, header } })),
  )
  const remove = useChange('report', () => answer(api.DELETE('/progress-reports/{id}', { params: { path } })))
  const period = format.range(report.periodStart, report.periodEnd)
  const isDraft = report.status === 'draft'
  const close = () => setAsked(undefined)
  return (
    <div className="row">
      <span className="grow">
        <span className="name">{period}</span>
        <span className="about">
          {report.sentAt === null ? (
            <Badge>{words.draft}</Badge>
          ) : (
            words.sentOn(format.date(format.dateOf(report.sentAt)))
          )}
        </span>
      </span>
      <PaperButton path={`/progress-reports/${report.id}/pdf`} />
      {isDraft && mayWrite && (
        <>
          <Menu
            label={`${shell.more}: ${period}`}
            entries={[
              { id: 'send', label: words.send, onSelect: () => setAsked('send') },
              { id: 'remove', label: words.remove, isDangerous: true, onSelect: () => setAsked('remove') },
            ]}
          />
          <Confirm
            title={words.sendTitle(student.fullName)}
            verb={words.send}
            isOpen={asked === 'send'}
            onClose={close}
            onConfirm={async () => {
              await send.mutateAsync(undefined)
              toast(words.sent)
            }}
          >
            <p>{words.sendText}</p>
          </Confirm>
          <Confirm
            title={words.removeTitle}
            verb={words.remove}
            isDangerous
            isOpen={asked === 'remove'}
            onClose={close}
            onConfirm={() => remove.mutateAsync(undefined)}
          />
        </>
      )}
    </div>
  )
}
