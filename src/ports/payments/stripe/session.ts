import * as v from 'valibot'
import type { PageState } from '../port.ts'

/** The id of an object, which the API gives alone or with all of it. */
const reference = v.nullable(v.union([v.string(), v.object({ id: v.string() })]))

/** Of a Checkout Session, what is read here. */
export const Session = v.object({
  id: v.string(),
  created: v.number(),
  client_reference_id: v.nullable(v.string()),
  metadata: v.nullish(v.record(v.string(), v.string())),
  status: v.nullable(v.string()),
  payment_status: v.string(),
  payment_intent: reference,
  amount_total: v.nullable(v.pipe(v.number(), v.safeInteger())),
  currency: v.nullable(v.string()),
})
export type Session = v.InferOutput<typeof Session>

export const idIn = (given: string | { id: string } | null | undefined): string | null =>
  given === null || given === undefined || typeof given === 'string' ? (given ?? null) : given.id

export const instantOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

/**
 * What a session says. One that is complete is paid only when `payment_status` says so: a bank debit is complete and unpaid
 * for days.
 * @param at when that became known, in seconds; the session itself tells only when it was opened
 */
export const stateOf = (session: Session, at = session.created): PageState => {
  const { status, payment_status: payment, amount_total: amountMinor, currency } = session
  const paymentId = idIn(session.payment_intent)
  if (payment === 'paid' && paymentId !== null && amountMinor !== null && currency !== null) {
    return { is: 'paid', paymentId, amountMinor, currency: currency.toUpperCase(), paidAt: instantOf(at) }
  }
  if (status === 'expired') return { is: 'expired' }
  return { is: status === 'complete' ? 'pending' : 'open' }
}
