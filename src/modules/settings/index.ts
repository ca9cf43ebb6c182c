import type { Module } from '#kernel/contract/module.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { CAPTCHA_SECRET } from './credentials.ts'
import { settingsEndpoints } from './endpoints.ts'
import { instituteEndpoint, type InstituteDeps } from './institute.ts'
import type { FollowZone, NameLogo } from './service.ts'

export { followHost } from './service.ts'
export { readCaptcha, quietSettings, readInvoiceFooter, readSettings } from './record.ts'
export { readIssuer, readLetterhead, type Issuer } from './issuer.ts'
export type { Settings } from './schemas.ts'

export interface SettingsDeps extends InstituteDeps {
  vault: Vault
  nameLogo: NameLogo
  /** Sessions are another module's, which reads these settings. */
  followZone: FollowZone
}

export const settingsModule = ({ vault, nameLogo, followZone, ...institute }: SettingsDeps): Module => ({
  name: 'settings',
  tags: {
    settings: 'How the institute works: language, time zone, currency, invoices, registration.',
    institute: 'What everybody in the institute may know of it.',
    'feature-flags': 'Which parts of the program are on.',
  },
  reads: { branches: ['branch'], tenants: ['tenant'] },
  credentials: [CAPTCHA_SECRET],
  endpoints: [...settingsEndpoints({ vault, nameLogo, followZone }), instituteEndpoint(institute)],
})
