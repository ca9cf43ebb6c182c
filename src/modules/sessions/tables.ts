import type { Defaulted, Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'

export const SESSION_STATUSES = ['scheduled', 'held', 'cancelled'] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

/** Who cancelled a session: somebody, its group that does not take place then, or days on which the institute is closed. */
export const CANCELLED_BY = ['hand', 'group', 'closure'] as const
export type CancelledBy = (typeof CANCELLED_BY)[number]

/** What students are to do at home. */
export interface Homework {
  text: string
  /** The day by which it is to be done; null: none is named. */
  dueOn: string | null
}

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    schedule_rule: {
      id: Fixed<string>
      tenant_id: TenantId
      group_id: Fixed<string>
      /** 0 to 6; 0 is Sunday. */
      weekday: number
      /** HH:MM in the institute's time zone. */
      start_time: string
      end_time: string
      valid_from: string
      valid_to: string | null
    }
    session: {
      id: Fixed<string>
      tenant_id: TenantId
      group_id: Fixed<string>
      scheduled_start: string
      scheduled_end: string
      status: SessionStatus
      /** The substitute; null while the group's own teacher gives the session. */
      teacher_staff_id: string | null
      topic: string | null
      homework: Json<Homework | null>
      notes: string | null
      lesson_id: string | null
      /**
       * The occurrence of the schedule that this session is, even after it was moved: local date and HH:MM; null for a
       * one-off.
       */
      occurrence_date: Fixed<string | null>
      occurrence_slot: Fixed<string | null>
      /** Why it was cancelled; null: it was not, or by a version that kept no reason. */
      cancel_reason: string | null
      /** null: it is not cancelled. */
      cancelled_by: CancelledBy | null
      /** The closed days that cancelled it. They may be gone, until it has come back. */
      closure_id: string | null
      /** Whether people moved it away from the weekly times, which it follows otherwise. */
      is_moved: Defaulted<boolean>
      /** When the whole roster had an entry for the first time. */
      roster_complete_at: string | null
      /** How often an entry of its attendance was changed, counted from 1. */
      attendance_version: Defaulted<number>
      /** The session's end, if it is longer than any session of a schedule can be; else null. */
      long_until: string | null
      created_at: Fixed<string>
      updated_at: string
    }
    /** Who gave a held session; no row while unknown. */
    session_teacher: {
      tenant_id: TenantId
      session_id: Fixed<string>
      staff_id: string
    }
    /** Sessions that a cover gave to its substitute. */
    covered_session: {
      id: Fixed<string>
      tenant_id: TenantId
      cover_id: Fixed<string>
      session_id: Fixed<string>
      /** The substitute before; null: the group's own teacher gave it. */
      former_staff_id: string | null
    }
  }
}

const bySession = { column: 'session_id', of: 'session' }
const byGroup = { column: 'group_id', of: 'group' }

export const sessionTables: TableRules = {
  schedule_rule: { kind: 'tenant', branch: byGroup, group: byGroup },
  session: { kind: 'tenant', branch: byGroup, group: byGroup },
  session_teacher: { kind: 'tenant', branch: bySession, group: bySession },
  covered_session: { kind: 'tenant', branch: bySession, group: bySession },
}
