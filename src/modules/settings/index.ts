import type { Module } from '#kernel/module.ts'
import { settingsTables } from './tables.ts'

export { nextNumber } from './counter.ts'
export { findTenant, TENANT_COLUMNS, toTenantInfo, type TenantColumns } from './tenant-info.ts'
export type { StoredSettings } from './tables.ts'

export const settingsModule: Module = { name: 'settings', tables: settingsTables }
