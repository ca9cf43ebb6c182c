import type { Module } from '#kernel/contract/module.ts'
import { domainEndpoints, type DomainsDeps } from './endpoints.ts'
import { domainTables } from './tables.ts'

export { primaryDomainOf, tenantOfHost } from './lookup.ts'
export { TenantDomain } from './schemas.ts'
export { domainsOf } from './service.ts'

export const domainsModule = (deps: DomainsDeps): Module => ({
  name: 'domains',
  tags: {
    'platform-domains': 'The domains by which the institutes of a cloud are reached.',
  },
  tables: domainTables,
  endpoints: domainEndpoints(deps),
})
