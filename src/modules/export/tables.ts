import type { StoragePlace } from '#ports/files/port.ts'
import type { Defaulted, Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

export const EXPORT_STATUSES = ['queued', 'running', 'done', 'failed'] as const
export type ExportStatus = (typeof EXPORT_STATUSES)[number]

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** An institute has one at most. Its id names the archive in the storage. */
    export: {
      id: Fixed<string>
      tenant_id: TenantId
      status: ExportStatus
      /** How much is done, from 0 to 100. */
      percent: number
      requested_by_user_id: Fixed<string | null>
      /** Size and SHA-256 of the archive. */
      size_bytes: number | null
      sha256: string | null
      /** Why it failed, for the owner to read. */
      error: string | null
      /** Where the archive is. */
      place: Defaulted<StoragePlace>
      finished_at: string | null
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

export const exportTables: TableRules = { export: { kind: 'tenant' } }
