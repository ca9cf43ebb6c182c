import type { CheckResult } from '#kernel/contract/check.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { FileStore } from '#ports/files/port.ts'
import type { Runtime } from '#runtime/change/transaction.ts'
import type { Download, FileAddresses } from './addresses.ts'

/** @param id the id in the address */
export type FindDownload = (whole: ScopedDb, id: string) => Promise<Download | undefined>

export interface FilesDeps {
  database: Pick<Runtime['database'], 'read'>
  files: FileStore
  addresses: FileAddresses
  /** Finds what other modules offer for download at signed addresses. */
  alsoOffered: FindDownload
  /** Looks whether the bucket works; undefined: there is none. */
  lookAtBucket: (() => Promise<CheckResult>) | undefined
  /** Prepares the bucket when the program starts. */
  prepareBucket: (() => Promise<void>) | undefined
  /** Whether a backup is copying the storage now. */
  isBackingUp: () => boolean
}

/** The dependencies of the endpoints. */
export interface Files {
  files: FileStore
  addresses: FileAddresses
  alsoOffered: FindDownload
}
