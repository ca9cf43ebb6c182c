import type { Outbound, OutboundResult } from '#ports/outbound/port.ts'
import { signatureHeader, standardSignature } from './signature.ts'

export interface Sending {
  url: string
  /** Each of them signs. */
  secrets: string[]
  deliveryId: string
  eventId: string
  eventType: string
  /** Exactly the bytes that are sent. */
  body: string
  now: string
}

/** What goes with a delivery, the same at every attempt. */
export const lastingHeaders = ({
  deliveryId,
  eventId,
  eventType,
}: Pick<Sending, 'deliveryId' | 'eventId' | 'eventType'>) => ({
  'Content-Type': 'application/json',
  'User-Agent': 'Institute-Webhooks',
  'X-Service-Event': eventType,
  'X-Service-Delivery': deliveryId,
  'webhook-id': eventId,
})

/** What proves where it comes from, and when it was sent. */
const proofs = ({ secrets, eventId, body }: Pick<Sending, 'secrets' | 'eventId' | 'body'>, seconds: number) => ({
  'X-Service-Timestamp': String(seconds),
  'X-Service-Signature': signatureHeader(secrets, seconds, body),
  'webhook-timestamp': String(seconds),
  'webhook-signature': standardSignature(secrets, { id: eventId, timestampSec: seconds, rawBody: body }),
})

export const PROOFS: readonly (keyof ReturnType<typeof proofs>)[] = [
  'X-Service-Timestamp',
  'X-Service-Signature',
  'webhook-timestamp',
  'webhook-signature',
]

/** Posts one signed delivery. The outbound port stops after the contract's 5 seconds and follows no redirects. */
export const sendSigned = (outbound: Outbound, sending: Sending): Promise<OutboundResult> => {
  const { url, body, now } = sending
  const seconds = Math.floor(Date.parse(now) / 1000)
  return outbound.post({ url, body, headers: { ...lastingHeaders(sending), ...proofs(sending, seconds) } })
}
