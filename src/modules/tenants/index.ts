import * as v from 'valibot'
import type { TenantInfo } from '#kernel/actor.ts'
import type { Locale } from '#kernel/locale.ts'
import { failure } from '#kernel/errors.ts'
import { effectiveFeatures } from '#kernel/features.ts'
import type { Module } from '#kernel/module.ts'
import type { OutsideDb } from '#kernel/tables.ts'
import type { SystemTx } from '#kernel/unit-of-work.ts'
import { createBranch } from '#modules/branches/index.ts'
import { addMember, seedSystemRoles } from '#modules/members/index.ts'
import { findTenant, insertTenant } from '#modules/settings/index.ts'

export { archiveTenant, lockTenant, openTenant, TenantArchived, unlockTenant, type Lock } from './state.ts'

/** Creates institutes, for the wizard, for self-registration and for the platform. */

export const TenantNotFound = failure('TENANT_NOT_FOUND', 'tenant_not_found', 'There is no such institute.')

/** @throws TenantNotFound */
export const existingTenant = async (db: OutsideDb, id: string): Promise<TenantInfo> => {
  const tenant = await findTenant(db, id)
  if (!tenant) throw TenantNotFound()
  return tenant
}

export const slug = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'Must have 1 to 63 characters: a-z, 0-9 and, not at its ends, hyphens.',
  ),
)

/** The name of the default branch until somebody renames it. */
const MAIN_BRANCH: Record<Locale, string> = { ar: 'الفرع الرئيسي', he: 'הסניף הראשי', en: 'Main branch' }

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
  await createBranch(inTenant, { name: MAIN_BRANCH[tenant.defaultLocale], isDefault: true })
  inTenant.audit({ entityType: 'tenant', entityId: tenant.id, after: { ...institute, baseUrl, ownerUserId } })
  return tenant
}

export const tenantsModule: Module = { name: 'tenants', events: ['tenant.locked', 'tenant.unlocked'] }
