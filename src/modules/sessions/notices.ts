import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

/** What people are told of a session that is still to come, beside its cancellation, which is an event. */
export const sessionNoticeJob = declareJob(
  'sessions.notice',
  v.object({
    tenantId: v.string(),
    noticeId: v.string(),
    sessionId: v.string(),
    /** `added`, `moved`: to all of the group. `given`: to whoever gives it from now on. */
    what: v.picklist(['added', 'moved', 'given']),
    start: v.string(),
    end: v.string(),
    /** When it would have begun. */
    formerStart: v.string(),
    /** The last student who was told: a job tells a slice of the group. */
    after: v.nullable(v.string()),
  }),
)
export type SessionNotice = v.InferOutput<typeof sessionNoticeJob.payload>

/** Enqueues the messages of a change, unless the session is over by then. */
export const noticeSession = (
  tx: Tx,
  notice: Pick<SessionNotice, 'sessionId' | 'what' | 'start' | 'end' | 'formerStart'>,
): void => {
  if (notice.end <= tx.now) return
  const tenantId = tx.tenant.id
  tx.enqueue(
    sessionNoticeJob,
    { ...notice, tenantId, noticeId: tx.id(), after: null },
    { lane: laneIn(tenantId, 'tell') },
  )
}
