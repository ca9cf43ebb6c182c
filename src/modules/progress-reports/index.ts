import type { Module } from '#kernel/contract/module.ts'
import { progressReportEndpoints } from './endpoints.ts'
import { progressReportTables } from './tables.ts'

export { ProgressReport } from './schemas.ts'
export { latestSentReports, reportRecord, studentOfSentReport } from './service.ts'

export const progressReportsModule: Module = {
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
    people: ['student'],
    sessions: ['session'],
  },
  endpoints: progressReportEndpoints,
}
