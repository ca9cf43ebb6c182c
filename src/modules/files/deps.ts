import type { QuotaOf } from '#kernel/quota.ts'
import type { OutsideDb } from '#kernel/tables.ts'
import type { FileStore } from '#ports/files/port.ts'
import type { Runtime } from '#runtime/transaction.ts'
import type { Vault } from '#runtime/vault.ts'
import type { FileAddresses } from './addresses.ts'

export interface FilesDeps {
  database: Pick<Runtime['database'], 'read'>
  files: FileStore
  vault: Vault
  /** What addresses begin with. */
  baseUrl: (db: OutsideDb) => Promise<string>
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
