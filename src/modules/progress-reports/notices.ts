import * as v from 'valibot'
import { actingUserId } from '#kernel/who/actor.ts'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { inBatches } from '#runtime/change/batches.ts'
import type { Row } from '#runtime/records/records.ts'

/** Who reads reports over is told of all that was handed in together, once. */
export const reportsSubmittedJob = declareJob(
  'progress-reports.submitted',
  v.object({
    tenantId: v.string(),
    noticeId: v.string(),
    byUserId: v.string(),
    branches: v.array(v.object({ branchId: v.string(), count: v.number(), groupIds: v.array(v.string()) })),
  }),
)
export type ReportsSubmitted = v.InferOutput<typeof reportsSubmittedJob.payload>

/** Whoever handed a report in is told that it came back. */
export const reportReturnedJob = declareJob(
  'progress-reports.returned',
  v.object({
    tenantId: v.string(),
    noticeId: v.string(),
    reportId: v.string(),
    toUserId: v.string(),
    remark: v.string(),
  }),
)
export type ReportReturned = v.InferOutput<typeof reportReturnedJob.payload>

const laneOf = (tx: Tx): { lane: string } => ({ lane: laneIn(tx.tenant.id, 'tell') })

/** @param ids those that were handed in */
export const noticeSubmitted = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  const byUserId = actingUserId(tx.actor)
  if (ids.length === 0 || byUserId === null) return
  const branches = new Map<string, { count: number; groupIds: Set<string> }>()
  await inBatches(ids, async (batch) => {
    const rows = await tx.whole
      .selectFrom('progress_report')
      .innerJoin('student', 'student.id', 'progress_report.student_id')
      .select(['student.branch_id', 'progress_report.group_id'])
      .where('progress_report.id', 'in', batch)
      .execute()
    for (const { branch_id: branchId, group_id: groupId } of rows) {
      const known = branches.get(branchId) ?? { count: 0, groupIds: new Set() }
      known.count += 1
      if (groupId !== null) known.groupIds.add(groupId)
      branches.set(branchId, known)
    }
  })
  tx.enqueue(
    reportsSubmittedJob,
    {
      tenantId: tx.tenant.id,
      noticeId: tx.id(),
      byUserId,
      branches: [...branches].map(([branchId, { count, groupIds }]) => ({ branchId, count, groupIds: [...groupIds] })),
    },
    laneOf(tx),
  )
}

export const noticeReturned = (tx: Tx, row: Row<'progress_report'>, remark: string): void => {
  const toUserId = row.submitted_by_user_id
  // Who returns their own report knows it.
  if (toUserId === null || toUserId === actingUserId(tx.actor)) return
  tx.enqueue(
    reportReturnedJob,
    { tenantId: tx.tenant.id, noticeId: tx.id(), reportId: row.id, toUserId, remark },
    laneOf(tx),
  )
}
