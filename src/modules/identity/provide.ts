import type { Locale } from '#shared/locale.ts'
import { failure } from '#kernel/values/errors.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import type { SendMail } from '#modules/mail/index.ts'
import { emailKey, findAccount, insertAccount, isProven, lockAccount, type Account } from './accounts.ts'
import { makeToken } from './email-tokens.ts'
import { takeFromStranger } from './unconfirmed-account.ts'

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
 * address: then the password ends.
 * @returns the account, and whether its owner has to choose a password before they can sign in
 * @throws DisabledAccount
 */
export const provideAccount = async (
  tx: SystemTx,
  wanted: Wanted,
): Promise<{ account: Account; needsPassword: boolean }> => {
  const account = await accountFor(tx, wanted)
  const needsPassword = !isProven(account)
  if (needsPassword) await takeFromStranger(tx, account, { password_hash: null, email_verified: false })
  return { account, needsPassword }
}

/** The mail to the owner of a new institute. */
export interface OwnerMail {
  to: string
  /** welcome: with a link to choose a password; notice: without one, to somebody who has an account. */
  kind: 'welcome' | 'notice'
  /** Until when the link can be used. */
  linkExpiresAt: string | null
}

const WELCOME_SECONDS = 7 * 24 * 3600

/**
 * Provides the owner of a new institute with an account, and mails them: who has no password yet is welcomed in the
 * institute's language, with a link to choose one; who has one is told in their own.
 * @throws DisabledAccount
 */
export const provideOwner = async (
  tx: SystemTx,
  sendMail: SendMail,
  owner: Pick<Wanted, 'email' | 'fullName'>,
  { name, defaultLocale: locale }: { name: string; defaultLocale: Locale },
): Promise<{ userId: string; mail: OwnerMail }> => {
  const { account, needsPassword } = await provideAccount(tx, { ...owner, locale })
  const { id: userId, email: to } = account
  const values = { institute: name }
  if (!needsPassword) {
    sendMail(tx, { template: 'new-owner', values, to, locale: account.locale })
    return { userId, mail: { to, kind: 'notice', linkExpiresAt: null } }
  }
  const { token, expiresAt } = await makeToken(tx, 'reset_password', userId, WELCOME_SECONDS)
  sendMail(tx, { template: 'welcome', values, to, locale, token, expiresAt })
  return { userId, mail: { to, kind: 'welcome', linkExpiresAt: expiresAt } }
}
