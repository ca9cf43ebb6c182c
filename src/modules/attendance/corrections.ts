import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { RosterEntry } from './schemas.ts'

/** What those are told who were told of an absence that was entered by mistake. */
export const correctionJob = declareJob(
  'attendance.correction',
  v.object({
    tenantId: v.string(),
    noticeId: v.string(),
    sessionId: v.string(),
    studentId: v.string(),
    /** `present`: the student was there. `cleared`: nothing is entered. */
    is: v.picklist(['present', 'cleared']),
  }),
)
export type Correction = v.InferOutput<typeof correctionJob.payload>

/** Enqueues the message where the entry before was one that families are told of. */
export const noticeCorrection = (
  tx: Tx,
  sessionId: string,
  { studentId, former, is }: Pick<Correction, 'studentId' | 'is'> & { former: RosterEntry | undefined },
): void => {
  if (!former || former.status === null || former.status === 'present') return
  const tenantId = tx.tenant.id
  tx.enqueue(
    correctionJob,
    { tenantId, noticeId: tx.id(), sessionId, studentId, is },
    { lane: laneIn(tenantId, 'tell') },
  )
}
