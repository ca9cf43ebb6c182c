import type { TenantInfo } from '#kernel/who/actor.ts'
import { effectiveFeatures } from '#kernel/rights/features.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { createBranch } from '#modules/branches/index.ts'
import { addMember, seedSystemRoles } from '#modules/members/index.ts'
import { insertTenant } from '#modules/tenants/index.ts'
import { WORDS } from './words/index.ts'

/**
 * Creates institutes, for the wizard, for self-registration and for the platform. It is not part of `tenants`, because a
 * new institute needs roles and a branch, whose modules depend on `tenants`.
 */

export type NewTenant = Pick<
  TenantInfo,
  'id' | 'slug' | 'name' | 'deploymentMode' | 'defaultLocale' | 'timezone' | 'currency'
> & {
  /** The user who becomes an active member with the owner's role. */
  ownerUserId: string
  /** The account that makes it. Default: the owner's. */
  createdBy?: string
  baseUrl?: string | undefined
}

/**
 * Creates an institute with its roles and its default branch, and makes an existing account its owner.
 * @throws TenantSlugTaken
 */
export const createTenant = async (
  tx: SystemTx,
  { ownerUserId, createdBy = ownerUserId, baseUrl, ...institute }: NewTenant,
): Promise<TenantInfo> => {
  const tenant: TenantInfo = {
    ...institute,
    status: 'active',
    lockedAt: null,
    lockedReason: null,
    features: effectiveFeatures({}),
    quotas: {},
    writesEndAt: null,
  }
  await insertTenant(tx, tenant, { createdBy, baseUrl })
  const inTenant = tx.inTenant(tenant)
  const roles = await seedSystemRoles(inTenant)
  await addMember(inTenant, { userId: ownerUserId, roleId: roles.owner })
  await createBranch(inTenant, { name: WORDS[tenant.defaultLocale].mainBranch, isDefault: true })
  inTenant.audit({ entityType: 'tenant', entityId: tenant.id, after: { ...institute, baseUrl, ownerUserId } })
  return tenant
}
