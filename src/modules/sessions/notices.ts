import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Aligned } from './align.ts'
import { GROUP_REASONS } from './reasons.ts'

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

const toCome = v.object({ count: v.number(), first: v.nullable(v.string()), last: v.nullable(v.string()) })

/** What people are told, once, when a change of their group cancels lessons that are still to come, or brings some. */
export const groupNoticeJob = declareJob(
  'sessions.group-notice',
  v.object({
    tenantId: v.string(),
    noticeId: v.string(),
    groupId: v.string(),
    reason: v.nullable(v.picklist(GROUP_REASONS)),
    gone: toCome,
    back: toCome,
    /** When the group was changed: who ended with it is told too. */
    at: v.string(),
    after: v.nullable(v.string()),
  }),
)
export type GroupNotice = v.InferOutput<typeof groupNoticeJob.payload>

/** Enqueues the message about a group's lessons, where some are still to come. */
export const noticeGroup = (
  tx: Tx,
  groupId: string,
  { reason, gone, back }: Pick<Aligned, 'reason' | 'gone' | 'back'>,
): void => {
  if (gone.count === 0 && back.count === 0) return
  const tenantId = tx.tenant.id
  tx.enqueue(
    groupNoticeJob,
    { tenantId, noticeId: tx.id(), groupId, reason, gone, back, at: tx.now, after: null },
    { lane: laneIn(tenantId, 'tell') },
  )
}
