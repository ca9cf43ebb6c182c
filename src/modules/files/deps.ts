import type { OutsideDb } from '#kernel/tables.ts'
import type { FileStore } from '#ports/files/port.ts'
import type { Runtime } from '#runtime/transaction.ts'
import type { Vault } from '#runtime/vault.ts'
import type { FileAddresses } from './addresses.ts'

export interface FilesDeps {
  database: Pick<Runtime['database'], 'read'>
  files: FileStore
  vault: Vault
  /** Reads the base address of an institute's signed URLs. */
  baseUrl: (db: OutsideDb, tenantId: string) => Promise<string>
  /** Whether a backup is copying the storage now. */
  isBackingUp: () => boolean
}

/** The dependencies of the endpoints. */
export interface Files {
  files: FileStore
  addresses: FileAddresses
}
