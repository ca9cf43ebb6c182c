import { previewOf, type Caller } from '#kernel/who/actor.ts'
import { FeatureDisabled, Forbidden, MembershipInactive, Unauthorized } from '#kernel/values/errors.ts'
import type { Access } from '#kernel/contract/access.ts'
import type { Endpoint, RequestInfo } from '#kernel/contract/endpoint.ts'
import type { Permission, Reach } from '#kernel/rights/permissions.ts'
import { checkNotArchived, checkNotLocked } from '#kernel/who/tenant-state.ts'

const isOpen = (access: Access): access is 'user' | 'platform' | 'anyone' =>
  access === 'user' || access === 'platform' || access === 'anyone'

/** Checks that a publishable key is used from one of its web origins, for every endpoint. @throws FORBIDDEN */
const checkOrigin = ({ key }: Caller, origin: string | undefined): void => {
  if (key?.kind !== 'publishable') return
  if (origin === undefined || !key.allowedOrigins.includes(origin)) throw Forbidden({ reason: 'origin_not_allowed' })
}

/**
 * Checks the institute of an authenticated caller.
 * @throws FORBIDDEN (no institute chosen), MEMBERSHIP_INACTIVE, TENANT_SUSPENDED, SUBSCRIPTION_SUSPENDED, PAYMENT_REQUIRED
 */
const checkTenant = ({ access, method, lockExempt }: Endpoint, caller: Caller, now: string): void => {
  if (isOpen(access)) return
  const { tenant } = caller
  if (!tenant) throw Forbidden({ reason: 'tenant_not_selected' })
  checkNotArchived(tenant)
  if (!caller.membershipActive) throw MembershipInactive()
  if (lockExempt) return
  // Strangers hold the keys of websites, and other firms those of programs.
  const tellsWhy = caller.actor.type === 'user'
  checkNotLocked(tenant, { isChange: method !== 'GET', now, tellsWhy })
}

const NOTHING: Reach = { branchIds: [], groupIds: [] }

/** The permissions of which the caller needs one; empty for other kinds of access. */
export const permissionsOf = (access: Access): readonly Permission[] => {
  if (typeof access !== 'string') return access
  return access.includes('.') ? [access as Permission] : []
}

/**
 * Returns what the caller may reach through this endpoint.
 * @throws FORBIDDEN
 */
const checkPermission = (endpoint: Endpoint, caller: Caller, origin: string | undefined): Reach => {
  const { access } = endpoint
  checkOrigin(caller, origin)
  const { type } = caller.actor
  if (access === 'user' && type !== 'user' && type !== 'platform_admin') throw Forbidden({ reason: 'user_only' })
  if (access === 'platform' && type !== 'platform_admin') throw Forbidden({ reason: 'platform_admin_only' })
  if (access === 'publishable' && caller.key?.kind !== 'publishable')
    throw Forbidden({ reason: 'publishable_key_only' })
  if (access === 'owner' && !caller.isOwner) throw Forbidden({ reason: 'owner_only' })
  const permissions = permissionsOf(access)
  if (permissions.length === 0) return 'all'
  const held = permissions.map((permission) => caller.grants.reach(permission)).reduce(union)
  const reach = endpoint.taughtToo ? union(held, caller.grants.taught(endpoint.taughtToo)) : held
  if (reach === undefined) {
    if (endpoint.ownToo && type === 'user') return NOTHING
    throw Forbidden({ reason: 'permission_missing', permissions: [...permissions] })
  }
  if (endpoint.wholeTenant && reach !== 'all') {
    throw Forbidden({ reason: 'whole_institute_needed', permissions: [...permissions] })
  }
  return reach
}

/**
 * Checks that a platform admin who acts in a user's name leaves that user's own account as it is, and neither gets nor
 * sets what goes on after the session. @throws FORBIDDEN
 */
const checkImpersonation = ({ ownAccount, impersonatedToo, lasting }: Endpoint, { actor }: Caller): void => {
  if ((!ownAccount || impersonatedToo) && !lasting) return
  if (actor.type === 'user' && actor.impersonatorId !== null) throw Forbidden({ reason: 'impersonated' })
}

/**
 * Checks that somebody who looks as a role sees the institute changes nothing, and meets nothing of their own account nor
 * what would outlive the session. @throws FORBIDDEN
 */
const checkPreview = ({ method, access, lasting, previewedToo }: Endpoint, caller: Caller): void => {
  const preview = previewOf(caller)
  if (!preview || previewedToo) return
  if (method !== 'GET' || access === 'user' || lasting)
    throw Forbidden({ reason: 'previewing', role: preview.roleName })
}

const union = (one: Reach | undefined, other: Reach | undefined): Reach | undefined => {
  if (one === undefined || other === undefined) return one ?? other
  if (one === 'all' || other === 'all') return 'all'
  return {
    branchIds: [...new Set([...one.branchIds, ...other.branchIds])],
    groupIds: [...new Set([...one.groupIds, ...other.groupIds])],
  }
}

/**
 * Checks the feature flags. @throws FEATURE_DISABLED; also for a secret key while the institute has integrations off
 */
const checkFeatures = ({ flag, access }: Endpoint, { tenant, key }: Caller): void => {
  if (!tenant || isOpen(access)) return
  if (flag && !tenant.features[flag]) throw FeatureDisabled({ feature: flag })
  if (key?.kind === 'secret' && !tenant.features.integration_api) throw FeatureDisabled({ feature: 'integration_api' })
}

/** @throws FORBIDDEN for a session without the second factor that a role of its user asks for */
const checkSecondFactor = ({ beforeSecondFactor }: Endpoint, { needsSecondFactor }: Caller): void => {
  if (needsSecondFactor && !beforeSecondFactor) throw Forbidden({ reason: 'second_factor_needed' })
}

/**
 * Checks an authenticated caller: first the institute, whether they only look, and how they signed in, then the
 * permission and impersonation, then the feature flags.
 * @returns what the caller may reach through this endpoint
 * @throws whatever the checks throw
 */
export const checkCaller = (
  endpoint: Endpoint,
  caller: Caller,
  { request, now }: { request: Pick<RequestInfo, 'header'>; now: string },
): Reach => {
  checkTenant(endpoint, caller, now)
  checkPreview(endpoint, caller)
  checkSecondFactor(endpoint, caller)
  const reach = checkPermission(endpoint, caller, request.header('origin'))
  checkImpersonation(endpoint, caller)
  checkFeatures(endpoint, caller)
  return reach
}

/** Extracts the credential from `Bearer <credential>`. @throws UNAUTHORIZED */
export const bearerOf = (header: string | undefined): string => {
  const credential = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
  if (credential === undefined) throw Unauthorized()
  return credential
}
