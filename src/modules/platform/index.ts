import type { Module } from '#kernel/contract/module.ts'
import type { PlatformDeps } from './deps.ts'
import { jobEndpoints, laneEndpoint } from './job-endpoints.ts'
import { auditEndpoint, userEndpoints } from './operations.ts'
import { queueEndpoints } from './queue-endpoints.ts'
import { tenantEndpoints } from './tenant-endpoints.ts'

export const platformModule = (deps: PlatformDeps): Module => ({
  name: 'platform',
  tags: {
    'platform-tenants': 'The institutes of this server, for its platform admins.',
    'platform-users': 'The accounts of this server, for its platform admins.',
    'platform-queues': 'The job queue, for platform admins.',
    'platform-lanes': 'Where in the job queue work piles up, for platform admins.',
    'platform-jobs': 'Single jobs of the queue, for platform admins.',
    'platform-audit': 'The audit log across institutes, for platform admins.',
  },
  reads: { tenants: ['tenant'] },
  endpoints: [
    ...tenantEndpoints(deps),
    ...userEndpoints(deps),
    ...queueEndpoints(deps),
    laneEndpoint,
    ...jobEndpoints,
    auditEndpoint,
  ],
})
