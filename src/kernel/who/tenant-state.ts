import type { TenantInfo } from './actor.ts'
import { PaymentRequired, SubscriptionSuspended, TenantSuspended } from '#kernel/values/errors.ts'

/** @throws TENANT_SUSPENDED */
export const checkNotArchived = ({ status }: TenantInfo): void => {
  if (status === 'archived') throw TenantSuspended()
}

/** Whether the licence has locked the institute: all but a few endpoints refuse. */
export const isLocked = ({ status, lockedAt }: TenantInfo): boolean => status === 'suspended' || lockedAt !== null

/** Whether the institute can only be read any more, because its subscription was cancelled. */
export const isReadOnly = ({ writesEndAt }: TenantInfo, now: string): boolean =>
  writesEndAt !== null && writesEndAt <= now

/**
 * @throws SUBSCRIPTION_SUSPENDED, and PAYMENT_REQUIRED for a change where an institute can only be read any more
 * @param tellsWhy whether the refusal says why the institute is locked: to its own people
 */
export const checkNotLocked = (
  tenant: TenantInfo,
  { isChange, now, tellsWhy = false }: { isChange: boolean; now: string; tellsWhy?: boolean },
): void => {
  if (isLocked(tenant)) throw SubscriptionSuspended(tellsWhy ? { lockedReason: tenant.lockedReason } : undefined)
  if (isChange && isReadOnly(tenant, now)) throw PaymentRequired()
}
