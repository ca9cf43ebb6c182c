import * as v from 'valibot'
import type { Locale, TenantInfo } from '#kernel/actor.ts'
import { failure } from '#kernel/errors.ts'
import { effectiveFeatures } from '#kernel/features.ts'
import type { SystemTx } from '#kernel/unit-of-work.ts'
import { createBranch } from '#modules/branches/index.ts'
import { addMember, seedSystemRoles } from '#modules/members/index.ts'
import { insertTenant } from '#modules/settings/index.ts'

/** How an institute comes to be, whoever asks for it: the wizard, somebody who registers, the platform. */

export const TenantNotFound = failure('TENANT_NOT_FOUND', 'tenant_not_found', 'There is no such institute.')

export const slug = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'Must have 1 to 63 characters: a-z, 0-9 and, not at its ends, hyphens.',
  ),
)

/** What the default branch is called until somebody renames it. */
const MAIN_BRANCH: Record<Locale, string> = { ar: 'الفرع الرئيسي', he: 'הסניף הראשי', en: 'Main branch' }

export type NewTenant = Pick<
  TenantInfo,
  'id' | 'slug' | 'name' | 'deploymentMode' | 'defaultLocale' | 'timezone' | 'currency'
> & {
  /** Becomes an active member with the owner's role. */
  ownerUserId: string
  baseUrl?: string | undefined
}

/**
 * Makes an institute with its roles, its default branch and its owner, who has an account already.
 * @throws TenantSlugTaken
 */
export const createTenant = async (
  tx: SystemTx,
  { ownerUserId, baseUrl, ...institute }: NewTenant,
): Promise<TenantInfo> => {
  const tenant: TenantInfo = { ...institute, status: 'active', lockedAt: null, features: effectiveFeatures({}) }
  await insertTenant(tx, tenant, { createdBy: ownerUserId, baseUrl })
  const inTenant = tx.inTenant(tenant)
  const roles = await seedSystemRoles(inTenant)
  await addMember(inTenant, { userId: ownerUserId, roleId: roles.owner })
  await createBranch(inTenant, { name: MAIN_BRANCH[tenant.defaultLocale], isDefault: true })
  inTenant.audit({ entityType: 'tenant', entityId: tenant.id, after: { ...institute, baseUrl, ownerUserId } })
  return tenant
}
