import type { AuditNote, SystemTx } from '#kernel/contract/unit-of-work.ts'
import { userSummary, type Account } from './accounts.ts'
import { revokeImpersonations, revokeSessions } from './sessions.ts'

const setStatus = async (
  tx: SystemTx,
  { id, status: present }: Account,
  status: Account['status'],
  note: Partial<AuditNote>,
): Promise<void> => {
  const before = await userSummary(tx.db, id)
  if (status !== present) {
    await tx.db.updateTable('user').set({ status, updated_at: tx.now }).where('id', '=', id).execute()
  }
  tx.audit({ entityType: 'user', entityId: id, before, after: { ...before, status }, ...note })
}

/**
 * Disables an account: sign-in is refused, and every session ends at once, with the links that were mailed and the
 * sessions in which it impersonates others.
 * @param account locked
 */
export const disableAccount = async (tx: SystemTx, account: Account, note: Partial<AuditNote> = {}): Promise<void> => {
  await setStatus(tx, account, 'disabled', note)
  await revokeSessions(tx, account.id)
  await revokeImpersonations(tx, account.id)
  await tx.db.deleteFrom('email_token').where('user_id', '=', account.id).execute()
}

/** Enables an account again. Sessions that ended stay ended. @param account locked */
export const enableAccount = (tx: SystemTx, account: Account, note: Partial<AuditNote> = {}): Promise<void> =>
  setStatus(tx, account, 'active', note)
