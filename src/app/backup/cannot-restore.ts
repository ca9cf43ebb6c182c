import { NewerDatabase } from '#db/steps/migrate.ts'
import type { RestoreReason } from '#modules/setup/index.ts'
import { CannotOpen } from '#runtime/secrets/vault.ts'
import { BadBackup } from './archive.ts'
import { NoRoom } from './free-space.ts'
import { NoMasterKey } from './restore.ts'

export type { RestoreReason }

/** A backup cannot be restored here; nothing was changed. */
export class CannotRestore extends Error {
  readonly reason: RestoreReason

  constructor(reason: RestoreReason, message: string) {
    super(message)
    this.name = 'CannotRestore'
    this.reason = reason
  }
}

const KINDS = { another: 'not_a_backup', newer: 'newer', damaged: 'damaged' } as const

const isFull = (error: unknown): boolean =>
  error instanceof NoRoom || ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

/** What an error of a restore is for those who are told what to do. */
export const reasonOf = (error: unknown): RestoreReason => {
  if (error instanceof CannotRestore) return error.reason
  if (error instanceof BadBackup) return KINDS[error.kind]
  if (error instanceof NewerDatabase) return 'newer'
  if (error instanceof CannotOpen || error instanceof NoMasterKey) return 'no_master_key'
  return isFull(error) ? 'disk_full' : 'failed'
}
