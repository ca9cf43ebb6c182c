import { compiledInTenant } from '#db/queries/compiled.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { failure } from '#kernel/values/errors.ts'
import { effectiveFeatures, type FeatureFlags } from '#kernel/rights/features.ts'
import type { PlanQuotas } from '#kernel/who/quota.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'

/** The columns from which a TenantInfo is made, for queries that join the tenant. */
export const TENANT_COLUMNS = [
  'tenant.slug',
  'tenant.name as tenant_name',
  'tenant.status as tenant_status',
  'tenant.locked_at',
  'tenant.locked_reason',
  'tenant.deployment_mode',
  'tenant.default_locale',
  'tenant.timezone',
  'tenant.currency',
  'tenant.feature_overrides',
  'tenant.plan_features',
  'tenant.plan_quotas',
  'tenant.writes_end_at',
] as const

export interface TenantColumns {
  slug: string
  tenant_name: string
  tenant_status: TenantInfo['status']
  locked_at: string | null
  locked_reason: string | null
  deployment_mode: TenantInfo['deploymentMode']
  default_locale: TenantInfo['defaultLocale']
  timezone: string
  currency: TenantInfo['currency']
  feature_overrides: Partial<FeatureFlags>
  plan_features: Partial<FeatureFlags> | null
  plan_quotas: PlanQuotas | null
  writes_end_at: string | null
}

export const toTenantInfo = (id: string, row: TenantColumns): TenantInfo => ({
  id,
  slug: row.slug,
  name: row.tenant_name,
  status: row.tenant_status,
  lockedAt: row.locked_at,
  lockedReason: row.locked_reason,
  deploymentMode: row.deployment_mode,
  defaultLocale: row.default_locale,
  timezone: row.timezone,
  currency: row.currency,
  features: effectiveFeatures(row.feature_overrides, row.plan_features),
  quotas: row.plan_quotas ?? {},
  writesEndAt: row.writes_end_at,
})

const tenantById = compiledInTenant((db, { id }: { id: string }) =>
  db.selectFrom('tenant').select(TENANT_COLUMNS).where('id', '=', id),
)

/** @returns undefined when there is no such institute */
export const findTenant = async (db: OutsideDb, id: string): Promise<TenantInfo | undefined> => {
  const [row] = await tenantById(db, { id })
  return row && toTenantInfo(id, row)
}

export const TenantNotFound = failure('TENANT_NOT_FOUND', 'tenant_not_found', 'There is no such institute.')

/** @throws TenantNotFound */
export const existingTenant = async (db: OutsideDb, id: string): Promise<TenantInfo> => {
  const tenant = await findTenant(db, id)
  if (!tenant) throw TenantNotFound()
  return tenant
}

/** Returns those of the institutes that there are, by their ids. */
export const findTenants = async (db: OutsideDb, ids: readonly string[]): Promise<Map<string, TenantInfo>> => {
  const rows = await db
    .selectFrom('tenant')
    .select(['tenant.id', ...TENANT_COLUMNS])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...row }) => [id, toTenantInfo(id, row)]))
}
