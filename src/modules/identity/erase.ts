import { forUpdate } from '#db/dialect.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { forgetFactors } from './second-factor/factor.ts'
import { revokeImpersonations, revokeSessions } from './sessions.ts'

/** No mail goes to such an address: the domain is kept free of any (RFC 2606). */
const addressOf = (userId: string): string => `${userId}@erased.invalid`

/**
 * Empties an account of which nobody makes use any more: it cannot sign in, and says nothing of a person. What was done
 * with it goes on naming its id.
 */
export const eraseAccount = async (tx: SystemTx, userId: string, fullName: string): Promise<void> => {
  const { db, now } = tx
  const account = await forUpdate(
    db,
    db.selectFrom('user').select(['email_key', 'is_platform_admin']).where('id', '=', userId),
  ).executeTakeFirst()
  if (!account || account.is_platform_admin) return
  await forgetFactors(tx, userId)
  await revokeSessions(tx, userId)
  await revokeImpersonations(tx, userId)
  await db.updateTable('auth_session').set({ ip: null, user_agent: null }).where('user_id', '=', userId).execute()
  await db.deleteFrom('email_token').where('user_id', '=', userId).execute()
  await db.deleteFrom('passkey_challenge').where('user_id', '=', userId).execute()
  await db.deleteFrom('login_guard').where('email_key', '=', account.email_key).execute()
  const address = addressOf(userId)
  await db
    .updateTable('user')
    .set({
      email: address,
      email_key: address,
      full_name: fullName,
      phone: null,
      avatar_file_id: null,
      status: 'disabled',
      email_verified: false,
      password_hash: null,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute()
}
