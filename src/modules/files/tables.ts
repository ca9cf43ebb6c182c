import type { StoragePlace } from '#ports/files/port.ts'
import type { Defaulted, Fixed, ReachPath, TableRules, TenantId } from '#kernel/contract/tables.ts'

export const FILE_KINDS = ['avatar', 'document', 'report', 'attachment'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** The tables of records that a file can be attached to, named as in the API, each with the column of `file` for it. */
export const OWNERS = {
  student: 'student_id',
  guardian: 'guardian_id',
  staff: 'staff_id',
  branch: 'branch_id',
  course: 'course_id',
  group: 'group_id',
  invoice: 'invoice_id',
  progress_report: 'progress_report_id',
  session: 'session_id',
  exam: 'exam_id',
} as const
export type OwnerTable = keyof typeof OWNERS
export type OwnerColumns = { [T in OwnerTable as (typeof OWNERS)[T]]: string | null }

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** An upload whose bytes may come, or have come but are not checked yet. Its id names them in the storage. */
    file_upload: {
      id: Fixed<string>
      tenant_id: TenantId
      kind: Fixed<FileKind>
      mime_type: Fixed<string>
      size_bytes: Fixed<number>
      /** The user who asked for the address, or the creator of the API key that did; null: neither. */
      user_id: Fixed<string | null>
      /** The address accepts bytes until then. */
      expires_at: Fixed<string>
      received_at: string | null
      /** Where its bytes go. */
      place: Defaulted<StoragePlace>
      /** How often its bytes were checked. */
      tries: Defaulted<number>
      created_at: Fixed<string>
    }
    /** Where the new files of an institute go that was moved. */
    file_home: {
      id: Fixed<string>
      tenant_id: TenantId
      place: StoragePlace
      updated_at: string
    }
    file: {
      id: Fixed<string>
      tenant_id: TenantId
      kind: FileKind
      original_name: string
      mime_type: string
      size_bytes: number
      sha256: string
      /** Id of the upload that became this file. */
      upload_name: string
      /** Id of the object with its bytes in the storage. */
      object_name: string
      /** Where these bytes are. */
      place: Defaulted<StoragePlace>
      uploaded_by_user_id: string | null
      // The record that it is attached to: at most one of these.
      student_id: string | null
      guardian_id: string | null
      staff_id: string | null
      branch_id: string | null
      course_id: string | null
      group_id: string | null
      invoice_id: string | null
      progress_report_id: string | null
      session_id: string | null
      exam_id: string | null
      /** A member. */
      user_id: string | null
      /** A label that the caller chose, in place of a record: only callers of the whole institute reach such a file. */
      label: string | null
      /** An id that the caller gave with the label; nothing checks it. */
      label_id: string | null
      /** The branch of a file whose record has no branch; null: only callers of the whole institute reach it. */
      home_branch_id: string | null
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

const along = (...owners: OwnerTable[]) => owners.map((of) => ({ column: OWNERS[of], of }))
const branch: ReachPath = {
  any: [
    ...along('student', 'guardian', 'staff', 'branch', 'group', 'invoice', 'progress_report', 'session', 'exam'),
    { column: 'home_branch_id' },
  ],
}

export const fileTables: TableRules = {
  file_upload: { kind: 'tenant' },
  file_home: { kind: 'tenant' },
  /** Callers reach a file when they reach the record that it is attached to. */
  file: { kind: 'tenant', branch, group: { any: along('student', 'group', 'session', 'exam') } },
}
