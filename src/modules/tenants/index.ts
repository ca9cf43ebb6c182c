import * as v from 'valibot'
import { refusing } from '#db/dialect.ts'
import type { Locale, TenantInfo } from '#kernel/actor.ts'
import { failure } from '#kernel/errors.ts'
import { effectiveFeatures } from '#kernel/features.ts'
import type { SystemTx } from '#kernel/unit-of-work.ts'
import { createBranch } from '#modules/branches/index.ts'
import { addMember, seedSystemRoles } from '#modules/members/index.ts'

/** How an institute comes to be, whoever asks for it: the wizard, somebody who registers, the platform. */

export const TenantSlugTaken = failure('TENANT_SLUG_TAKEN', 'tenant_slug_taken', 'This slug is already in use.')

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
  await tx.db
    .insertInto('tenant')
    .values({
      id: tenant.id,
      slug: tenant.slug,
      name: tenant.name,
      status: tenant.status,
      default_locale: tenant.defaultLocale,
      timezone: tenant.timezone,
      currency: tenant.currency,
      deployment_mode: tenant.deploymentMode,
      auto_lock_override: 'inherit',
      locked_at: null,
      locked_reason: null,
      locked_by_platform_admin_id: null,
      created_by: ownerUserId,
      feature_overrides: {},
      settings: baseUrl === undefined ? {} : { baseUrl },
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute()
    .catch(refusing({ unique: { 'tenant(slug)': TenantSlugTaken } }))
  const inTenant = tx.inTenant(tenant)
  const roles = await seedSystemRoles(inTenant)
  await addMember(inTenant, { userId: ownerUserId, roleId: roles.owner })
  await createBranch(inTenant, { name: MAIN_BRANCH[tenant.defaultLocale], isDefault: true })
  inTenant.audit({ entityType: 'tenant', entityId: tenant.id, after: { ...institute, baseUrl, ownerUserId } })
  return tenant
}
