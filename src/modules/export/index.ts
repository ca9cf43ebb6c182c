import type { Module } from '#kernel/contract/module.ts'
import type { FileAddresses } from '#modules/files/index.ts'
import { sweepJob } from './declared-jobs.ts'
import { exportEndpoints } from './endpoints.ts'
import { exportJobs, type ExportDeps } from './jobs.ts'
import { exportTables } from './tables.ts'

export type { MakeArchive } from './jobs.ts'
export { exportedArchive } from './service.ts'

export const exportModule = (deps: ExportDeps & { addresses: FileAddresses }): Module => ({
  name: 'export',
  tags: { export: 'Everything of the institute in one archive, for its owner.' },
  tables: exportTables,
  reads: { runtime: ['job'], tenants: ['tenant'] },
  endpoints: exportEndpoints(deps),
  jobs: exportJobs(deps),
  cronJobs: [{ cron: '*/10 * * * *', job: sweepJob }],
})
