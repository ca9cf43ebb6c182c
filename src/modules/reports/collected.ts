import type { ScopedDb } from '#kernel/contract/tables.ts'
import { CURRENCIES, money, type Currency } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import { cameBack } from '#modules/billing/index.ts'
import { aheadIn, paymentsIn } from './income-queries.ts'
import { studentNames } from './names.ts'
import type { Collected, CollectedQuery } from './schemas.ts'
import { readLong, spanOf, type Asked, type Span } from './span.ts'

/** The movements of money behind what the report about income says was collected: read by its own conditions. */

type Reading = Asked & { query: CollectedQuery }
type Row = Collected['data'][number]

/** A movement, without what others say of it. */
interface Movement extends Pick<Row, 'id' | 'kind' | 'method' | 'invoiceId' | 'invoiceNumber' | 'amount'> {
  at: string
  studentId: string | null
  /** What it takes back; null: nothing. */
  reverses: string | null
  /** The payment on whose receipt it stands; null: it is none. */
  paymentId: string | null
  receiptId: string | null
  refundId: string | null
}

/** Which movements a page is of: those after another one. */
interface Part {
  after: { at: string; id: string } | undefined
  most: number
}

/** Of those that a filter of the list lets through. */
const paymentsOf = (asked: Reading, span: Span) => {
  const { method, currency } = asked.query
  const { of, behind } = paymentsIn(asked, span)
  const ofMethod = method === undefined ? of : of.where('payment.method', '=', method)
  return { of: currency === undefined ? ofMethod : ofMethod.where('bill.currency', '=', currency), behind }
}

const aheadOf = (asked: Reading, span: Span) => {
  const { method, currency } = asked.query
  const ahead = aheadIn(asked, span)
  if (!ahead) return undefined
  const { of, behind } = ahead
  const ofMethod =
    method === undefined
      ? of
      : of.where(({ eb, fn }) => eb(fn.coalesce('refund.method', 'receipt.method'), '=', method))
  return { of: currency === undefined ? ofMethod : ofMethod.where('payer_account.currency', '=', currency), behind }
}

const readPayments = async (asked: Reading, span: Span, { after, most }: Part): Promise<Movement[]> => {
  const { of, behind } = paymentsOf(asked, span)
  const rest = after
    ? of.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('payment.received_at', 'payment.id'), '>', tuple(after.at, after.id)),
      )
    : of
  const rows = await readLong(
    asked,
    rest
      .select(['payment.id', 'payment.received_at', 'payment.amount_minor', 'payment.method'])
      .select(['payment.reverses_payment_id', 'payment.invoice_id'])
      .select(['bill.number', 'bill.student_id', 'bill.currency'])
      .orderBy('payment.received_at')
      .orderBy('payment.id')
      .limit(most),
    behind,
  )
  return rows.map((row) => ({
    id: row.id,
    at: row.received_at,
    kind: row.reverses_payment_id === null ? 'payment' : 'reversal',
    method: row.method,
    invoiceId: row.invoice_id,
    invoiceNumber: row.number,
    amount: money(row.amount_minor, row.currency),
    studentId: row.student_id,
    reverses: row.reverses_payment_id,
    // What was taken back stands on the receipt of what it takes back.
    paymentId: row.reverses_payment_id ?? row.id,
    receiptId: null,
    refundId: null,
  }))
}

const readAhead = async (asked: Reading, span: Span, { after, most }: Part): Promise<Movement[]> => {
  const ahead = aheadOf(asked, span)
  if (!ahead) return []
  const rest = after
    ? ahead.of.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('credit_entry.at', 'credit_entry.id'), '>', tuple(after.at, after.id)),
      )
    : ahead.of
  const rows = await readLong(
    asked,
    rest
      .select(['credit_entry.id', 'credit_entry.at', 'credit_entry.amount_minor', 'credit_entry.kind'])
      .select(['credit_entry.reverses_entry_id', 'credit_entry.receipt_id', 'credit_entry.refund_id'])
      .select(['receipt.method as received_by', 'refund.method as refunded_by'])
      .select(['payer_account.currency', 'payer_account.student_id'])
      .orderBy('credit_entry.at')
      .orderBy('credit_entry.id')
      .limit(most),
    ahead.behind,
  )
  const kindOf = ({ kind, reverses_entry_id: reversed }: (typeof rows)[number]): Row['kind'] => {
    if (reversed !== null) return 'reversal'
    return kind === 'refunded' ? 'refund' : 'paid_ahead'
  }
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    kind: kindOf(row),
    method: row.refunded_by ?? row.received_by,
    invoiceId: null,
    invoiceNumber: null,
    amount: money(row.amount_minor, row.currency),
    studentId: row.student_id,
    reverses: row.reverses_entry_id,
    paymentId: null,
    receiptId: row.receipt_id,
    refundId: row.refund_id,
  }))
}

const present = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]

/** The receipts of a page: by their ids, and by those of payments. */
const readReceipts = async (whole: ScopedDb, movements: readonly Movement[]) => {
  const paymentIds = present(movements.map(({ paymentId }) => paymentId))
  const onReceipts =
    paymentIds.length === 0
      ? []
      : await whole
          .selectFrom('receipt_payment')
          .select(['payment_id', 'receipt_id'])
          .where('payment_id', 'in', paymentIds)
          .execute()
  const receiptOf = new Map(onReceipts.map((row) => [row.payment_id, row.receipt_id]))
  const ids = present([...receiptOf.values(), ...movements.map(({ receiptId }) => receiptId)])
  const rows =
    ids.length === 0
      ? []
      : await whole.selectFrom('receipt').select(['id', 'number', 'payer_name']).where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ({ paymentId, receiptId }: Movement) => byId.get(receiptId ?? receiptOf.get(paymentId ?? '') ?? '')
}

/** Which of the movements take back what a cheque paid that came back. */
const readBounced = async (whole: ScopedDb, reversals: readonly Movement[]): Promise<ReadonlySet<string>> => {
  const ids = reversals.flatMap(({ kind, reverses }) => (kind === 'reversal' && reverses !== null ? [reverses] : []))
  const rows =
    ids.length === 0
      ? []
      : await whole
          .selectFrom('cheque_entry')
          .innerJoin('cheque', 'cheque.id', 'cheque_entry.cheque_id')
          .select(['cheque_entry.payment_id', 'cheque_entry.credit_entry_id', 'cheque.status', 'cheque.reason'])
          .where((eb) =>
            eb.or([eb('cheque_entry.payment_id', 'in', ids), eb('cheque_entry.credit_entry_id', 'in', ids)]),
          )
          .execute()
  return new Set(rows.filter(cameBack).map((row) => row.payment_id ?? row.credit_entry_id ?? ''))
}

const readRefunds = async (whole: ScopedDb, movements: readonly Movement[]) => {
  const ids = present(movements.map(({ refundId }) => refundId))
  const rows =
    ids.length === 0
      ? []
      : await whole.selectFrom('refund').select(['id', 'number', 'kept']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, number, kept }) => [id, { number, payerName: kept.payer?.fullName ?? null }]))
}

const rowsOf = async (whole: ScopedDb, movements: readonly Movement[]): Promise<Row[]> => {
  const receiptOf = await readReceipts(whole, movements)
  const refunds = await readRefunds(whole, movements)
  const bounced = await readBounced(whole, movements)
  const nameOf = await studentNames(
    whole,
    movements.map(({ studentId }) => studentId),
  )
  return movements.map((movement) => {
    const receipt = receiptOf(movement)
    const refund = refunds.get(movement.refundId ?? '')
    const studentName = nameOf(movement.studentId)
    return {
      id: movement.id,
      receivedAt: movement.at,
      kind: bounced.has(movement.reverses ?? '') ? 'bounced' : movement.kind,
      payerName: receipt?.payer_name ?? refund?.payerName ?? studentName ?? '',
      studentName: movement.invoiceId === null ? null : studentName,
      method: movement.method,
      receiptId: receipt?.id ?? null,
      receiptNumber: receipt?.number ?? null,
      refundNumber: refund?.number ?? null,
      invoiceId: movement.invoiceId,
      invoiceNumber: movement.invoiceNumber,
      amount: movement.amount,
    }
  })
}

const readTotals = async (asked: Reading, span: Span): Promise<Collected['totals']> => {
  const payments = paymentsOf(asked, span)
  const ahead = aheadOf(asked, span)
  const sums: { currency: Currency; amount: number }[] = [
    ...(await readLong(
      asked,
      payments.of
        .select(({ fn }) => ['bill.currency', fn.sum<number>('payment.amount_minor').as('amount')])
        .groupBy('bill.currency'),
      payments.behind,
    )),
    ...(ahead
      ? await readLong(
          asked,
          ahead.of
            .select(({ fn }) => ['payer_account.currency', fn.sum<number>('credit_entry.amount_minor').as('amount')])
            .groupBy('payer_account.currency'),
          ahead.behind,
        )
      : []),
  ]
  const { tenant, query } = asked
  const order = [tenant.currency, ...CURRENCIES.filter((one) => one !== tenant.currency)]
  const isTold = (currency: Currency): boolean =>
    sums.some((sum) => sum.currency === currency) || currency === (query.currency ?? tenant.currency)
  return order
    .filter(isTold)
    .map((currency) =>
      money(exactSum(sums.filter((sum) => sum.currency === currency).map(({ amount }) => amount)), currency),
    )
}

const isBefore = (one: Movement, other: Movement): boolean =>
  one.at === other.at ? one.id < other.id : one.at < other.at

/** @throws SumTooLarge, VALIDATION_ERROR */
export const readCollected = async (asked: Reading): Promise<Collected> => {
  const { whole, query, cursors } = asked
  const span = spanOf(query, asked, 11)
  const [at, id] = query.cursor === undefined ? [] : (cursors.decode(query.cursor) as [string, string])
  const part = { after: at === undefined || id === undefined ? undefined : { at, id }, most: query.limit + 1 }
  const movements = [...(await readPayments(asked, span, part)), ...(await readAhead(asked, span, part))]
    .toSorted((one, other) => (isBefore(one, other) ? -1 : 1))
    .slice(0, query.limit + 1)
  const shown = movements.slice(0, query.limit)
  const last = movements.length > query.limit ? shown.at(-1) : undefined
  return {
    from: span.from,
    to: span.to,
    totals: await readTotals(asked, span),
    data: await rowsOf(whole, shown),
    nextCursor: last ? cursors.encode([last.at, last.id]) : null,
  }
}
