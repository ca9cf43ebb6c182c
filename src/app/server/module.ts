import type { Logger } from 'pino'
import type { Module } from '#kernel/contract/module.ts'
import { baseUrlOf } from '#app/config/base-url.ts'
import { proxyChecks, seenAddress } from '#app/process/proxy-check.ts'
import type { Restoring } from '#app/backup/restoring.ts'
import type { Database } from '#db/database.ts'
import { addressEndpoint, type AddressDeps } from './address.ts'
import { backupEndpoints, type BackupDeps } from './backups.ts'
import { BackupsNow } from './backups-now.ts'
import { healthEndpoint, type HealthDeps } from './health.ts'
import { updateEndpoints, type UpdateDeps } from './updates.ts'
import { BACKUP_ADDRESS } from './credentials.ts'

interface Deps extends Omit<BackupDeps, 'now'>, Omit<HealthDeps, 'database'>, AddressDeps, UpdateDeps {
  database: Database
  log: Logger
  restoring: Restoring
}

/** What the owner of a self-hosted server sees of it and does with it, without a command on the server. */
export const serverModule = (deps: Deps): Module => {
  const now = new BackupsNow(deps)
  const { restoring } = deps
  return {
    name: 'server',
    tags: {
      server: 'What the owner of a self-hosted server sees of it: its backups, its updates, and whether all is well.',
    },
    credentials: [BACKUP_ADDRESS],
    endpoints: [
      ...backupEndpoints({ ...deps, now }),
      healthEndpoint(deps),
      addressEndpoint(deps),
      seenAddress(deps.vault),
      ...updateEndpoints(deps),
    ],
    checks: proxyChecks({ ...deps, baseUrl: () => baseUrlOf(deps.config)(deps.database.read) }),
    start: async () => restoring.forget(),
    close: async () => {
      await Promise.all([now.close(), restoring.close()])
    },
  }
}
