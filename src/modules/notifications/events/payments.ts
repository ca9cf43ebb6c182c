import type * as v from 'valibot'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { deskNoticeJob } from '#modules/online-payments/index.ts'
import { findHolders } from '../recipients/accounts.ts'
import type { Occasion } from './occasion.ts'

/** A payment by card that somebody at the desk has to look at. @returns undefined when somebody did meanwhile */
export const lookedAtPayment = async (
  { whole }: Pick<Tx, 'whole'>,
  { onlinePaymentId, noticeId }: v.InferOutput<typeof deskNoticeJob.payload>,
): Promise<Occasion | undefined> => {
  const row = await whole
    .selectFrom('online_payment')
    .innerJoin('invoice', 'invoice.id', 'online_payment.invoice_id')
    .select(['online_payment.problem', 'online_payment.settled_at', 'online_payment.amount_minor'])
    .select(['online_payment.currency', 'online_payment.paid_minor', 'online_payment.paid_currency'])
    .select(['invoice.id as invoiceId', 'invoice.number', 'invoice.branch_id'])
    .where('online_payment.id', '=', onlinePaymentId)
    .executeTakeFirst()
  const problem = row?.problem
  if (!row || !problem || row.settled_at !== null) return undefined
  const paid = row.paid_currency === row.currency ? row.paid_minor : null
  return {
    sourceId: noticeId,
    templateKey: 'online_payment.attention',
    branchId: row.branch_id,
    payload: { onlinePaymentId, invoiceId: row.invoiceId },
    recipients: await findHolders(whole, 'payments.record', row.branch_id),
    channels: ['in_app'],
    values: ({ f, words }) => ({
      invoiceNumber: row.number,
      amount: f.amount(paid ?? row.amount_minor, row.currency),
      problem: words.paymentProblems[problem],
    }),
  }
}
