import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { keepPace } from '#runtime/queue/pace.ts'
import { mustReach, type FindUnreached } from '#runtime/queue/reached.ts'
import { ReceiptReachesFurther } from './failures.ts'
import type { Receipt } from './receipt-schemas.ts'
import { readReceipt } from './receipts.ts'

/** A receipt goes to whom it is made out to. */
export const receiptMailJob = declareJob(
  'billing.receipt-mail',
  v.object({
    tenantId: v.string(),
    noticeId: v.string(),
    receiptId: v.string(),
    to: v.object({ kind: v.picklist(['guardian', 'student']), id: v.string() }),
  }),
)
export type ReceiptMail = v.InferOutput<typeof receiptMailJob.payload>

/** The payer named on the receipt, even if somebody else pays today; without a payer, the student. */
const addresseeOf = ({ payerGuardianId, studentIds }: Receipt): ReceiptMail['to'] =>
  payerGuardianId === null
    ? { kind: 'student', id: studentIds[0] as string }
    : { kind: 'guardian', id: payerGuardianId }

/**
 * Sends a receipt by mail, as PDF, to whom it is made out to: each time that it is asked for.
 * @throws NotFound, ReceiptReachesFurther, NobodyReached, RecordSentOften, PersonSentOften
 */
export const sendReceipt = async (tx: Tx, id: string, findUnreached: FindUnreached): Promise<Receipt> => {
  const shown = await readReceipt(tx.db, id)
  const whole = await readReceipt(tx.whole, id)
  if (whole.amount.amountMinor !== shown.amount.amountMinor) throw ReceiptReachesFurther()
  const to = addresseeOf(whole)
  await mustReach(findUnreached, tx, { text: 'receipt.sent', to: [to] })
  await keepPace(tx, { recordId: id, personId: to.id })
  const tenantId = tx.tenant.id
  tx.enqueue(receiptMailJob, { tenantId, noticeId: tx.id(), receiptId: id, to }, { lane: laneIn(tenantId, 'tell') })
  tx.audit({ entityType: 'receipt', entityId: id, metadata: { sentTo: to.id } })
  return shown
}
