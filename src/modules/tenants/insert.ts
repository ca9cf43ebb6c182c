import * as v from 'valibot'
import { refusing } from '#db/dialect.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { failure } from '#kernel/values/errors.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { searchedBy } from './search.ts'

export const slug = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'Must have 1 to 63 characters: a-z, 0-9 and, not at its ends, hyphens.',
  ),
)

export const TenantSlugTaken = failure('TENANT_SLUG_TAKEN', 'tenant_slug_taken', 'This slug is already in use.')

/** Inserts only the institute's own row. @throws TenantSlugTaken */
export const insertTenant = async (
  { db, now }: SystemTx,
  tenant: TenantInfo,
  { createdBy, baseUrl }: { createdBy: string; baseUrl: string | undefined },
): Promise<void> => {
  await db
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
      created_by: createdBy,
      feature_overrides: {},
      settings: baseUrl === undefined ? {} : { baseUrl },
      plan_features: null,
      plan_quotas: null,
      writes_end_at: null,
      trial_ends_at: null,
      ...searchedBy(tenant),
      created_at: now,
      updated_at: now,
    })
    .execute()
    .catch(refusing({ unique: { 'tenant(slug)': TenantSlugTaken } }))
}
