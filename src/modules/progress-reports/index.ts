import type { Module } from '#kernel/contract/module.ts'
import type { FindUnreached } from '#runtime/queue/reached.ts'
import { progressReportEndpoints } from './endpoints.ts'
import { progressReportTables } from './tables.ts'

export { reportReturnedJob, reportsSubmittedJob, type ReportReturned, type ReportsSubmitted } from './notices.ts'
export { ProgressReport } from './schemas.ts'
export { latestSentReports, reportRecord, studentOfSentReport } from './service.ts'

/** @param findUnreached messages are another module’s, which needs this one */
export const progressReportsModule = (findUnreached: FindUnreached): Module => ({
  name: 'progress-reports',
  tags: {
    'progress-reports': 'How a student did over a period, for the family.',
  },
  events: ['progress_report.sent'],
  tables: progressReportTables,
  persons: [{ of: 'student', table: 'progress_report', column: 'student_id' }],
  reads: {
    attendance: ['attendance'],
    exams: ['exam', 'exam_result'],
    groups: ['enrollment', 'group'],
    people: ['guardian_link', 'student'],
    sessions: ['session'],
  },
  endpoints: progressReportEndpoints(findUnreached),
})
