import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { jobKind } from '#kernel/contract/module.ts'

/** What the handler has said, for the test. */
export const said: string[] = []

/** Says hello to a branch. The payload holds ids: what they stand for is read when the job runs. */
export const greetJob = declareJob('example.greet', v.object({ branchId: v.string() }))

/**
 * `load` reads what a run needs in the transaction that claims the job. Up to 64 jobs are claimed together, so their
 * reads share one transaction, and the handler does not go to the database before its work.
 *
 * Use it for jobs that come by the thousand. A job that runs now and then reads in its handler, with `everywhere`.
 */
export const greet = jobKind(greetJob, {
  load: (db, { branchId }) => db.selectFrom('branch').select('name').where('id', '=', branchId).executeTakeFirst(),
  // `loaded` has the type that `load` returns. A branch that is gone by now is no failure: there is nothing to do.
  handle: async ({ loaded: branch }) => {
    if (branch) said.push(`Hello, ${branch.name}.`)
  },
})
