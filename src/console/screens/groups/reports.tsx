import { Link } from 'wouter'
import { ButtonLink } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { isWithoutReports, useReportPages } from '../../records/progress-report/reads.ts'
import { useReportRights } from '../../records/progress-report/rights.ts'
import { ReportState } from '../../records/progress-report/state.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** The progress reports of the group, the newest first, and the way to write them for all of it. */
export const Reports = ({ groupId }: { groupId: string }) => {
  const { reports: words } = useWords()
  const format = useFormat()
  const { mayWrite } = useReportRights()
  const reports = useReportPages({ groupId, limit: 5 })
  if (isWithoutReports(reports)) return null
  return (
    <Section
      title={words.title}
      actions={mayWrite && <ButtonLink to={`/groups/${groupId}/progress-reports`}>{words.writeClass}</ButtonLink>}
    >
      <Rows pages={reports} label={words.title} keyOf={({ id }) => id} empty={words.none}>
        {(report) => (
          <Link href={`/progress-reports/${report.id}`} className="row">
            <span className="grow">
              <bdi className="name">{report.studentName}</bdi>
              <span className="about">{format.range(report.periodStart, report.periodEnd)}</span>
            </span>
            <ReportState report={report} />
            <Icon name="forward" />
          </Link>
        )}
      </Rows>
    </Section>
  )
}
