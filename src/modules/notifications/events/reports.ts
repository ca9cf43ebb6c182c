import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { unlinked } from '#shared/text.ts'
import type { ReportReturned, ReportsSubmitted } from '#modules/progress-reports/index.ts'
import { findHolders, findUsers } from '../recipients/accounts.ts'
import { findStudents } from '../recipients/records.ts'
import type { NotifierResult, Occasion } from './occasion.ts'
import { groupsById, reportsById } from './records.ts'

/** Such work waits where people work: neither mails nor text messages are sent of it. */
const CHANNELS = ['in_app', 'push'] as const

/** A message names the first groups. */
const MOST_GROUPS = 5

/** Reports that wait to be read over, for those who do that: once for everybody. */
export const submittedReports = async (
  { whole }: Pick<Tx, 'whole'>,
  { noticeId, byUserId, branches }: ReportsSubmitted,
): Promise<NotifierResult> => {
  const [by] = await findUsers(whole, [byUserId])
  const groups = await groupsById(
    whole,
    branches.flatMap(({ groupIds }) => groupIds.slice(0, MOST_GROUPS)),
  )
  const occasions: Occasion[] = []
  for (const { branchId, count, groupIds } of branches) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction does one thing at a time
    const holders = await findHolders(whole, 'reports.write', branchId)
    const [only, ...others] = groupIds
    occasions.push({
      sourceId: noticeId,
      templateKey: 'progress_reports.submitted',
      branchId,
      payload: only !== undefined && others.length === 0 ? { groupId: only } : {},
      recipients: holders.filter(({ userId }) => userId !== byUserId),
      channels: CHANNELS,
      values: ({ f }) => {
        const names = groupIds.flatMap((id) => groups.get(id)?.name ?? []).map((name) => unlinked(name))
        return {
          teacherName: unlinked(by?.name ?? '—'),
          count: String(count),
          groups: names.length === 0 ? '—' : names.join(f.comma),
        }
      },
    })
  }
  return { occasions, next: null }
}

/** A report that came back, for whoever handed it in. @returns undefined when it is gone */
export const returnedReport = async (
  { whole }: Pick<Tx, 'whole'>,
  { noticeId, reportId, toUserId, remark }: ReportReturned,
): Promise<Occasion | undefined> => {
  const report = (await reportsById(whole, [reportId])).get(reportId)
  const [student] = report ? await findStudents(whole, [report.student_id]) : []
  if (!report || !student) return undefined
  return {
    sourceId: noticeId,
    templateKey: 'progress_report.returned',
    branchId: student.branchId,
    payload: { progressReportId: reportId },
    recipients: await findUsers(whole, [toUserId]),
    channels: CHANNELS,
    values: ({ f }) => ({
      studentName: unlinked(student.name),
      periodStart: f.date(report.period_start),
      periodEnd: f.date(report.period_end),
      remark: unlinked(remark),
    }),
  }
}
