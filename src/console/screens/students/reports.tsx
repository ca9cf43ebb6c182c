import { useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { isWithoutReports, useReportPages } from '../../records/progress-report/reads.ts'
import { useReportRights } from '../../records/progress-report/rights.ts'
import { ReportState } from '../../records/progress-report/state.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { ReportSheet } from './report-sheet.tsx'

/** The progress reports of the student, the newest first. */
export const Reports = ({ student }: { student: Schemas['StudentDetail'] }) => {
  const { reports: words } = useWords()
  const format = useFormat()
  const { mayWrite } = useReportRights()
  const [isWriting, setWriting] = useState(false)
  const reports = useReportPages({ studentId: student.id, limit: 10 })
  if (isWithoutReports(reports)) return null
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
        {(report) => (
          <Link href={`/progress-reports/${report.id}`} className="row">
            <span className="grow">
              <span className="name">{format.range(report.periodStart, report.periodEnd)}</span>
              <span className="about">
                <bdi>{report.groupName ?? words.allGroups}</bdi>
              </span>
            </span>
            <ReportState report={report} />
            <Icon name="forward" />
          </Link>
        )}
      </Rows>
      {mayWrite && <ReportSheet student={student} isOpen={isWriting} onClose={() => setWriting(false)} />}
    </Section>
  )
}
