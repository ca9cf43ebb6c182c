import { faultOfPassword } from '#kernel/who/new-password.ts'
import {
  addPlatformAdmin as addAdmin,
  disableUser,
  emailKey,
  enableUser,
  findAccount,
  isProven,
  listUsers,
  makeResetToken,
  ownWordsOf,
  resetSecondFactor as resetFactor,
  type AddedPlatformAdmin,
  type ListedUser,
} from '#modules/identity/index.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { linkOf } from '#modules/mail/index.ts'
import { baseUrlOf } from '#app/config/base-url.ts'
import type { Config } from '#app/config/config.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import { changeByCommand, openPresent } from './operator.ts'

export type { ListedUser }

/** What the operator of a server does to accounts. */

/** @see disableUser */
export const disableAccount = (config: Config, email: string, options: { force: boolean }): Promise<boolean> =>
  changeByCommand(config, 'user.disable', (tx) => disableUser(tx, email, options))

/** @see enableUser */
export const enableAccount = (config: Config, email: string): Promise<boolean> =>
  changeByCommand(config, 'user.enable', (tx) => enableUser(tx, email))

/**
 * @returns the page where whoever opens it chooses a new password, once, until `expiresAt`
 * @throws as makeResetToken
 */
export const makeResetLink = (config: Config, email: string): Promise<{ link: string; expiresAt: string }> =>
  changeByCommand(config, 'user.reset-password', async (tx) => {
    const { token, expiresAt } = await makeResetToken(tx, email)
    return { link: linkOf(await baseUrlOf(config)(tx.db), { template: 'reset-password' }, token), expiresAt }
  })

/** @see resetFactor */
export const resetSecondFactor = (config: Config, email: string): Promise<boolean> =>
  changeByCommand(config, 'user.reset-second-factor', (tx) => resetFactor(tx, email))

/** How a command gets a password. */
interface PasswordSource {
  /** One that was given with the command. */
  given: string | undefined
  /** Asks for one. */
  ask(): Promise<string>
}

/**
 * Makes somebody a platform admin, for whom a password is asked only when they have none that they could use.
 * @see addAdmin @throws Mistake for a password that is too weak
 */
export const addPlatformAdmin = async (
  config: Config,
  email: string,
  { given, ask }: PasswordSource,
): Promise<AddedPlatformAdmin> => {
  const passwords = createArgon2Passwords({})
  const database = await openPresent(config)
  let hash: string | undefined
  try {
    const account = await findAccount(database.read, emailKey(email))
    const isUsable = account !== undefined && isProven(account)
    const password = given ?? (isUsable ? undefined : await ask())
    const keepsPassword =
      password === undefined || (isUsable && (await passwords.verify(account.password_hash, password)))
    if (!keepsPassword) {
      const fault = await faultOfPassword(password, account ? await ownWordsOf(database.read, account.id) : [email])
      if (fault !== undefined) throw new Mistake(fault)
      hash = await passwords.hash(password)
    }
  } finally {
    await database.close()
  }
  return changeByCommand(config, 'platform-admin.add', (tx) => addAdmin(tx, email, hash))
}

/** @see listUsers */
export const listAccounts = async (config: Config): Promise<ListedUser[]> => {
  const database = await openPresent(config)
  try {
    return await listUsers(database.read)
  } finally {
    await database.close()
  }
}
