import { failure } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeTenant, tenantForUpdate, type Tenant } from './record.ts'

/**
 * Locks, unlocks and archives institutes. A locked institute refuses every request but those that are declared
 * `lockExempt`; an archived one refuses all of them, and stays archived.
 */

export const TenantArchived = failure('CONFLICT', 'tenant_archived', 'This institute is archived, which is final.')

/** Locks the row of the institute of the transaction for update. @throws TenantArchived */
export const openTenant = async (tx: Tx) => {
  const row = await tenantForUpdate(tx)
  if (row.status === 'archived') throw TenantArchived()
  return row
}

const UNLOCKED = { status: 'active', lockedAt: null, lockedReason: null, lockedByPlatformAdminId: null } as const

export interface Lock {
  reason: string | null
  /** manual: somebody decided it, here or at the vendor; auto_lock: the subscription ended long ago. */
  source: 'manual' | 'auto_lock'
  /** The subscription because of which it is locked; null: none. */
  subscriptionId: string | null
}

/**
 * Locks the institute of the transaction and records tenant.locked, unless it is locked already. Then a lock by hand
 * replaces the reason of the earlier one, and an automatic lock changes nothing: what somebody locked by hand, no
 * automatic unlock lifts.
 * @throws TenantArchived
 */
export const lockTenant = async (tx: Tx, { reason, source, subscriptionId }: Lock): Promise<Tenant> => {
  const row = await openTenant(tx)
  const isLocked = row.status === 'suspended'
  if (isLocked && source === 'auto_lock') return changeTenant(tx, row, {})
  if (!isLocked) tx.emit('tenant.locked', { subscriptionId, reason, source })
  return changeTenant(tx, row, {
    status: 'suspended',
    lockedAt: row.locked_at ?? tx.now,
    lockedReason: reason,
    lockedByPlatformAdminId: tx.actor.type === 'platform_admin' ? tx.actor.userId : null,
  })
}

/**
 * Unlocks the institute of the transaction, whoever locked it, and records tenant.unlocked, unless it is not locked.
 * @param subscriptionId the subscription because of which it is unlocked; null: none
 * @throws TenantArchived
 */
export const unlockTenant = async (tx: Tx, { subscriptionId }: { subscriptionId: string | null }): Promise<Tenant> => {
  const row = await openTenant(tx)
  if (row.status === 'suspended') tx.emit('tenant.unlocked', { subscriptionId, status: UNLOCKED.status })
  return changeTenant(tx, row, UNLOCKED)
}

/** Archives the institute of the transaction. Nothing is deleted. @throws TenantArchived when it is archived already */
export const archiveTenant = async (tx: Tx): Promise<Tenant> =>
  changeTenant(tx, await openTenant(tx), { status: 'archived', archivedAt: tx.now })
