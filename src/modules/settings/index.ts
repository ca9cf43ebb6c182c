import type { Module } from '#kernel/module.ts'
import type { Vault } from '#runtime/vault.ts'
import { settingsEndpoints } from './endpoints.ts'
import type { NameLogo } from './service.ts'

export { readCaptcha, readInvoiceFooter, readSettings } from './record.ts'

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
  reads: { tenants: ['tenant'] },
  endpoints: settingsEndpoints(vault, nameLogo),
})
