import type { Logger } from 'pino'
import type { Clock } from '#kernel/time/clock.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import { jobKind, type Module } from '#kernel/contract/module.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { makesNightly, type Config } from '#app/config/config.ts'
import { NightlyBackups, neededKey, type Nights } from './nightly.ts'
import { backupState } from './state.ts'

/** @public made by the clock, and by tests */
export const nightlyJob = declareJob('backups.nightly', noPayload)

/** undefined: no institute has been set up yet, and there is nothing to keep. */
const nightsOf = async (db: SystemDb): Promise<Nights | undefined> =>
  db
    .selectFrom('installation')
    .innerJoin('tenant', 'tenant.id', 'installation.tenant_id')
    .select(['tenant.timezone', 'installation.created_at as since'])
    .executeTakeFirst()

interface Deps {
  config: Config
  clock: Clock
  log: Logger
}

/**
 * The nightly backups. Every ten minutes, and when the program starts, it checks whether one is due, so that the backup
 * of a night in which the server was off is made later.
 */
export const backupsModule = ({ config, clock, log }: Deps): Module => {
  const { to, key } = config.backups
  if (to && !('folder' in to)) neededKey(key)
  const nightly = makesNightly(config) ? new NightlyBackups({ config, clock, log }) : undefined
  return {
    name: 'backups',
    jobs: [
      jobKind(nightlyJob, {
        handle: async ({ everywhere, signal }) => {
          const nights = await nightsOf(everywhere)
          if (nights) await nightly?.run(nights, signal)
        },
      }),
    ],
    cronJobs: nightly ? [{ cron: '*/10 * * * *', job: nightlyJob, atStart: true }] : [],
    start: async () => {
      nightly?.clean()
      const problem = nightly && backupState(config, clock).problem
      if (problem) log.warn(`backups: ${problem.text}`)
    },
  }
}
