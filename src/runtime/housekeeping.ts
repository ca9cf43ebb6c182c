import { deleteFinished } from '#db/claim.ts'
import { plusSeconds } from '#kernel/clock.ts'
import { declareJob, nothing } from '#kernel/job.ts'
import { jobKind, type Module } from '#kernel/module.ts'
import { sweepInBatches } from './batches.ts'
import { boundKeys, sweepKeys } from './idempotency.ts'
import { runtimeTables } from './tables.ts'

export const sweepJob = declareJob('housekeeping.sweep', nothing)

/** Finished jobs stay for a day, for whoever asks what ran; dead ones until they are retried. */
const FINISHED_JOBS_SECONDS = 24 * 3600

/** What the runtime itself leaves behind, swept every hour: finished jobs, and replies kept for idempotent repeats. */
export const housekeepingModule: Module = {
  name: 'housekeeping',
  tables: runtimeTables,
  jobs: [
    jobKind(sweepJob, {
      handle: async ({ change, now }) => {
        const before = plusSeconds(now, -FINISHED_JOBS_SECONDS)
        await sweepInBatches((limit) => change(({ db }) => deleteFinished(db, before, limit)))
        await change(({ db }) => boundKeys(db, now))
        await sweepInBatches((limit) => change(({ db }) => sweepKeys(db, now, limit)))
      },
    }),
  ],
  ticks: [{ cron: '31 * * * *', job: sweepJob }],
}
