import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { jobKind } from '#kernel/contract/module.ts'

export const stampJob = declareJob('example.stamp', v.object({ page: v.number() }))

/**
 * `endsTogether` lets jobs that end at the same time share one transaction, and one wait for the disk, on Postgres. What
 * each writes is still committed with its own end, and a job that fails takes no other along: nothing of the shared
 * transaction is kept then, and each runs its `finish` once more, in a transaction of its own.
 *
 * Use it for frequent jobs whose `finish` writes a few rows, in some milliseconds. On SQLite the option changes nothing: what
 * is committed at the same time shares a commit there in any case.
 */
export const stamp = jobKind(stampJob, {
  endsTogether: true,
  handle: ({ payload: { page }, finish }) =>
    finish(async (tx) => tx.audit({ entityType: 'page', entityId: null, metadata: { page } })),
})
