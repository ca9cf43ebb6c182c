import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { jobKind } from '#kernel/contract/module.ts'

/** How many archives are made now, and how many were at most, for the test. */
export const archives = { now: 0, most: 0 }

/** Makes an archive, which takes much memory. */
export const archiveJob = declareJob('example.archive', v.object({ year: v.number() }))

/**
 * `atOnce` says how many jobs of this kind may run at the same time in one process. Without it they are up to 16. The
 * others wait in the queue, where they hold up no job of another kind.
 *
 * It holds for jobs that are enqueued without a `lane`. Each institute has a lane of its own for them, in which one runs at
 * a time: an institute that asks for ten archives waits for itself. With lanes by other rules, see at-once-in-lane.ts.
 */
export const makeArchive = jobKind(archiveJob, {
  atOnce: 2,
  handle: async () => {
    archives.now += 1
    archives.most = Math.max(archives.most, archives.now)
    await setImmediate() // The work.
    archives.now -= 1
  },
})
