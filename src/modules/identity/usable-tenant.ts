import type { Caller } from '#kernel/who/actor.ts'

/**
 * The institute in which the caller can act now; a suspended one counts, because its owner can renew the subscription.
 * Nothing is theirs there before the second factor that is asked of them.
 */
export const usableTenant = (caller: Caller | null) =>
  caller?.tenant && caller.membershipActive && !caller.needsSecondFactor && caller.tenant.status !== 'archived'
    ? caller.tenant
    : null
