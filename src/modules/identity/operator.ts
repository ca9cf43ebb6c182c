import type { TenantInfo } from '#kernel/who/actor.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { FALLBACK_LOCALE } from '#shared/locale.ts'
import {
  allMemberships,
  isLastOwner,
  lockOwners,
  membershipsOf,
  type MembershipSummary,
} from '#modules/members/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { emailKey, findAccount, isProven, lockAccount, setPassword, type Account } from './accounts.ts'
import { makeToken } from './email-tokens.ts'
import { forgetFailures, signInDoor } from './lockout.ts'
import { makePlatformAdmin } from './platform-role.ts'
import { accountFor } from './provide.ts'
import { forgetFactors, hasAnyFactor } from './second-factor/factor.ts'
import { revokeSessions } from './sessions.ts'
import { disableAccount, enableAccount } from './status.ts'
import { takeFromStranger } from './unconfirmed-account.ts'

/** What the operator of the server does to accounts, beside the API: the messages of errors are for them. */

/** @throws an Error that says so where there is no such account */
const lockAccountOf = async (tx: SystemTx, email: string): Promise<Account> => {
  const account = await findAccount(tx.db, emailKey(email))
  if (!account) throw new Error(`There is no account with the email ${email}.`)
  return lockAccount(tx, account.id)
}

/** The institutes in which the account is an active member. */
export const activeInstitutesOf = async (tx: SystemTx, userId: string): Promise<TenantInfo[]> => {
  const active = (await membershipsOf(tx.everywhere, userId)).filter(({ status }) => status === 'active')
  const found: TenantInfo[] = []
  for (const { tenantId } of active) {
    const tenant = await findTenant(tx.db, tenantId)
    if (tenant) found.push(tenant)
  }
  return found
}

/** The institutes that are left without an active owner when this account is disabled; nobody changes that meanwhile. */
export const soleOwnershipsOf = async (tx: SystemTx, userId: string): Promise<TenantInfo[]> => {
  const memberships = await membershipsOf(tx.everywhere, userId)
  const left: TenantInfo[] = []
  // Concurrent calls lock the same institutes in the same order, so they do not deadlock.
  for (const { tenantId, membershipId } of memberships.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1))) {
    const tenant = await findTenant(tx.db, tenantId)
    if (!tenant) continue
    const inTenant = tx.inTenant(tenant)
    await lockOwners(inTenant)
    if (await isLastOwner(inTenant, membershipId)) left.push(tenant)
  }
  return left
}

const lastOwner = (email: string, institutes: readonly TenantInfo[]): Error => {
  const named = institutes.map(({ name, slug }) => `${name} (${slug})`).join(', ')
  return new Error(
    `${email} is the last active owner of ${named}: make somebody else an owner first, or disable them all the same with --force.`,
  )
}

/**
 * Shuts somebody out at once: sign-in is refused, every session and every link that was mailed ends.
 * @param force also when an institute is left without an active owner
 * @returns false when they were disabled already
 * @throws an Error where there is no account with this address, or an institute would be left without an active owner
 */
export const disableUser = async (tx: SystemTx, email: string, { force = false } = {}): Promise<boolean> => {
  const account = await lockAccountOf(tx, email)
  if (account.status === 'disabled') return false
  const left = await soleOwnershipsOf(tx, account.id)
  if (left.length > 0 && !force) throw lastOwner(account.email, left)
  await disableAccount(tx, account, {
    action: 'user.disable',
    ...(left.length > 0 && { metadata: { leftWithoutOwner: left.map(({ slug }) => slug) } }),
  })
  return true
}

/**
 * Lets somebody in again who was disabled. Sessions that ended then stay ended.
 * @returns false when they were not disabled
 * @throws an Error where there is no account with this address
 */
export const enableUser = async (tx: SystemTx, email: string): Promise<boolean> => {
  const account = await lockAccountOf(tx, email)
  if (account.status === 'active') return false
  await enableAccount(tx, account, { action: 'user.enable' })
  return true
}

/** What making somebody a platform admin did: the account is new, became one, or was one already. */
export type AddedPlatformAdmin = 'added' | 'promoted' | 'unchanged'

/**
 * Makes somebody a platform admin. Their address counts as confirmed.
 * @param passwordHash their new password, which ends their sessions; undefined: they keep the one they have
 * @throws an Error for somebody without a password; DisabledAccount
 */
export const addPlatformAdmin = async (
  tx: SystemTx,
  email: string,
  passwordHash: string | undefined,
): Promise<AddedPlatformAdmin> => {
  const known = await findAccount(tx.db, emailKey(email))
  const fullName = known?.full_name || email.slice(0, email.lastIndexOf('@'))
  const account = await accountFor(tx, { email, fullName, locale: FALLBACK_LOCALE })
  if (passwordHash === undefined) {
    if (!isProven(account)) throw new Error(`${email} has no password yet: give one with --password-stdin.`)
  } else if (isProven(account)) {
    await setPassword(tx, account.id, { password_hash: passwordHash })
    const endedSessions = await revokeSessions(tx, account.id)
    await forgetFailures(tx, signInDoor(account.email_key))
    tx.audit({ entityType: 'user', entityId: account.id, metadata: { endedSessions } })
  } else {
    await takeFromStranger(tx, account, { password_hash: passwordHash, email_verified: true })
  }
  if (!(await makePlatformAdmin(tx, account.id))) return 'unchanged'
  return known ? 'promoted' : 'added'
}

/**
 * Makes the token of a link by which somebody chooses a new password, as a mail would bring it.
 * @throws an Error where there is no account with this address, or it is disabled
 */
export const makeResetToken = async (tx: SystemTx, email: string): Promise<{ token: string; expiresAt: string }> => {
  const account = await lockAccountOf(tx, email)
  if (account.status === 'disabled') {
    throw new Error(`${account.email} is disabled: institute user enable --email ${account.email} comes first.`)
  }
  tx.audit({ action: 'user.reset-password', entityType: 'user', entityId: account.id })
  return makeToken(tx, 'reset_password', account.id)
}

/**
 * Takes away what somebody lost beside their password: the app with its recovery codes, and the passkeys. Their sessions
 * end.
 * @returns false when there was nothing
 * @throws an Error where there is no account with this address
 */
export const resetSecondFactor = async (tx: SystemTx, email: string): Promise<boolean> => {
  const account = await lockAccountOf(tx, email)
  if (!(await hasAnyFactor(tx.db, account.id))) return false
  await forgetFactors(tx, account.id)
  const endedSessions = await revokeSessions(tx, account.id)
  tx.audit({
    action: 'user.reset-second-factor',
    entityType: 'user',
    entityId: account.id,
    metadata: { endedSessions },
  })
  return true
}

export interface ListedUser {
  id: string
  email: string
  fullName: string
  /** Of the account; whether they get into an institute, its membership says too. */
  status: Account['status']
  emailVerified: boolean
  memberships: MembershipSummary[]
}

/** Everybody who has an account, by email. */
export const listUsers = async (db: SystemDb): Promise<ListedUser[]> => {
  const memberships = await allMemberships(db)
  const users = await db
    .selectFrom('user')
    .select(['id', 'email', 'full_name as fullName', 'status', 'email_verified as emailVerified'])
    .orderBy('email_key')
    .execute()
  return users.map((user) => ({ ...user, memberships: memberships.get(user.id) ?? [] }))
}
