import type { Logger } from 'pino'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import { jobKind, type Module } from '#kernel/contract/module.ts'
import { baseUrlOf } from '#app/config/base-url.ts'
import { proxyChecks, seenAddress } from '#app/process/proxy-check.ts'
import { sweepKept } from '#app/backup/restored-from.ts'
import type { Restoring } from '#app/backup/restoring.ts'
import type { ChosenName } from '#app/process/chosen-name.ts'
import type { Database } from '#db/database.ts'
import { addressEndpoint, type AddressDeps } from './address.ts'
import { backupEndpoints, showBackups, type BackupDeps } from './backups.ts'
import { afterRestore } from './after-restore.ts'
import { BackupsNow } from './backups-now.ts'
import { bringEndpoints } from './bring.ts'
import { Brought } from './brought.ts'
import { FromBucket } from './from-bucket.ts'
import { healthEndpoint, type HealthDeps } from './health.ts'
import { lanNameEndpoints } from './lan-name.ts'
import { Looks } from './looks.ts'
import { restoreEndpoints } from './restores.ts'
import { updateEndpoints, type UpdateDeps } from './updates.ts'
import { BACKUP_ADDRESS } from './credentials.ts'

/** @public made by the clock, and by tests */
export const sweepBroughtJob = declareJob('server.sweep-brought', noPayload)

interface Deps extends Omit<BackupDeps, 'now' | 'show'>, Omit<HealthDeps, 'database'>, AddressDeps, UpdateDeps {
  database: Database
  log: Logger
  restoring: Restoring
  lanName: ChosenName
}

/** What the owner of a self-hosted server sees of it and does with it, without a command on the server. */
export const serverModule = (deps: Deps): Module => {
  const now = new BackupsNow(deps)
  const { restoring, log, lanName } = deps
  const { dataDir, databaseUrl, mode } = deps.config
  const looks = new Looks(deps)
  const brought = new Brought({ ...deps, looks })
  const fromBucket = new FromBucket({ ...deps, brought })
  const show = showBackups({ ...deps, now, brought, fromBucket })
  return {
    name: 'server',
    tags: {
      server: 'What the owner of a self-hosted server sees of it: its backups, its updates, and whether all is well.',
    },
    credentials: [BACKUP_ADDRESS],
    endpoints: [
      ...backupEndpoints({ ...deps, now, show }),
      ...restoreEndpoints({ ...deps, now, looks, brought }),
      ...bringEndpoints({ ...deps, looks, brought, fromBucket, show }),
      healthEndpoint(deps),
      addressEndpoint(deps),
      seenAddress(deps.vault),
      ...updateEndpoints(deps),
      ...lanNameEndpoints(lanName, mode === 'cloud'),
    ],
    checks: proxyChecks({ ...deps, baseUrl: () => baseUrlOf(deps.config)(deps.database.read) }),
    jobs: [jobKind(sweepBroughtJob, { handle: async () => brought.sweep() })],
    cronJobs: mode === 'cloud' || databaseUrl !== undefined ? [] : [{ cron: '43 * * * *', job: sweepBroughtJob }],
    beforeRequests: afterRestore(dataDir, { restoring, brought }),
    start: async () => {
      restoring.forget()
      looks.clean()
      brought.clean()
      // It may be much, and nobody waits for it.
      void sweepKept(dataDir).catch((error: unknown) => {
        log.warn({ err: error }, 'what was there before a restore could not be removed')
      })
    },
    close: async () => {
      await Promise.all([lanName.close(), now.close(), restoring.close(), looks.close(), fromBucket.close()])
    },
  }
}
