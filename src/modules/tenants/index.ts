import type { Module } from '#kernel/contract/module.ts'
import { tenantTables } from './tables.ts'

export { lockCounter, nextNumber, nextNumbers, nextNumbersOfBoth, readCounter, skipNumbers } from './counter.ts'
export { CurrencyFixed, lockCurrency } from './currency.ts'
export { setEntitlements, setPlanOf, setTrialEnd, type Entitlements } from './entitlements.ts'
export { FLAG_WORDS, flags, lockFeatures, setFeatureOverrides } from './feature-flags.ts'
export { existingTenant, findTenant, findTenants, TENANT_COLUMNS, TenantNotFound, toTenantInfo } from './info.ts'
export type { TenantColumns } from './info.ts'
export { insertTenant, slug, TenantSlugTaken } from './insert.ts'
export { checkRoom, countRows, lockQuota, type CountInPlan } from './quotas.ts'
export {
  changeTenant,
  lockInstitute,
  readTenant,
  Tenant,
  TENANT_WORDS,
  tenantForUpdate,
  tenantShownAs,
  toTenant,
} from './record.ts'
export { archiveTenant, lockTenant, openTenant, TenantArchived, unlockTenant, type Lock } from './state.ts'
export type { StoredSettings } from './tables.ts'
export { setZoneRules } from './zone-rules.ts'

/** The institutes of this server: what each is called, what its plan grants, and whether it is locked. */
export const tenantsModule: Module = {
  name: 'tenants',
  tables: tenantTables,
  events: ['tenant.locked', 'tenant.unlocked'],
}
