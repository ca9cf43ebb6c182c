import { deleteFinished } from '#db/claim.ts'
import { passed, warning, type CheckResult } from '#kernel/contract/check.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import { jobKind, type Module } from '#kernel/contract/module.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { sweepInBatches } from '#runtime/change/batches.ts'
import { repairFutureKeys, sweepKeys } from '#runtime/change/idempotency.ts'
import { readPauses } from './paused-jobs.ts'
import { sweepPaces } from './pace.ts'
import { runtimeTables } from '#runtime/change/tables.ts'
import { RUNTIME_CREDENTIALS } from '#runtime/secrets/credentials.ts'

export const sweepJob = declareJob('housekeeping.sweep', noPayload)

/**
 * Finished jobs are kept for a day, so that an administrator can see what ran. Dead jobs are kept until they are
 * retried.
 */
const FINISHED_JOBS_SECONDS = 24 * 3600

const checkQueue = async (db: SystemDb): Promise<CheckResult> => {
  const { dead } = await db
    .selectFrom('job')
    .select((eb) => eb.fn.countAll<number>().as('dead'))
    .where('state', '=', 'dead')
    .executeTakeFirstOrThrow()
  const paused = [...(await readPauses(db)).keys()]
  const found = [
    ...(dead === 0 ? [] : [`${dead} jobs are dead: they failed and are not retried`]),
    ...(paused.length === 0
      ? []
      : [`no job of these kinds starts, because somebody paused them: ${paused.join(', ')}`]),
  ]
  return found.length === 0 ? passed('no job is dead') : warning(found.join('; '))
}

/** An hourly sweep of the runtime's own tables: finished jobs, and stored replies of idempotent requests. */
export const housekeepingModule = (database: { read: SystemDb }): Module => ({
  name: 'housekeeping',
  tables: runtimeTables,
  credentials: RUNTIME_CREDENTIALS,
  jobs: [
    jobKind(sweepJob, {
      handle: async ({ change, now }) => {
        const before = plusSeconds(now, -FINISHED_JOBS_SECONDS)
        await sweepInBatches((limit) => change(({ everywhere: db }) => deleteFinished(db, before, limit)))
        await change(({ everywhere: db }) => repairFutureKeys(db, now))
        await sweepInBatches((limit) => change(({ everywhere: db }) => sweepKeys(db, now, limit)))
        await sweepInBatches((limit) => change(({ everywhere: db }) => sweepPaces(db, now, limit)))
      },
    }),
  ],
  cronJobs: [{ cron: '31 * * * *', job: sweepJob }],
  checks: [{ about: 'queue', look: () => checkQueue(database.read) }],
})
