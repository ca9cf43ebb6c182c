import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { jobKind } from '#kernel/contract/module.ts'

export const nextJob = declareJob('example.next', v.object({ step: v.number() }))

/**
 * `relaxed` ends the job without waiting until the disk has what `finish` wrote. A power cut may undo it, and the job
 * runs again. A crash of the program undoes nothing. On Postgres the option changes nothing: its commits always wait.
 *
 * Use it for frequent jobs that are cheap to repeat, such as a delivery that the receiver recognises by its id. Never use it
 * where a person was told that something is done.
 */
export const next = jobKind(nextJob, {
  relaxed: true,
  handle: ({ payload: { step }, finish }) =>
    // What `finish` writes is committed together with the end of the job: at most once, however often the job runs.
    finish(async (tx) => {
      if (step > 1) tx.enqueue(nextJob, { step: step - 1 })
    }),
})
