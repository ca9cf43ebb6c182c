import type { Defaulted, Fixed, ReachPath, TableRules, TenantId } from '#kernel/tables.ts'

export const FILE_KINDS = ['avatar', 'document', 'report', 'attachment'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** Records that a file can be attached to, by the name under which the API knows them: the table, and the file's column. */
export const OWNERS = {
  student: 'student_id',
  guardian: 'guardian_id',
  staff: 'staff_id',
  branch: 'branch_id',
  course: 'course_id',
  group: 'group_id',
  invoice: 'invoice_id',
} as const
export type OwnerTable = keyof typeof OWNERS
export type OwnerColumns = { [T in OwnerTable as (typeof OWNERS)[T]]: string | null }

declare module '#kernel/tables.ts' {
  interface Tables {
    /** Somebody may send bytes, or has sent them, which nobody has looked at. Its id names them in the storage. */
    file_upload: {
      id: Fixed<string>
      tenant_id: TenantId
      kind: Fixed<FileKind>
      mime_type: Fixed<string>
      size_bytes: Fixed<number>
      /** Who asked for it; null: nobody's account. */
      user_id: Fixed<string | null>
      /** Until then the address takes the bytes. */
      expires_at: Fixed<string>
      received_at: string | null
      /** How often its bytes were looked at. */
      tries: Defaulted<number>
      created_at: Fixed<string>
    }
    file: {
      id: Fixed<string>
      tenant_id: TenantId
      kind: FileKind
      original_name: string
      mime_type: string
      size_bytes: number
      sha256: string
      /** The upload that it came from. */
      upload_name: string
      /** Names its bytes in the storage. */
      object_name: string
      uploaded_by_user_id: string | null
      // What it is attached to: one of these, or nothing.
      student_id: string | null
      guardian_id: string | null
      staff_id: string | null
      branch_id: string | null
      course_id: string | null
      group_id: string | null
      invoice_id: string | null
      /** A member. */
      user_id: string | null
      /** The branch that reaches a file which no record leads to a branch; null: only who reaches the whole institute. */
      home_branch_id: string | null
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

const along = (...owners: OwnerTable[]) => owners.map((of) => ({ column: OWNERS[of], of }))
const branch: ReachPath = {
  any: [...along('student', 'guardian', 'staff', 'branch', 'group', 'invoice'), { column: 'home_branch_id' }],
}

export const fileTables: TableRules = {
  file_upload: { kind: 'tenant' },
  /** A file follows what it is attached to. */
  file: { kind: 'tenant', branch, group: { any: along('student', 'group') } },
}
