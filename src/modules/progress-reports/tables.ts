import type { Defaulted, Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'
import type { ExamFigure, ReportStatus } from './schemas.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    progress_report: {
      id: Fixed<string>
      tenant_id: TenantId
      student_id: Fixed<string>
      /** Null: of all the student's groups. */
      group_id: string | null
      period_start: string
      period_end: string
      status: ReportStatus
      present: number
      absent: number
      late: number
      excused: number
      exams: Json<ExamFigure[]>
      average: number | null
      comment: string | null
      sent_at: string | null
      sent_by_user_id: string | null
      /** When it was handed in to be read over; null: it waits for nobody. */
      submitted_at: string | null
      /** The account of whoever handed it in last. */
      submitted_by_user_id: string | null
      /** Why it was returned to whoever wrote it. */
      remark: string | null
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

/** A report follows its student; teachers reach those of their groups, and none over all groups of a student. */
export const progressReportTables: TableRules = {
  progress_report: {
    kind: 'tenant',
    branch: { column: 'student_id', of: 'student' },
    group: { column: 'group_id', of: 'group' },
  },
}
