import type { Logger } from 'pino'
import type { Module } from '#kernel/module.ts'
import { backupEndpoints, type BackupDeps } from './backups.ts'
import { BackupsNow } from './backups-now.ts'
import { healthEndpoint, type HealthDeps } from './health.ts'
import { BACKUP_ADDRESS } from './credentials.ts'

interface Deps extends Omit<BackupDeps, 'now'>, HealthDeps {
  log: Logger
}

/** What the owner of a self-hosted server sees of it and does with it, without a command on the server. */
export const serverModule = (deps: Deps): Module => {
  const now = new BackupsNow(deps)
  return {
    name: 'server',
    tags: { server: 'What the owner of a self-hosted server sees of it: its backups, and whether all is well.' },
    credentials: [BACKUP_ADDRESS],
    endpoints: [...backupEndpoints({ ...deps, now }), healthEndpoint(deps)],
    close: () => now.close(),
  }
}
