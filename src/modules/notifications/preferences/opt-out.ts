import { failure, TenantSuspended } from '#kernel/values/errors.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { OutsideDb, ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { openOptOut, type OptOutTarget } from './opt-out-link.ts'
import { findAccount } from '../recipients/accounts.ts'
import { applyPreferences } from './preferences.ts'
import { emailKey, preferencesOf, type PreferenceHolder } from './lookup.ts'

export const OptOutLinkRefused = failure(
  'NOT_FOUND',
  'opt_out_link_refused',
  'This is not a link that the server sent, or not all of it: open it from the mail again.',
)

/** What a link is about, and the institute. @throws OptOutLinkRefused, TenantSuspended for an archived institute */
export const openLink = async (
  db: OutsideDb,
  vault: Vault,
  token: string,
): Promise<{ target: OptOutTarget; tenant: TenantInfo }> => {
  const target = openOptOut(vault, token)
  const tenant = target && (await findTenant(db, target.tenantId))
  if (!target || !tenant) throw OptOutLinkRefused()
  if (tenant.status === 'archived') throw TenantSuspended()
  return { target, tenant }
}

/** What a link switches: the preference of a member, and an address of people without an account. */
interface Switched {
  account: Awaited<ReturnType<typeof findAccount>>
  emailKey: string | null
}

/**
 * A member's link is about their account, also when they have left. The link of an address is also about the member whose
 * account has that address by now. @throws OptOutLinkRefused for an account that is gone
 */
const switchedBy = async (whole: ScopedDb, { who }: OptOutTarget): Promise<Switched> => {
  if ('email' in who) {
    const key = emailKey(who.email)
    return { account: await findAccount(whole, { emailKey: key }), emailKey: key }
  }
  const account = await findAccount(whole, who)
  if (!account) throw OptOutLinkRefused()
  return { account, emailKey: null }
}

const ofAddress = (email: string): PreferenceHolder => ({ userId: null, accountId: null, email })

/** Whether the mails that a link is about are stopped. @throws OptOutLinkRefused */
export const isStopped = async (whole: ScopedDb, target: OptOutTarget): Promise<boolean> => {
  const { account, emailKey: key } = await switchedBy(whole, target)
  const holders = [...(account ? [account] : []), ...(key === null ? [] : [ofAddress(key)])]
  const preferenceOf = await preferencesOf(whole, holders)
  return holders.every((one) => !preferenceOf(one, 'email').enabled)
}

const switchAddress = async (tx: Tx, key: string, enabled: boolean): Promise<void> => {
  const before = (await preferencesOf(tx.whole, [ofAddress(key)]))(ofAddress(key), 'email')
  if (enabled) {
    await tx.whole.deleteFrom('email_opt_out').where('email_key', '=', key).execute()
  } else {
    await tx.whole
      .insertInto('email_opt_out')
      .values({ email_key: key, created_at: tx.now })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'email_key']).doNothing())
      .execute()
  }
  tx.audit({
    entityType: 'email_opt_out',
    entityId: null,
    before: { email: key, enabled: before.enabled },
    after: { email: key, enabled },
  })
}

/** Stops the mails that a link is about, or lets them come again. @throws OptOutLinkRefused */
export const switchMails = async (tx: Tx, target: OptOutTarget, enabled: boolean): Promise<void> => {
  const { account, emailKey: key } = await switchedBy(tx.whole, target)
  if (account) {
    const { digestMode } = (await preferencesOf(tx.whole, [account]))(account, 'email')
    await applyPreferences(tx, account, [{ channel: 'email', enabled, digestMode }])
  }
  if (key !== null) await switchAddress(tx, key, enabled)
}
