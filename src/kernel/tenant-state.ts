import type { TenantInfo } from './actor.ts'
import { PaymentRequired, SubscriptionSuspended, TenantSuspended } from './errors.ts'

/** @throws TENANT_SUSPENDED */
export const checkNotArchived = ({ status }: TenantInfo): void => {
  if (status === 'archived') throw TenantSuspended()
}

/**
 * @throws SUBSCRIPTION_SUSPENDED, and PAYMENT_REQUIRED for a change where an institute can only be read any more
 * @param tellsWhy whether the refusal says why the institute is locked: to its own people
 */
export const checkNotLocked = (
  { status, lockedAt, lockedReason, writesEndAt }: TenantInfo,
  { isChange, now, tellsWhy = false }: { isChange: boolean; now: string; tellsWhy?: boolean },
): void => {
  if (status === 'suspended' || lockedAt !== null) {
    throw SubscriptionSuspended(tellsWhy ? { lockedReason } : undefined)
  }
  if (isChange && writesEndAt !== null && writesEndAt <= now) throw PaymentRequired()
}
