import { migrations } from '#migrations'
import type { Database } from '#db/database.ts'
import { pendingMigrations } from '#db/migrate.ts'
import {
  addPlatformAdmin as addAdmin,
  disableUser,
  emailKey,
  enableUser,
  findAccount,
  isProven,
  listUsers,
  makeResetToken,
  type AddedPlatformAdmin,
  type ListedUser,
} from '#modules/identity/index.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { linkOf } from '#modules/mail/index.ts'
import { commandAuditContext } from '#runtime/audit-context.ts'
import { runInTransaction, type OpenTransaction } from '#runtime/transaction.ts'
import { baseUrlOf } from './base-url.ts'
import { openDatabase } from './compose.ts'
import type { Config } from './config.ts'
import { assertDatabase } from './data-dir.ts'
import { openLog } from './log.ts'
import { composed, ensureMasterKey } from './program.ts'

export type { ListedUser }

/** What the operator of a server does to accounts: also while the program runs, which sees it at its next request. */

/** @throws an Error where there is no database of this version */
const openPresent = async (config: Config): Promise<Database> => {
  assertDatabase(config)
  const database = openDatabase(config)
  if ((await pendingMigrations(database, migrations)).length === 0) return database
  await database.close()
  throw new Error('The database is not of this version: run institute migrate first.')
}

const change = async <T>(config: Config, action: string, work: (unit: OpenTransaction) => Promise<T>): Promise<T> => {
  const app = await composed(config, await openPresent(config), openLog({ logLevel: 'silent' }))
  try {
    return await runInTransaction(app.runtime, commandAuditContext(action), work)
  } finally {
    await app.close()
  }
}

/** @see disableUser */
export const disableAccount = (config: Config, email: string, options: { force: boolean }): Promise<boolean> =>
  change(config, 'user.disable', (unit) => disableUser(unit.system(), email, options))

/** @see enableUser */
export const enableAccount = (config: Config, email: string): Promise<boolean> =>
  change(config, 'user.enable', (unit) => enableUser(unit.system(), email))

/**
 * @returns the page where whoever opens it chooses a new password, once, until `expiresAt`
 * @throws as makeResetToken
 */
export const makeResetLink = (config: Config, email: string): Promise<{ link: string; expiresAt: string }> =>
  change(config, 'user.reset-password', async (unit) => {
    const tx = unit.system()
    const { token, expiresAt } = await makeResetToken(tx, email)
    return { link: linkOf(await baseUrlOf(config)(tx.db), { template: 'reset-password' }, token), expiresAt }
  })

/** How a command gets a password. */
interface PasswordSource {
  /** One that was given with the command. */
  given: string | undefined
  /** Asks for one. */
  ask(): Promise<string>
}

/**
 * Makes somebody a platform admin, for whom a password is asked only when they have none that they could use.
 * @see addAdmin
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
    const isKept = password === undefined || (isUsable && (await passwords.verify(account.password_hash, password)))
    if (!isKept) hash = await passwords.hash(password)
    await ensureMasterKey(config, database)
  } finally {
    await database.close()
  }
  return change(config, 'platform-admin.add', (unit) => addAdmin(unit.system(), email, hash))
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
