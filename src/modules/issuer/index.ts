import type { Module } from '#kernel/contract/module.ts'
import type { RateLimits } from '#ports/limits/port.ts'
import { licenseEndpoints } from './endpoints.ts'
import type { HeartbeatLimits } from './heartbeat.ts'
import { licensesOf, type LicensesDeps } from './licenses.ts'
import { licenseTables } from './tables.ts'
import { ISSUER_CREDENTIALS } from './credentials.ts'

export type { HeartbeatLimits } from './heartbeat.ts'
export { lastHeartbeatsOf } from './installs.ts'
export { findLanHost } from './lan-names.ts'
export { createLicenseKey, findLicenseKey } from './license-key.ts'

export interface IssuerDeps extends LicensesDeps {
  limits: RateLimits
  perMinute: HeartbeatLimits
  /** The vendor's zone of the DNS, in which installs get names; undefined: there is none. */
  zone: string | undefined
}

/** The issuer's side of licences: who has one, which servers run under it, and their lock. */
export const issuerModule = ({ limits, perMinute, zone, ...deps }: IssuerDeps): Module => ({
  name: 'issuer',
  tags: {
    licenses: 'The licences of self-hosted installs, from the vendor’s side.',
  },
  tables: licenseTables,
  credentials: ISSUER_CREDENTIALS,
  endpoints: licenseEndpoints({ licenses: licensesOf(deps), limits, perMinute }, zone),
  events: ['license.signal', 'install.update_failed'],
})
