import type { Module } from '#kernel/module.ts'
import type { Vault } from '#runtime/vault.ts'
import { settingsEndpoints } from './endpoints.ts'
import { instituteEndpoint, type LogoAddress } from './institute.ts'
import type { NameLogo } from './service.ts'

export { readCaptcha, readInvoiceFooter, readSettings } from './record.ts'
export type { Settings } from './schemas.ts'

export interface SettingsDeps {
  vault: Vault
  nameLogo: NameLogo
  logoAddress: LogoAddress
}

export const settingsModule = ({ vault, nameLogo, logoAddress }: SettingsDeps): Module => ({
  name: 'settings',
  tags: {
    settings: 'How the institute works: language, time zone, currency, invoices, registration.',
    institute: 'What everybody in the institute may know of it.',
    'feature-flags': 'Which parts of the program are on.',
  },
  reads: { tenants: ['tenant'] },
  endpoints: [...settingsEndpoints(vault, nameLogo), instituteEndpoint(logoAddress)],
})
