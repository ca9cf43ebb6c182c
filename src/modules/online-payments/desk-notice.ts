import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

/** The office is told of a payment that somebody has to look at. */
export const deskNoticeJob = declareJob(
  'online-payments.tell-desk',
  v.object({ tenantId: v.string(), onlinePaymentId: v.string(), noticeId: v.string() }),
)

export const tellDesk = (tx: Pick<Tx, 'enqueue' | 'id' | 'tenant'>, onlinePaymentId: string): void =>
  tx.enqueue(deskNoticeJob, { tenantId: tx.tenant.id, onlinePaymentId, noticeId: tx.id() })
