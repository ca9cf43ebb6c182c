import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

const payload = v.object({ tenantId: v.string(), noticeId: v.string(), proposalId: v.string() })

/** Whoever may change the record is told that somebody proposes to. */
export const changeProposedJob = declareJob('proposed-changes.proposed', payload)

/** Whoever proposed it is told what became of it. */
export const proposalDecidedJob = declareJob('proposed-changes.decided', payload)

export type ProposalNotice = v.InferOutput<typeof payload>

const notice = (tx: Tx, proposalId: string): [ProposalNotice, { lane: string }] => [
  { tenantId: tx.tenant.id, noticeId: tx.id(), proposalId },
  { lane: laneIn(tx.tenant.id, 'tell') },
]

export const noticeProposed = (tx: Tx, proposalId: string): void =>
  tx.enqueue(changeProposedJob, ...notice(tx, proposalId))

export const noticeDecided = (tx: Tx, proposalId: string): void =>
  tx.enqueue(proposalDecidedJob, ...notice(tx, proposalId))
