import type { Asker } from '#kernel/who/actor.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'
import type { Complaint, Note } from './complaints.ts'
import type { PreviewRow } from './preview.ts'

export const IMPORT_KINDS = ['students', 'staff', 'enrollments', 'balances'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** What the rows of an import hold: what its kind says, or students with their guardians. */
export const IMPORT_CONTENTS = [...IMPORT_KINDS, 'families'] as const
export type ImportContent = (typeof IMPORT_CONTENTS)[number]

export const IMPORT_MODES = ['all', 'by_row'] as const
/** What becomes of a row whose guardian's phone is known under another name. */
export const KNOWN_PHONES = ['refuse', 'link'] as const
export const IMPORT_STATUSES = ['queued', 'running', 'done', 'failed'] as const

/** By the head of a column, the field that it holds. */
export type Mapping = Readonly<Record<string, string>>

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    import: {
      id: Fixed<string>
      tenant_id: TenantId
      kind: Fixed<ImportKind>
      mode: Fixed<(typeof IMPORT_MODES)[number]>
      is_dry_run: Fixed<boolean>
      known_phone: Fixed<(typeof KNOWN_PHONES)[number]>
      /** The branch of rows that name none; null: the usual one. */
      branch_id: Fixed<string | null>
      status: (typeof IMPORT_STATUSES)[number]
      /** The file, as it was when the import was asked for: its name, and its bytes in the storage. */
      source_name: Fixed<string>
      object_name: Fixed<string>
      mime_type: Fixed<string>
      /** null: columns are matched by their heads. */
      given_mapping: Json<Mapping | null>
      columns: Json<string[]>
      mapping: Json<Mapping>
      row_count: number
      /** null: what its kind says. */
      content: ImportContent | null
      /** `check`: the rows are tried, and nothing of it is kept. */
      pass: 'check' | 'write'
      /** How many rows of this pass are done; they are taken in one order, however often the import is resumed. */
      position: number
      /** How many processes that read its file have ended on it, counting the one that reads it now. */
      readers_ended: number
      checked: number
      created: number
      updated: number
      unchanged: number
      refused: number
      /** The first of them. */
      errors: Json<Complaint[]>
      /** The first rows as they would stand. */
      preview: Json<PreviewRow[]>
      /** What else there is to tell of rows that were not refused: the first of it. */
      told: Json<Note[]>
      /** The size of the rows that were refused and are kept, in bytes of JSON. */
      kept_bytes: number
      /** In whose name the rows are written. */
      asker: Json<Asker>
      requested_by_user_id: Fixed<string | null>
      finished_at: string | null
      created_at: Fixed<string>
      updated_at: string
    }
    /** A row that was refused, as it stands in the file. */
    import_refusal: {
      tenant_id: TenantId
      import_id: Fixed<string>
      line: Fixed<number>
      cells: Json<string[]>
      reasons: Json<Complaint[]>
    }
    /** The balance that a student came with, so that a second import of it makes no other: an invoice, or credit. */
    imported_balance: {
      tenant_id: TenantId
      student_id: Fixed<string>
      currency: Fixed<Currency>
      invoice_id: string | null
      credit_entry_id: string | null
    }
  }
}

export const importTables: TableRules = {
  import: { kind: 'tenant' },
  import_refusal: { kind: 'tenant' },
  imported_balance: { kind: 'tenant', branch: { column: 'student_id', of: 'student' } },
}
