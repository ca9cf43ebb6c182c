import type { QuotaOf } from '#kernel/quota.ts'
import type { SystemDb } from '#kernel/tables.ts'
import type { FileStore } from '#ports/files/port.ts'
import type { Vault } from '#runtime/vault.ts'
import type { FileAddresses } from './addresses.ts'

export interface FilesDeps {
  database: { read: SystemDb }
  files: FileStore
  vault: Vault
  /** What addresses begin with. */
  baseUrl: (db: SystemDb) => Promise<string>
  quotaOf: QuotaOf
  /** Whether a backup is being made of what lies in the storage. */
  isBackingUp: () => boolean
}

/** What the endpoints work with. */
export interface Files {
  files: FileStore
  addresses: FileAddresses
  quotaOf: QuotaOf
}
