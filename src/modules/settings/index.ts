import type { Module } from '#kernel/module.ts'
import type { Vault } from '#runtime/vault.ts'
import { settingsEndpoints } from './endpoints.ts'
import type { NameLogo } from './service.ts'
import { settingsTables } from './tables.ts'

export { nextNumber, nextNumberOfBoth, nextNumbers, skipNumbers } from './counter.ts'
export { setEntitlements, setPlanOf, type Entitlements } from './entitlements.ts'
export { FLAG_WORDS, flags } from './feature-flags.ts'
export { insertTenant, TenantSlugTaken } from './insert.ts'
export { readCaptcha, readInvoiceFooter, readSettings } from './record.ts'
export { checkRoom, countRows, lockQuota, type CountInPlan } from './quotas.ts'
export { CurrencyFixed, lockCurrency, lockInstitute } from './service.ts'
export { changeTenant, readTenant, Tenant, TENANT_WORDS, tenantForUpdate, toTenant } from './tenant-record.ts'
export { findTenant, findTenants, TENANT_COLUMNS, toTenantInfo, type TenantColumns } from './tenant-info.ts'

export interface SettingsDeps {
  vault: Vault
  nameLogo: NameLogo
}

export const settingsModule = ({ vault, nameLogo }: SettingsDeps): Module => ({
  name: 'settings',
  tags: {
    settings: 'How the institute works: language, time zone, currency, invoices, registration.',
    'feature-flags': 'Which parts of the program are on.',
  },
  tables: settingsTables,
  endpoints: settingsEndpoints(vault, nameLogo),
})
