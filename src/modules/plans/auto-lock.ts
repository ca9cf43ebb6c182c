import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockTenant, tenantForUpdate, unlockTenant } from '#modules/tenants/index.ts'
import { WORDS } from './words/index.ts'

/** The language of the institute may have changed since it was locked. */
const REASONS: readonly (string | null)[] = Object.values(WORDS).map(({ autoLocked }) => autoLocked)

/** Locks the institute because its subscription ended, unless it is locked already. Its people read why in its language. */
export const autoLock = async (tx: Tx, subscriptionId: string): Promise<void> => {
  await lockTenant(tx, { reason: WORDS[tx.tenant.defaultLocale].autoLocked, source: 'auto_lock', subscriptionId })
}

/**
 * Unlocks the institute if it is still locked by `autoLock`. What somebody locked by hand, before or since, stays locked.
 * @param autoLockedAt when the subscription locked it
 * @param subscriptionId the subscription because of which it is unlocked
 */
export const liftAutoLock = async (tx: Tx, autoLockedAt: string, subscriptionId: string): Promise<void> => {
  const row = await tenantForUpdate(tx)
  const isByHand = row.locked_by_platform_admin_id !== null || !REASONS.includes(row.locked_reason)
  if (row.status === 'suspended' && row.locked_at === autoLockedAt && !isByHand)
    await unlockTenant(tx, { subscriptionId })
}
