import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { setPassword, type Account } from './accounts.ts'
import { forgetFailures, signInDoor } from './lockout.ts'
import { forgetFactors } from './second-factor/factor.ts'
import { revokeSessions } from './sessions.ts'

/**
 * Hands an account whose address nobody confirmed to the owner of the address. A stranger may have registered it: their
 * password, second factor, passkeys, sessions, mailed links and other data end here.
 * @param password what the owner signs in with from now on; a hash of null: nothing, until they follow a mailed link
 */
export const takeFromStranger = async (
  tx: SystemTx,
  account: Account,
  password: { password_hash: string | null; email_verified: boolean },
): Promise<void> => {
  await setPassword(tx, account.id, password)
  await tx.db.deleteFrom('email_token').where('user_id', '=', account.id).execute()
  await tx.db.updateTable('user').set({ phone: null, avatar_file_id: null }).where('id', '=', account.id).execute()
  await forgetFactors(tx, account.id)
  const endedSessions = await revokeSessions(tx, account.id)
  await forgetFailures(tx, signInDoor(account.email_key))
  tx.audit({ entityType: 'user', entityId: account.id, metadata: { endedSessions } })
}
