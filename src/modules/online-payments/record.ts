import { money } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { listOf, newestFirst, type Conditions } from '#runtime/records/lists.ts'
import { recordOf, type Row } from '#runtime/records/records.ts'
import type { OnlinePayment } from './schemas.ts'
import { PROBLEMS } from './tables.ts'

export type OnlinePaymentRow = Row<'online_payment'>

export const toOnlinePayment = (row: OnlinePaymentRow): OnlinePayment => ({
  id: row.id,
  invoiceId: row.invoice_id,
  amount: money(row.amount_minor, row.currency),
  provider: row.provider,
  state: row.state,
  paidMinor: row.paid_minor,
  paidCurrency: row.paid_currency,
  paidAt: row.paid_at,
  providerPaymentId: row.provider_payment_id,
  receiptId: row.receipt_id,
  problem: row.problem,
  settledAt: row.settled_at,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
})

export const onlinePaymentRecord = recordOf('online_payment', { show: toOnlinePayment })

/** What somebody has to look at, or all but that. */
const attention = (eb: Conditions, wanted: boolean) => {
  const open = eb.and([eb('online_payment.problem', 'in', PROBLEMS), eb('online_payment.settled_at', 'is', null)])
  return wanted ? open : eb.not(open)
}

/** Newest first. */
export const listOnlinePayments = listOf({
  filters: { invoiceId: 'online_payment.invoice_id', state: 'online_payment.state', attention },
  from: (db: ScopedDb) => db.selectFrom('online_payment').selectAll('online_payment'),
  order: newestFirst('online_payment'),
  show: toOnlinePayment,
})
