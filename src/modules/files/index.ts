import type { Module } from '#kernel/module.ts'
import { FileAddresses } from './addresses.ts'
import { checkFiles } from './check.ts'
import type { FilesDeps } from './deps.ts'
import { fileEndpoints } from './endpoints.ts'
import { fileJobs, sweepUploadsJob } from './jobs.ts'
import { fileTables } from './tables.ts'
import { transferEndpoints } from './transfers.ts'

export { missingFiles } from './check.ts'
export { avatars, nameLogo } from './pictures.ts'

export const filesModule = ({ database, files, vault, baseUrl, isBackingUp }: FilesDeps): Module => {
  const addresses = new FileAddresses(vault, (tenantId) => baseUrl(database.read, tenantId))
  return {
    name: 'files',
    tags: {
      files: 'Documents and pictures. Bytes go in and out at signed addresses.',
    },
    tables: fileTables,
    endpoints: [...fileEndpoints({ files, addresses }), ...transferEndpoints({ files, addresses })],
    jobs: fileJobs(files, isBackingUp),
    cronJobs: [{ cron: '47 * * * *', job: sweepUploadsJob }],
    checks: [{ about: 'files', look: () => checkFiles(database.read, files) }],
  }
}
