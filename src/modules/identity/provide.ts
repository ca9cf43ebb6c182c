import type { Locale } from '#kernel/actor.ts'
import { failure } from '#kernel/errors.ts'
import type { SystemTx } from '#kernel/unit-of-work.ts'
import type { SendMail } from '#modules/mail/index.ts'
import { emailKey, findAccount, insertAccount, isProven, lockAccount, type Account } from './accounts.ts'
import { mailToken } from './email-tokens.ts'
import { takeFromStranger } from './unproven.ts'

export const DisabledAccount = failure(
  'CONFLICT',
  'disabled_account',
  'The account with this email address is disabled: enable it first.',
)

interface Wanted {
  email: string
  /** For an account that has no name, or whose address nobody confirmed. */
  fullName: string
  locale: Locale
}

/**
 * Returns the account with this email address, locked, and adds it when there is none.
 * @throws DisabledAccount
 */
export const accountFor = async (tx: SystemTx, { email, fullName, locale }: Wanted): Promise<Account> => {
  const key = emailKey(email)
  if (!(await findAccount(tx.db, key))) await insertAccount(tx, { email, fullName, locale })
  const found = await findAccount(tx.db, key)
  if (!found) throw new Error('an account that was just made is not there')
  const account = await lockAccount(tx, found.id)
  if (account.status === 'disabled') throw DisabledAccount()
  if (!isProven(account)) {
    await tx.db
      .updateTable('user')
      .set({ full_name: fullName, updated_at: tx.now })
      .where('id', '=', account.id)
      .execute()
  }
  return account
}

/**
 * Provides somebody with an account. Whoever has one keeps their password and name, unless nobody ever confirmed its
 * address: then the password ends. Without a password they are mailed a link to choose one.
 * @returns the account's id @throws DisabledAccount
 */
export const provideAccount = async (tx: SystemTx, sendMail: SendMail, wanted: Wanted): Promise<string> => {
  const account = await accountFor(tx, wanted)
  if (!isProven(account)) {
    await takeFromStranger(tx, account, { password_hash: null, email_verified: false })
    await mailToken(tx, sendMail, 'reset_password', account.id)
  }
  return account.id
}
