import * as v from 'valibot'
import type { Notice, OnPage, Refused, Sent, TakenBack } from '../port.ts'
import { idIn, Session, stateOf } from './session.ts'
import { signatureProblem } from './signature.ts'

const Event = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  type: v.string(),
  created: v.number(),
  data: v.object({ object: v.unknown() }),
})

const ofIntent = {
  currency: v.string(),
  payment_intent: v.nullish(v.union([v.string(), v.object({ id: v.string() })])),
}
const Charge = v.object({ ...ofIntent, amount_refunded: v.number() })
const Dispute = v.object({ ...ofIntent, amount: v.number() })

const onSession = (object: unknown, at: number, failed = false): OnPage | null => {
  if (!v.is(Session, object)) return null
  return {
    pageId: object.id,
    reference: object.client_reference_id,
    about: object.metadata?.['about'] ?? null,
    says: failed ? { is: 'failed' } : stateOf(object, at),
  }
}

const takenBack = (
  is: TakenBack['is'],
  {
    payment_intent: intent,
    currency,
  }: { payment_intent?: string | { id: string } | null | undefined; currency: string },
  amountMinor: number,
): OnPage | null => {
  const paymentId = idIn(intent)
  if (paymentId === null) return null
  const says: TakenBack = { is, paymentId, amountMinor, currency: currency.toUpperCase() }
  return { pageId: null, reference: null, about: null, says }
}

const tellsOf = ({ type, created, data: { object } }: v.InferOutput<typeof Event>): OnPage | null => {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      return onSession(object, created)
    case 'checkout.session.async_payment_failed':
      return onSession(object, created, true)
    case 'charge.refunded':
      return v.is(Charge, object) ? takenBack('refunded', object, object.amount_refunded) : null
    case 'charge.dispute.created':
      return v.is(Dispute, object) ? takenBack('disputed', object, object.amount) : null
    default:
      return null
  }
}

/** An event as Stripe sends it to a webhook endpoint. */
export const readEvent = (sent: Sent, secret: string): Notice | Refused => {
  const problem = signatureProblem(sent, secret)
  if (problem !== undefined) return { is: 'refused', why: problem }
  let event: unknown
  try {
    event = JSON.parse(Buffer.from(sent.bytes).toString('utf8'))
  } catch {
    return { is: 'refused', why: 'not_readable' }
  }
  if (!v.is(Event, event)) return { is: 'refused', why: 'not_readable' }
  return { is: 'notice', id: event.id, tells: tellsOf(event) }
}
