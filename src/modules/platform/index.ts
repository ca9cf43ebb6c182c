import { jobKind, type Module } from '#kernel/contract/module.ts'
import { countMonth, countMonthJob } from './count-month.ts'
import type { PlatformDeps } from './deps.ts'
import { figuresEndpoint } from './figures-endpoint.ts'
import { jobEndpoints, laneEndpoint } from './job-endpoints.ts'
import { auditEndpoint, userEndpoints } from './operations.ts'
import { queueEndpoints } from './queue-endpoints.ts'
import { platformTables } from './tables.ts'
import { tenantEndpoints } from './tenant-endpoints.ts'

export const platformModule = (deps: PlatformDeps): Module => ({
  name: 'platform',
  tags: {
    'platform-tenants': 'The institutes of this server, for its platform admins.',
    'platform-figures': 'How the platform does, month by month, for its platform admins.',
    'platform-users': 'The accounts of this server, for its platform admins.',
    'platform-queues': 'The job queue, for platform admins.',
    'platform-lanes': 'Where in the job queue work piles up, for platform admins.',
    'platform-jobs': 'Single jobs of the queue, for platform admins.',
    'platform-audit': 'The audit log across institutes, for platform admins.',
  },
  tables: platformTables,
  reads: { tenants: ['tenant', 'tenant_counter'], plans: ['plan', 'subscription'] },
  endpoints: [
    ...tenantEndpoints(deps),
    figuresEndpoint,
    ...userEndpoints(deps),
    ...queueEndpoints(deps),
    laneEndpoint,
    ...jobEndpoints,
    auditEndpoint,
  ],
  jobs: [jobKind(countMonthJob, { handle: countMonth })],
  // Near the end of each hour, so that the last of a month is near its end. A self-hosted server has one institute and no vendor.
  cronJobs: deps.deploymentMode === 'cloud' ? [{ cron: '55 * * * *', job: countMonthJob, atStart: true }] : [],
})
