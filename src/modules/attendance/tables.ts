import type { Defaulted, Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

export const ATTENDANCE_STATUSES = ['present', 'absent', 'late', 'excused'] as const
export type AttendanceStatus = (typeof ATTENDANCE_STATUSES)[number]

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    attendance: {
      tenant_id: TenantId
      session_id: Fixed<string>
      student_id: Fixed<string>
      status: AttendanceStatus
      /** 0 unless the status is late. */
      minutes_late: number
      note: string | null
      marked_at: string
      /** The session's attendance_version since the entry was changed last. */
      version: Defaulted<number>
      /** When somebody was added who was not on the roster, until it is decided whether they are enrolled; else null. */
      walk_in_at: Defaulted<string | null>
    }
  }
}

const bySession = { column: 'session_id', of: 'session' }

export const attendanceTables: TableRules = { attendance: { kind: 'tenant', branch: bySession, group: bySession } }
