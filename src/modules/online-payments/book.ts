import { ApiError } from '#kernel/values/errors.ts'
import { CURRENCIES, type Currency } from '#kernel/values/money.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { balanceOf, recordPayments } from '#modules/billing/index.ts'
import type { OnPage, PageState, Taken, TakenBack } from '#ports/payments/port.ts'
import { changeRecord, createRecord, lockRow, type LockedRow, type Wanted } from '#runtime/records/records.ts'
import { tellDesk } from './desk-notice.ts'
import { onlinePaymentRecord } from './record.ts'
import type { Problem, ProviderName } from './tables.ts'

/**
 * What is told of a payment becomes a payment here, once, whoever tells it and however often: the row of the page is locked,
 * and keeps by which number the provider knows the money. It is booked as the desk's payments are (`recordPayments`), so the
 * ledger, the receipt, the events and the credit follow as from those. Money that was taken is booked also while the
 * institute is locked: it is there.
 */

type Locked = LockedRow<'online_payment'>

const isTakenBack = (says: OnPage['says']): says is TakenBack => says.is === 'refunded' || says.is === 'disputed'

const findId = async (
  tx: Tx,
  provider: ProviderName,
  { pageId, reference, says }: OnPage,
): Promise<string | undefined> => {
  const rows = tx.whole.selectFrom('online_payment').select('id').where('provider', '=', provider)
  const paymentId = 'paymentId' in says ? says.paymentId : null
  const ways = [
    paymentId === null ? undefined : rows.where('provider_payment_id', '=', paymentId),
    reference === null ? undefined : rows.where('id', '=', reference),
    pageId === null ? undefined : rows.where('page_id', '=', pageId),
  ]
  for (const way of ways) {
    const row = await way?.executeTakeFirst()
    if (row) return row.id
  }
  return undefined
}

/** Whether this currency is one of the program's. */
const isCurrency = (given: string): given is Currency => (CURRENCIES as readonly string[]).includes(given)

/**
 * A page that is not known here, of an invoice that is: a backup was restored, and what was opened since is gone.
 */
const rebuild = async (tx: Tx, provider: ProviderName, told: OnPage & { says: Taken }): Promise<Locked | undefined> => {
  const { pageId, reference, about, says } = told
  if (reference === null || about === null || !isCurrency(says.currency)) return undefined
  const invoice = await tx.whole.selectFrom('invoice').select('id').where('id', '=', about).executeTakeFirst()
  if (!invoice) return undefined
  return insertPaid(tx, { provider, invoiceId: about, pageId, amountMinor: says.amountMinor, currency: says.currency })
}

const insertPaid = async (
  tx: Tx,
  of: { provider: ProviderName; invoiceId: string; pageId: string | null; amountMinor: number; currency: Currency },
): Promise<Locked> => {
  const { id } = await createRecord(tx.within('all'), onlinePaymentRecord, { ...of, state: 'open', expiresAt: tx.now })
  return lockRow({ db: tx.whole }, onlinePaymentRecord, id)
}

const set = (tx: Tx, row: Locked, fields: Wanted<'online_payment', never>) =>
  changeRecord(tx.within('all'), onlinePaymentRecord, row, fields)

/** What the desk is told of, where something is the matter. */
const withProblem = (tx: Tx, { id }: Locked, problem: Problem | null) => {
  if (problem === null) return {}
  tellDesk(tx, id)
  return { problem, problemAt: tx.now, settledAt: null }
}

/** How often somebody may pay, void or credit the invoice between the look at its balance and the lock. */
const TRIES = 3

const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && error.spec.status < 500

interface Booked {
  receiptId: string | null
  problem: Problem | null
}

const bookOnce = async (tx: Tx, row: Locked, { paymentId, amountMinor, paidAt }: Taken): Promise<Booked> => {
  const invoice = await balanceOf(tx.whole, row.invoice_id)
  const toInvoice = Math.min(invoice.balanceMinor, amountMinor)
  const isGuardian =
    row.payer_guardian_id !== null && (await isGuardianOf(tx, row.payer_guardian_id, invoice.studentId))
  const guardianId = isGuardian ? row.payer_guardian_id : invoice.payerGuardianId
  // Who pays by record needs no naming, and may be no guardian of the student any more.
  const payer = guardianId === null ? { studentId: invoice.studentId } : { guardianId }
  const receipt = await recordPayments(tx.within('all'), {
    allocations: toInvoice > 0 ? [{ invoiceId: row.invoice_id, amountMinor: toInvoice }] : [],
    amountMinor,
    currency: row.currency,
    method: 'online',
    provider: 'online',
    reference: paymentId,
    receivedAt: paidAt > tx.now ? tx.now : paidAt,
    branchId: invoice.branchId,
    ...((isGuardian || toInvoice === 0) && { paidBy: payer }),
  })
  return { receiptId: receipt.id, problem: toInvoice < amountMinor ? 'became_credit' : null }
}

const isGuardianOf = async (tx: Tx, guardianId: string, studentId: string): Promise<boolean> => {
  const link = await tx.whole
    .selectFrom('guardian_link')
    .select('id')
    .where('guardian_id', '=', guardianId)
    .where('student_id', '=', studentId)
    .executeTakeFirst()
  return link !== undefined
}

const book = async (system: SystemTx, tx: Tx, { row, taken }: { row: Locked; taken: Taken }): Promise<Booked> => {
  if (taken.currency !== row.currency) return { receiptId: null, problem: 'other_currency' }
  for (let tried = 1; ; tried++) {
    try {
      return await system.attempt(() => bookOnce(tx, row, taken))
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (tried === TRIES) return { receiptId: null, problem: 'not_booked' }
    }
  }
}

const take = async (system: SystemTx, tx: Tx, found: { row: Locked; taken: Taken }): Promise<void> => {
  const { taken } = found
  let { row } = found
  if (row.provider_payment_id !== null && row.provider_payment_id !== taken.paymentId) {
    // The page was paid on twice: the second time is a payment of its own.
    const { provider, invoice_id: invoiceId, currency } = row
    row = await insertPaid(tx, { provider, invoiceId, pageId: null, amountMinor: taken.amountMinor, currency })
  }
  if (row.receipt_id !== null || (row.state === 'paid' && row.problem !== 'not_booked')) return
  const { receiptId, problem } = await book(system, tx, { row, taken })
  const isOther = taken.amountMinor !== row.amount_minor
  await set(tx, row, {
    state: 'paid',
    providerPaymentId: taken.paymentId,
    paidMinor: taken.amountMinor,
    paidCurrency: taken.currency,
    paidAt: taken.paidAt,
    receiptId,
    ...withProblem(tx, row, problem ?? (isOther ? 'other_amount' : null)),
  })
}

/** What comes late changes nothing: paid is paid, and what has ended waits for nothing but money. */
const follow = async (tx: Tx, row: Locked, { is }: PageState): Promise<void> => {
  if (is === 'paid' || is === 'open' || row.state === 'paid' || row.state === is) return
  if (is === 'pending' && row.state !== 'open' && row.state !== 'opening') return
  await set(tx, row, { state: is })
}

/** Acts on what a provider told of a page, in a transaction of the institute. What is of no page here is of no concern. */
export const applyTold = async (
  system: SystemTx,
  tenant: TenantInfo,
  { provider, told }: { provider: ProviderName; told: OnPage },
): Promise<void> => {
  const tx = system.inTenant(tenant)
  const { says } = told
  const id = await findId(tx, provider, told)
  const row =
    id === undefined
      ? says.is === 'paid'
        ? await rebuild(tx, provider, { ...told, says })
        : undefined
      : await lockRow({ db: tx.whole }, onlinePaymentRecord, id)
  if (!row) return
  if (says.is === 'paid') await take(system, tx, { row, taken: says })
  else if (isTakenBack(says)) {
    if (row.problem !== says.is) await set(tx, row, withProblem(tx, row, says.is))
  } else await follow(tx, row, says)
}
